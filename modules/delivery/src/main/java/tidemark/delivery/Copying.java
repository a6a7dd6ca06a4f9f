package tidemark.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.replication.SharedCopy;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceSession;
import tidemark.replication.TableShape;

/**
 * Copies what must be copied under one snapshot, through the same encoder and batches as the stream:
 * {@link CopyReaders} fill whole bodies off the loop, and each is a batch. When it returns, every row is settled and
 * the tables stand as copied on disk; a crash before that leaves them pending.
 *
 * <p>Runs on the connector's thread. Reads no faster than Feldera accepts. What readers are in the middle of when it
 * ends early ends with their connections, and the next session waits for it.
 */
final class Copying {
    private static final Duration BREATH = Duration.ofMillis(1);
    /**
     * Half a second of one reader at 60 MB/s: so long it may read alone at the end, and beside that the few round trips
     * that a part costs are nothing.
     */
    static final long PART_BYTES = 32L << 20;

    private final Surroundings around;
    private final CoreDriver driver;
    private final Outbox outbox;

    private Copying(Surroundings around, SourceSession source, ReplicationState state) {
        this.around = around;
        this.outbox = new Outbox(around.settings());
        this.driver = new CoreDriver(around, source, SlotTenure.byTurn(), outbox, state);
    }

    /** Returns the state with the tables copied, already on disk. */
    static ReplicationState copy(
            Surroundings around,
            SourceSession source,
            Snapshot snapshot,
            ReplicationState state,
            List<StartPlan.Begin> begins,
            List<TablePlan> plans) {
        around.board().phase("copying");
        Copying copying = new Copying(around, source, state);
        copying.outbox.beginCopy();
        copying.read(
                snapshot,
                begins.stream()
                        .filter(begin -> begin.how().isReadWhole())
                        .map(begin -> StartPlan.planOf(begin, plans))
                        .toList());
        copying.merge(snapshot, begins, plans);
        copying.driver.on(new Event.CopyRead());
        while (!copying.driver.isDrained()) copying.settle(BREATH);
        ReplicationState copied = copied(state, snapshot.consistentPoint(), begins, around.counts())
                .counting(around.counts());
        around.store().write(copied);
        return copied;
    }

    private void merge(Snapshot snapshot, List<StartPlan.Begin> begins, List<TablePlan> plans) {
        var merging = new Merging(around, outbox, driver, () -> settle(BREATH));
        for (StartPlan.Begin begin : begins) {
            if (!(begin.how() instanceof StartPlan.How.Merge(String why))) continue;
            while (!outbox.isEmpty()) settle(BREATH);
            merging.merge(snapshot, StartPlan.planOf(begin, plans), why);
        }
    }

    private void read(Snapshot snapshot, List<TablePlan> tables) {
        if (tables.isEmpty()) return;
        try (SharedCopy shared =
                share(snapshot, tables.stream().map(TablePlan::shape).toList())) {
            var readers = new CopyReaders(around, outbox, shared, tables);
            while (!readers.areDone()) {
                boolean read = readers.goOn();
                settle(sends(readers) || read ? Duration.ZERO : BREATH);
            }
        }
    }

    /** Waits for connections and locks, but not on the loop. */
    private SharedCopy share(Snapshot snapshot, List<TableShape> tables) {
        int readers = around.settings().snapshotParallelism();
        Errand.Answer<SharedCopy> answer = around.errands().ask(() -> snapshot.share(tables, readers, PART_BYTES));
        while (!answer.isThere()) settle(BREATH);
        return answer.get();
    }

    /** Returns whether another body went into the open batch. */
    private boolean sends(CopyReaders readers) {
        if (!outbox.isEmpty() || !driver.core().wantsMore()) return false;
        Optional<CopyReaders.Filled> next = readers.next();
        next.ifPresent(filled -> {
            outbox.take(filled.table(), filled.body());
            driver.crash().copying(); // with these rows missing
        });
        return next.isPresent();
    }

    private void settle(Duration wait) {
        around.stopHere();
        driver.settle(wait);
        around.board().waitsFor(driver.waitingFor());
    }

    private static ReplicationState copied(
            ReplicationState before, Lsn consistentPoint, List<StartPlan.Begin> begins, EndpointCounts counts) {
        List<ReplicationState.Table> tables = new ArrayList<>();
        for (ReplicationState.Table table : before.tables()) {
            long count = counts.taken(table.feldera());
            tables.add(
                    switch (StartPlan.find(begins, table.postgres()).how()) {
                        case StartPlan.How.Copy(), StartPlan.How.Merge _ ->
                            table.at(ReplicationState.Stand.COPIED, consistentPoint, count);
                        // What the broken copy left is retracted by everything since the slot's position: skip nothing.
                        case StartPlan.How.CopyAgain() ->
                            table.at(ReplicationState.Stand.COPIED, before.confirmed(), count);
                        case StartPlan.How.Continue _, StartPlan.How.StreamOnly() -> table;
                    });
        }
        return before.with(List.copyOf(tables));
    }
}
