package tidemark.replication;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Runs something on a thread of its own while the owner is stuck in a call for too long: once after {@code delay}, then
 * every {@code period}, until closed. The only timer of this module; it moves no position.
 */
final class Alarm implements AutoCloseable {
    private final CountDownLatch over = new CountDownLatch(1);

    Alarm(String name, Duration delay, Duration period, Runnable ring) {
        Thread.ofVirtual().name(name).start(() -> {
            for (Duration wait = delay; !isOverAfter(wait); wait = period) ring.run();
        });
    }

    private boolean isOverAfter(Duration wait) {
        try {
            return over.await(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            return true; // nobody but us knows this thread
        }
    }

    @Override
    public void close() {
        over.countDown();
    }
}
