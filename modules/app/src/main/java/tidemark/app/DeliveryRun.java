package tidemark.app;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import tidemark.delivery.ExitCode;

/**
 * The one thread that delivers, and what it ended with. Every method may be called from any thread.
 *
 * <p>Whatever escapes it is a broken invariant: the position stays where it was and a supervisor starts us again.
 */
final class DeliveryRun {
    private static final System.Logger LOG = System.getLogger(DeliveryRun.class.getName());

    private final Supplier<ExitCode> delivery;
    private final Runnable stop;
    private final Duration stopLimit;
    private final AtomicBoolean started = new AtomicBoolean();
    private final CompletableFuture<ExitCode> ended = new CompletableFuture<>();

    /**
     * @param delivery returns when nothing more will be done
     * @param stop asks {@code delivery} to return soon
     * @param stopLimit how long {@link #drain()} waits for it
     */
    DeliveryRun(Supplier<ExitCode> delivery, Runnable stop, Duration stopLimit) {
        this.delivery = delivery;
        this.stop = stop;
        this.stopLimit = stopLimit;
    }

    void start() {
        started.set(true);
        Thread.ofPlatform().name("tidemark-delivery").daemon(false).start(this::run);
    }

    private void run() {
        try {
            ended.complete(delivery.get());
        } catch (RuntimeException | Error broken) {
            LOG.log(Level.ERROR, "broken delivery remedy=\"report this with the stack trace\"", broken);
            ended.complete(ExitCode.BROKEN_INVARIANT);
        }
    }

    /** The code that delivery ended with, once it has. */
    Optional<ExitCode> ended() {
        return ended.isDone() ? Optional.of(ended.join()) : Optional.empty();
    }

    ExitCode await() {
        return ended.join();
    }

    /** Stops reading, settles what is in flight, confirms it; or gives up when the stop budget is spent. */
    ExitCode drain() {
        if (!started.get()) return ExitCode.DRAINED;
        stop.run();
        try {
            return ended.get(stopLimit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            return ExitCode.TEMPORARY;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return ExitCode.TEMPORARY;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("never completed exceptionally", impossible);
        }
    }
}
