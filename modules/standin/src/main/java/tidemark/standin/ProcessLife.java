package tidemark.standin;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The one lock of a pipeline process, and whether the process still lives: whoever enters or waits after {@link #end}
 * gets {@link ProcessGone}. Everything but the content of the tables is guarded by it.
 */
final class ProcessLife {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean dead;

    <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            requireAlive();
            return body.get();
        } finally {
            lock.unlock();
        }
    }

    /** Looks also at a dead process, as it was when it died. */
    <T> T look(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #locked} for what has no result and changes something that others wait for. */
    void change(Runnable body) {
        locked(() -> {
            body.run();
            changed.signalAll();
            return true;
        });
    }

    /** As {@link #change}, and nothing that a dead process minds. */
    void remind(Runnable body) {
        lock.lock();
        try {
            body.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Kill -9. */
    void end() {
        lock.lock();
        try {
            dead = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Until somebody changes something; under the lock. */
    @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
    void awaitChange() {
        changed.awaitUninterruptibly();
        requireAlive();
    }

    /** Lets so much time pass; a change of the delay counts from the beginning of the wait. */
    void awaitDelay(Supplier<Duration> delay) {
        locked(() -> {
            long begun = System.nanoTime();
            long left = delay.get().toNanos();
            while (left > 0) {
                awaitChange(left);
                left = begun + delay.get().toNanos() - System.nanoTime();
            }
            return true;
        });
    }

    /** The same, but no longer than this. */
    @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
    void awaitChange(long nanos) {
        try {
            long _ = changed.awaitNanos(nanos);
        } catch (InterruptedException _) {
            throw new ProcessGone();
        }
        requireAlive();
    }

    private void requireAlive() {
        if (dead) {
            throw new ProcessGone();
        }
    }
}
