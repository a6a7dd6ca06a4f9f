package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.decode.Tuple;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceSession;
import tidemark.replication.TableCopy;

/**
 * Copies what must be copied under one snapshot, through the same encoder and batches as the stream. When it returns,
 * every row is settled and the tables stand as copied on disk; a crash before that leaves them pending.
 *
 * <p>Runs on the connector's thread. Reads no faster than Feldera accepts.
 */
final class Copying {
    private static final Logger LOG = System.getLogger("tidemark.delivery");
    /** Rows between two looks at what came back: some ten microseconds of encoding. */
    private static final int ROWS_PER_TURN = 64;

    private static final Duration BREATH = Duration.ofMillis(1);

    private final Surroundings around;
    private final Snapshot snapshot;
    private final Outbox outbox;
    private final CoreDriver driver;

    private Copying(Surroundings around, SourceSession source, Snapshot snapshot, ReplicationState state) {
        this.around = around;
        this.snapshot = snapshot;
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
        Copying copying = new Copying(around, source, snapshot, state);
        copying.outbox.beginCopy();
        for (StartPlan.Begin begin : begins) {
            switch (begin.how()) {
                case StartPlan.How.Copy(), StartPlan.How.CopyAgain() -> copying.read(StartPlan.planOf(begin, plans));
                case StartPlan.How.Merge _, StartPlan.How.Continue _, StartPlan.How.StreamOnly() -> {}
            }
        }
        copying.merge(begins, plans);
        copying.driver.on(new Event.CopyRead());
        while (!copying.driver.isDrained()) copying.waitABit();
        ReplicationState copied = copied(state, snapshot.consistentPoint(), begins, around.counts())
                .counting(around.counts());
        around.store().write(copied);
        return copied;
    }

    private void merge(List<StartPlan.Begin> begins, List<TablePlan> plans) {
        var merging = new Merging(around, outbox, driver);
        for (StartPlan.Begin begin : begins) {
            if (!(begin.how() instanceof StartPlan.How.Merge(String why))) continue;
            while (!outbox.isEmpty()) waitABit();
            merging.merge(snapshot, StartPlan.planOf(begin, plans), why);
        }
    }

    private void read(TablePlan plan) {
        RelationName name = plan.postgres();
        TableCounters counters = around.board().of(name);
        counters.copyBegins(plan.shape().estimatedRows());
        LOG.log(
                Level.INFO,
                "copying table={0} estimated_rows={1}",
                name,
                Long.toString(plan.shape().estimatedRows()));
        RowEncoder encoder = plan.copyEncoder(around.rows());
        long rows = 0;
        long now = around.now();
        try (TableCopy copy = snapshot.copy(plan.shape())) {
            for (Optional<Tuple> row = copy.next(); row.isPresent(); row = copy.next()) {
                RowBytes body = outbox.into(plan.feldera().name());
                long mark = body.mark();
                outbox.added(encoder.insert(row.get(), body), body.bytesSince(mark), now);
                counters.rowCopied();
                if (++rows % ROWS_PER_TURN == 0 || !driver.core().wantsMore()) {
                    around.stopHere();
                    driver.settle(Duration.ZERO);
                    driver.crash().copying();
                    now = around.now();
                }
                while (!driver.core().wantsMore()) waitABit();
            }
        }
        LOG.log(Level.INFO, "read table={0} rows={1}", name, Long.toString(rows));
    }

    private void waitABit() {
        around.stopHere();
        driver.settle(BREATH);
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
