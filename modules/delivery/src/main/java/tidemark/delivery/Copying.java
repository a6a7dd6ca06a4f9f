package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.replication.SharedCopy;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceSession;
import tidemark.replication.TableShape;
import tidemark.sink.FelderaName;

/**
 * Copies what must be copied under one snapshot, through the same encoder and batches as the stream:
 * {@link CopyReaders} fill whole bodies off the loop, and each is a batch. A table of which every row is settled stands
 * as copied on disk at once: its rows are those of the snapshot, and as long as the slot stands at or before that, the
 * next session streams on from there (docs/adr/0004). A crash leaves the others to be read again.
 *
 * <p>Runs on the connector's thread. Reads no faster than Feldera accepts. What readers are in the middle of when it
 * ends early ends with their connections, and the next session waits for it.
 */
final class Copying {
    private static final Logger LOG = System.getLogger("tidemark.delivery");
    private static final Duration BREATH = Duration.ofMillis(1);
    /**
     * Half a second of one reader at 60 MB/s: so long it may read alone at the end, and beside that the few round trips
     * that a part costs are nothing.
     */
    static final long PART_BYTES = 32L << 20;

    private final Surroundings around;
    private final SourceSession source;
    private final CoreDriver driver;
    private final Outbox outbox;
    private final Snapshot snapshot;
    private final List<StartPlan.Begin> begins;
    private final List<TablePlan> plans;
    /** Of each table, once it has one. */
    private final Map<FelderaName, Long> lastBatch = new HashMap<>();

    private final Set<RelationName> kept = new HashSet<>();

    private Copying(
            Surroundings around,
            SourceSession source,
            Snapshot snapshot,
            ReplicationState state,
            List<StartPlan.Begin> begins,
            List<TablePlan> plans) {
        this.around = around;
        this.source = source;
        this.snapshot = snapshot;
        this.begins = begins;
        this.plans = plans;
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
        around.board().phase(Phase.COPYING);
        around.patience().undertakes();
        return new Copying(around, source, snapshot, state, begins, plans).run();
    }

    private ReplicationState run() {
        outbox.beginCopy();
        read(begins.stream()
                .filter(begin -> begin.how().isReadWhole())
                .map(this::plan)
                .toList());
        merge();
        driver.on(new Event.CopyRead());
        while (!driver.isDrained()) settle(BREATH);
        around.resyncs()
                .readWhole(begins.stream()
                        .filter(begin -> begin.how().copies())
                        .map(begin -> begin.table().postgres())
                        .toList());
        return driver.state();
    }

    private TablePlan plan(StartPlan.Begin begin) {
        return StartPlan.planOf(begin, plans);
    }

    private void merge() {
        var merging = new Merging(around, outbox, driver, () -> settle(BREATH));
        for (StartPlan.Begin begin : begins) {
            if (!(begin.how() instanceof StartPlan.How.Merge(String why))) continue;
            TablePlan plan = plan(begin);
            around.counts().replaysFromSnapshot(plan.feldera().name());
            merging.merge(snapshot, plan, why);
            lastBatch.put(plan.feldera().name(), outbox.lastBatchId());
            keep(List.of(plan));
        }
    }

    private void read(List<TablePlan> tables) {
        if (tables.isEmpty()) return;
        try (SharedCopy shared =
                share(snapshot, tables.stream().map(TablePlan::shape).toList())) {
            var readers = new CopyReaders(around, outbox, shared, tables);
            while (!readers.areDone()) {
                boolean read = readers.goOn();
                settle(sends(readers) || read ? Duration.ZERO : BREATH);
                keepSettled(readers.taken());
            }
        }
        keep(tables);
    }

    /** Waits until they are whole. */
    private void keep(List<TablePlan> read) {
        for (keepSettled(read); !read.stream().allMatch(this::isKept); keepSettled(read)) settle(BREATH);
    }

    /** Nothing more of them is to come, so those that are settled are whole. */
    private void keepSettled(List<TablePlan> read) {
        List<ReplicationState.Table> whole = read.stream()
                .filter(plan -> !isKept(plan) && isSettled(plan))
                .map(this::copied)
                .toList();
        if (whole.isEmpty()) return;
        driver.keeps(whole);
        for (ReplicationState.Table table : whole) {
            kept.add(table.postgres());
            around.board().of(table.postgres()).standsAt(TableState.COPIED);
            LOG.log(
                    Level.INFO,
                    "kept table={0} lsn={1} count={2}",
                    table.postgres(),
                    table.position(),
                    Long.toString(table.count()));
        }
    }

    private boolean isKept(TablePlan plan) {
        return kept.contains(plan.postgres());
    }

    private boolean isSettled(TablePlan plan) {
        long last = lastBatch.getOrDefault(plan.feldera().name(), 0L);
        return last < outbox.openBatchId() && driver.core().isSettled(last);
    }

    /** Waits for connections and locks, but not on the loop. */
    private SharedCopy share(Snapshot snapshot, List<TableShape> tables) {
        int readers = around.settings().snapshotParallelism();
        around.patience().waits(around.now());
        Errand.Answer<SharedCopy> answer = around.errands().ask(() -> snapshot.share(tables, readers, PART_BYTES));
        while (!answer.isThere()) settleWhileWaiting();
        SharedCopy shared = answer.get();
        around.patience().waitIsOver();
        return shared;
    }

    /** What fails meanwhile is not what is waited for. */
    private void settleWhileWaiting() {
        try {
            settle(BREATH);
        } catch (RuntimeException e) {
            around.patience().waitIsOver();
            throw e;
        }
    }

    /** Returns whether another body went into the open batch. */
    private boolean sends(CopyReaders readers) {
        if (!outbox.isEmpty() || !driver.core().wantsMore()) return false;
        Optional<CopyReaders.Filled> next = readers.next();
        next.ifPresent(filled -> {
            lastBatch.put(filled.table(), outbox.openBatchId());
            outbox.take(filled.table(), filled.body());
            driver.crash().copying(); // with these rows missing
        });
        return next.isPresent();
    }

    private void settle(Duration wait) {
        around.stopHere();
        driver.settle(wait);
        around.board().waitsFor(source.waitsFor().or(driver::waitingFor));
    }

    /** As it stands once all of its rows are taken. */
    private ReplicationState.Table copied(TablePlan plan) {
        Lsn slotAt = driver.state().confirmed();
        Lsn from = switch (StartPlan.find(begins, plan.postgres()).how()) {
            case StartPlan.How.Copy _, StartPlan.How.Merge _ -> {
                around.counts().copied(plan.feldera().name());
                yield snapshot.consistentPoint();
            }
            // What the broken copy left is retracted by everything since the slot's position: skip nothing.
            case StartPlan.How.CopyAgain _, StartPlan.How.Continue _, StartPlan.How.StreamOnly() -> slotAt;
        };
        long count = around.counts().taken(plan.feldera().name());
        return driver.state().table(plan.postgres()).orElseThrow().at(ReplicationState.Stand.COPIED, from, count);
    }
}
