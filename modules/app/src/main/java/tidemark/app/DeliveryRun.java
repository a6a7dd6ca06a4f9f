package tidemark.app;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import tidemark.delivery.Connector;
import tidemark.delivery.ExitCode;

/**
 * The one thread that owns the connector, and what it ended with. Every method may be called from any thread.
 *
 * <p>Whatever escapes the connector is a broken invariant: the position stays where it was and a supervisor starts us again.
 */
final class DeliveryRun {
    private static final System.Logger LOG = System.getLogger(DeliveryRun.class.getName());

    /** For what follows the connector's own stop budget: closing connections, the last write of the state file. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    private final Connector connector;
    private final Duration stopLimit;
    private final AtomicBoolean started = new AtomicBoolean();
    private final CompletableFuture<ExitCode> ended = new CompletableFuture<>();

    DeliveryRun(Connector connector, Duration stopBudget) {
        this.connector = connector;
        this.stopLimit = stopBudget.plus(MARGIN);
    }

    void start() {
        started.set(true);
        Thread.ofPlatform().name("tidemark-delivery").daemon(false).start(this::run);
    }

    private void run() {
        try {
            ended.complete(connector.run());
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
        connector.stop();
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
