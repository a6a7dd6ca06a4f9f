package tidemark.delivery;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What one table saw since the process started. Written by the connector's thread only, read by any: each figure is
 * exact, the figures among themselves may be a row apart.
 */
final class TableCounters {
    private final AtomicLong inserts = new AtomicLong();
    private final AtomicLong updates = new AtomicLong();
    private final AtomicLong deletes = new AtomicLong();
    private final AtomicLong batches = new AtomicLong();
    private final AtomicLong copied = new AtomicLong();
    private volatile long estimated;
    private volatile String state = "pending";

    void inserted() {
        bump(inserts);
    }

    void updated() {
        bump(updates);
    }

    void deleted() {
        bump(deletes);
    }

    void batched() {
        bump(batches);
    }

    void rowCopied() {
        bump(copied);
    }

    void copyBegins(long estimatedRows) {
        copied.set(0);
        estimated = Math.max(0, estimatedRows);
        state = "copying";
    }

    void standsAt(String newState) {
        state = newState;
    }

    private static void bump(AtomicLong counter) {
        counter.lazySet(counter.getPlain() + 1); // one writer: cheaper than an atomic add
    }

    ConnectorStatus.Table picture(TableRoute route) {
        return new ConnectorStatus.Table(
                route.postgres().toString(),
                route.feldera().toString(),
                state,
                copied.get(),
                estimated,
                inserts.get(),
                updates.get(),
                deletes.get(),
                batches.get());
    }
}
