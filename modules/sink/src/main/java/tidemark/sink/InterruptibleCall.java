package tidemark.sink;

import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Decides how long blocking I/O may hold its caller.
 *
 * <p>The I/O runs on a virtual thread of its own, because only there does an interrupt close the socket: a blocked
 * write has no time-out at all, and a read time-out starts anew with every byte. The caller may be any thread. When
 * this returns, in whatever way, the I/O has ended and touches none of the caller's arrays any more.
 */
final class InterruptibleCall {
    private InterruptibleCall() {}

    /**
     * An exception of {@code exchange} comes out as it is. A call that took too long ends as
     * {@link SocketTimeoutException}, an interrupted caller's as {@link ClosedByInterruptException} with its interrupt
     * status set, both unchecked; but if the result arrived while the call was being ended, it counts.
     */
    static <T> T within(Duration limit, Supplier<T> exchange) {
        FutureTask<T> outcome = new FutureTask<>(exchange::get);
        Thread io = Thread.ofVirtual().name("feldera-exchange").start(outcome);
        try {
            return outcome.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw unwrapped(failed);
        } catch (TimeoutException late) {
            end(io);
            if (outcome.state() == Future.State.SUCCESS) return outcome.resultNow();
            throw new UncheckedIOException(new SocketTimeoutException("no reply within " + limit));
        } catch (InterruptedException interrupted) {
            end(io);
            Thread.currentThread().interrupt();
            if (outcome.state() == Future.State.SUCCESS) return outcome.resultNow();
            throw new UncheckedIOException(new ClosedByInterruptException());
        }
    }

    /** Waits without a bound of its own: what can delay the end is the resolver, before anything was sent. */
    private static void end(Thread io) {
        io.interrupt();
        boolean interrupted = false;
        while (io.isAlive()) {
            try {
                io.join();
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    private static RuntimeException unwrapped(ExecutionException failed) {
        return switch (failed.getCause()) {
            case RuntimeException unchecked -> unchecked;
            case Error error -> throw error;
            case null, default -> new IllegalStateException(failed);
        };
    }
}
