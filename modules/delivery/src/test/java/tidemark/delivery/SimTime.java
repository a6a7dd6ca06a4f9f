package tidemark.delivery;

import java.util.PriorityQueue;

/**
 * Virtual time and everything that will happen in it. Nanoseconds from the beginning of the run; what is due at the
 * same moment happens in the order in which it was asked for. One thread.
 */
final class SimTime {
    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000 * MILLI;

    /** A loop that asks for the time so often without waiting for anything waits for nothing. */
    private static final int READS_WITHOUT_PROGRESS = 500_000;

    private record Due(long at, long order, Runnable what) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Due> queue = new PriorityQueue<>();
    private long now;
    private long order;
    private int reads;

    long now() {
        if (++reads > READS_WITHOUT_PROGRESS) throw new SimViolation("the loop turns without time passing");
        return now;
    }

    void in(long nanos, Runnable what) {
        at(now + nanos, what);
    }

    void at(long nanos, Runnable what) {
        queue.add(new Due(Math.max(nanos, now), ++order, what));
    }

    /** Long.MAX_VALUE when nothing is to come. */
    long next() {
        Due first = queue.peek();
        return first == null ? Long.MAX_VALUE : first.at;
    }

    /** Lets happen whatever is due until then, and it is then. */
    void runUntil(long nanos) {
        while (next() <= nanos) {
            Due first = queue.remove();
            moveTo(first.at);
            first.what.run();
        }
        moveTo(nanos);
    }

    private void moveTo(long nanos) {
        if (nanos <= now) return;
        now = nanos;
        reads = 0;
    }
}
