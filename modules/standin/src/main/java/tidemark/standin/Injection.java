package tidemark.standin;

import java.util.OptionalLong;

/** A fault that was injected, to be watched and to be taken back. Thread safe. */
public final class Injection {
    private final RequestPattern where;
    private final HttpFault fault;
    private OptionalLong left;
    private long hits;

    /** @param times empty for until cleared */
    Injection(RequestPattern where, HttpFault fault, OptionalLong times) {
        this.where = where;
        this.fault = fault;
        this.left = times;
    }

    RequestPattern where() {
        return where;
    }

    HttpFault fault() {
        return fault;
    }

    /** Whether there is one more. */
    synchronized boolean spend() {
        if (isSpent()) return false;
        if (left.isPresent()) left = OptionalLong.of(left.getAsLong() - 1);
        hits++;
        return true;
    }

    synchronized boolean isSpent() {
        return left.isPresent() && left.getAsLong() == 0;
    }

    /** How many requests it was applied to. Counted when the request's head was read, so before the fault is felt. */
    public synchronized long hits() {
        return hits;
    }

    /** No further request; those that suffer already go on doing so. */
    public synchronized void clear() {
        left = OptionalLong.of(0);
    }
}
