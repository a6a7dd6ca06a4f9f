package tidemark.delivery;

import java.util.function.Supplier;
import tidemark.replication.Snapshot;
import tidemark.sink.FelderaName;

/**
 * The operations of a {@link MergedTable}, of which none is handed out before all of them were found to be such as can
 * be sent: what cannot ends the merge while the table is as it was. Where they are more than one body, the two ends are
 * compared twice for it, under the same snapshot.
 *
 * <p>Filled by one thread at a time, closed by any.
 */
final class RehearsedMerge implements BodySource {
    private final Supplier<MergedTable> again;
    private volatile MergedTable merge;
    private volatile boolean rehearsed;
    /** Guarded by this. */
    private boolean closed;

    /** @param merge makes one, as often as it is asked */
    RehearsedMerge(Supplier<MergedTable> merge) {
        this.again = merge;
        this.merge = merge.get();
    }

    /**
     * @param snapshot of which a copy can be made twice
     * @throws RowRefused if the table cannot be sorted alike at both ends, or its rows not be named
     */
    static RehearsedMerge of(Surroundings around, TablePlan plan, Snapshot snapshot) {
        return new RehearsedMerge(() -> MergedTable.of(around, plan, snapshot));
    }

    @Override
    public FelderaName table() {
        return merge.table();
    }

    @Override
    public boolean fill(RowBytes body) {
        if (rehearsed) return merge.fill(body);
        if (!merge.fill(body)) {
            rehearsed = true;
            return false;
        }
        do body.clear();
        while (merge.fill(body));
        body.clear();
        beginAgain();
        return merge.fill(body);
    }

    private synchronized void beginAgain() {
        if (closed) throw new IllegalStateException("closed while it was rehearsed");
        merge.close();
        merge = again.get();
        rehearsed = true;
    }

    /** So far: the rows that were compared, and, once they can be sent, the differences. Any thread. */
    MergedTable.Found found() {
        boolean sends = rehearsed; // before the other: it is written after it
        MergedTable.Found so = merge.found();
        return sends ? so : new MergedTable.Found(so.rows(), 0, 0, 0);
    }

    @Override
    public synchronized void close() {
        closed = true;
        merge.close();
    }
}
