package tidemark.app;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tidemark.delivery.ExitCode;

/** Lets a signal end the waits of a command that asks the running service again and again. Thread safe. */
final class CommandStop {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

    private final CountDownLatch stop = new CountDownLatch(1);

    void ask() {
        stop.countDown();
    }

    boolean isAsked() {
        return stop.getCount() == 0;
    }

    /** Until the next look. */
    void pause() {
        try {
            if (!stop.await(BETWEEN_LOOKS.toNanos(), TimeUnit.NANOSECONDS)) return;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        throw asked();
    }

    /** What ends whatever still waits. */
    Door.Shut asked() {
        return new Door.Shut(
                ExitCode.TEMPORARY, "stopped before the service was through", "the service goes on: ask it again");
    }
}
