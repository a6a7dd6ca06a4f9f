package tidemark.delivery;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * What one table saw since the process started. Written by the connector's thread only, but for the drifts, which are
 * {@link CatalogWatch}'s, and what {@link Resyncs} shows; read by any: each figure is exact, the figures among
 * themselves may be a row apart.
 */
final class TableCounters {
    private final AtomicLong inserts = new AtomicLong();
    private final AtomicLong updates = new AtomicLong();
    private final AtomicLong deletes = new AtomicLong();
    private final AtomicLong truncates = new AtomicLong();
    private final AtomicLong retractions = new AtomicLong();
    private final AtomicLong batches = new AtomicLong();
    private final AtomicLong copied = new AtomicLong();
    private volatile long estimated;
    private volatile TableState state = TableState.PENDING;
    private volatile List<ConnectorStatus.Drift> drifts = List.of();
    private volatile Supplier<Optional<ConnectorStatus.Resync>> resync = Optional::empty;

    void inserted() {
        bump(inserts);
    }

    void updated() {
        bump(updates);
    }

    void deleted() {
        bump(deletes);
    }

    void truncated() {
        bump(truncates);
    }

    /** So many rows of Feldera's, by a TRUNCATE. */
    void retracted(int rows) {
        retractions.lazySet(retractions.getPlain() + rows);
    }

    void batched() {
        bump(batches);
    }

    void rowsCopied(long more) {
        copied.lazySet(copied.getPlain() + more);
    }

    void copyBegins(long estimatedRows) {
        copied.set(0);
        estimated = Math.max(0, estimatedRows);
        state = TableState.COPYING;
    }

    void standsAt(TableState newState) {
        state = newState;
    }

    void drifts(List<ConnectorStatus.Drift> all) {
        drifts = List.copyOf(all);
    }

    /** @param now asked by whoever looks at the status, on any thread */
    void resync(Supplier<ConnectorStatus.Resync> now) {
        resync = () -> Optional.of(now.get());
    }

    private static void bump(AtomicLong counter) {
        counter.lazySet(counter.getPlain() + 1); // one writer: cheaper than an atomic add
    }

    ConnectorStatus.Table picture(TableRoute route) {
        return new ConnectorStatus.Table(
                route.postgres().toString(),
                route.feldera().toString(),
                state.word(),
                copied.get(),
                estimated,
                inserts.get(),
                updates.get(),
                deletes.get(),
                truncates.get(),
                retractions.get(),
                batches.get(),
                drifts,
                resync.get());
    }
}
