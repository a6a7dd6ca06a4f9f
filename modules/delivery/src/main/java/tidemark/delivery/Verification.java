package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.replication.ChangeSource;
import tidemark.replication.SlotStatus;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceSession;
import tidemark.replication.TableEdition;
import tidemark.sink.Destination;
import tidemark.sink.PipelineStats;

/**
 * Compares the configured tables while no service runs, so it takes the service's place. A temporary slot exports a
 * snapshot at L; the service's own slot is delivered up to L and drained there, as a service would that is stopped at
 * just that moment; then each table under the snapshot is compared with what Feldera answers. Nothing is sent that the
 * service would not send.
 *
 * <p>Where it also mends, a table that differs is marked on disk as one whose merge did not come to its end, and the
 * session of a service is begun once more: it merges the table before it streams ({@link Merging}), and is halted at L
 * again. Only the differences are sent, as ordinary batches. A crash leaves the rest to the next session.
 *
 * <p>What was compared counts only if both ends stood still meanwhile: the state's turn is held, the slot has not
 * moved, no table was written anew, and the pipeline is in the same life and has counted no operation on these tables.
 *
 * <p>A crash loses nothing: what was delivered is confirmed or replayed, as ever.
 */
public final class Verification {
    private static final Logger LOG = System.getLogger("tidemark.delivery");
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    private final DeliverySettings settings;
    private final ChangeSource source;
    private final Destination feldera;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Consumer<String> report;
    private final IntFunction<ExitCode> beside;
    private final StateStore store;
    private final CountDownLatch stopAsked = new CountDownLatch(1);
    private volatile Runnable onStop = () -> {};

    /**
     * @param settings whose routes are all of the service's
     * @param report takes the lines for people
     * @param beside what is done where a service runs, given the pid of its walsender
     */
    public Verification(
            DeliverySettings settings,
            ChangeSource source,
            Destination feldera,
            InstantSource clock,
            RandomGenerator random,
            Consumer<String> report,
            IntFunction<ExitCode> beside) {
        this.settings = settings;
        this.source = source;
        this.feldera = feldera;
        this.clock = clock;
        this.random = random;
        this.report = report;
        this.beside = beside;
        this.store = new StateFile(settings.stateFile());
    }

    /**
     * Compares these tables, or all for none, and says what it found.
     *
     * @return {@link ExitCode#DRAINED} when all are the same, {@link ExitCode#DIFFERENT} when one is not, or why they
     *     could not be compared
     */
    public ExitCode run(List<RelationName> tables) {
        return run(tables, false);
    }

    /**
     * The same, and then makes Feldera's tables what PostgreSQL's are where they differ.
     *
     * @return {@link ExitCode#DRAINED} also when all that differed was mended
     */
    public ExitCode runAndMend(List<RelationName> tables) {
        return run(tables, true);
    }

    private ExitCode run(List<RelationName> tables, boolean mends) {
        OptionalInt deliverer;
        try {
            deliverer = deliverer();
            if (deliverer.isEmpty()) return runAlone(tables, mends);
        } catch (RuntimeException e) {
            if (isStopped()) return ExitCode.TEMPORARY;
            Failure failure = FailurePolicy.of(e);
            LOG.log(Level.ERROR, "not compared why=\"{0}\" remedy=\"{1}\"", failure.what(), failure.remedy());
            return FailurePolicy.exitAtOnce(failure);
        }
        return beside.apply(deliverer.getAsInt());
    }

    private ExitCode runAlone(List<RelationName> tables, boolean mends) {
        try (SourceSession session = source.open()) {
            return run(session, tables, mends);
        }
    }

    private ExitCode run(SourceSession session, List<RelationName> tables, boolean mends) {
        if (mends) requireReads();
        requireDelivered();
        List<TablePlan> plans = plans(session, tables);
        List<TableEdition> editions = editions(plans);
        try (Snapshot snapshot = session.snapshotBesideSlot()) {
            Lsn at = snapshot.consistentPoint();
            LOG.log(Level.INFO, "comparing lsn={0} tables={1}", at, Integer.toString(plans.size()));
            ExitCode delivered = deliverUpTo(at, _ -> {});
            if (delivered != ExitCode.DRAINED) return delivered;
            onStop = session::close;
            if (isStopped()) return ExitCode.TEMPORARY;
            Map<RelationName, TableFindings> found = new LinkedHashMap<>();
            try (StateStore.Turn _ = store.takeTurn().orElseThrow(Verification::begins)) {
                Still before = still(plans, at);
                for (TablePlan plan : plans) found.put(plan.postgres(), compare(plan, snapshot, mends));
                if (!before.equals(still(plans, at)) || !editions.equals(editions(plans))) throw moved();
                found.values().forEach(table -> table.lines().forEach(report));
                found.values().removeIf(TableFindings::areNone);
                if (found.isEmpty()) return ExitCode.DRAINED;
                if (!mends) return ExitCode.DIFFERENT;
                mark(found.keySet());
            }
            return deliverUpTo(at, status -> toldMended(status, found));
        }
    }

    private void requireReads() {
        if (settings.snapshotMode() != SnapshotMode.NEVER) return;
        throw refused(
                ExitCode.CONFIGURATION,
                "snapshot.mode=never reads no table, so none is mended",
                "Set snapshot.mode=initial, and compare again.");
    }

    /** Durable before the first difference is sent: from then on a table may be neither what it was nor what it is. */
    private void mark(Set<RelationName> tables) {
        ReplicationState state = store.read().state().orElseThrow(Verification::moved);
        store.write(state.with(state.tables().stream()
                .map(table -> tables.contains(table.postgres())
                        ? table.at(ReplicationState.Stand.MERGING, table.position(), table.count())
                        : table)
                .toList()));
    }

    private void toldMended(ConnectorStatus status, Map<RelationName, TableFindings> found) {
        found.forEach((name, table) -> status.tables().stream()
                .filter(stands -> stands.postgres().equals(name.toString()))
                .forEach(stands ->
                        report.accept("%s: mended by %,d operations".formatted(table.table(), stands.copiedRows()))));
    }

    /** Who holds the slot that is delivered to its end. */
    private OptionalInt deliverer() {
        return switch (source.slot()) {
            case SlotStatus.Usable(Lsn _, Lsn _, OptionalInt pid) -> pid;
            case SlotStatus.Missing _, SlotStatus.HalfMade _, SlotStatus.Lost _, SlotStatus.Foreign _ ->
                throw refused(
                        ExitCode.CONFIGURATION,
                        "there is no slot of a service that could be delivered to its end",
                        "Let the service run until it streams; check postgres.slot.");
        };
    }

    /** Delivering only ever goes on here: it never begins, so it never copies. */
    private void requireDelivered() {
        ReplicationState state = store.read()
                .state()
                .orElseThrow(() -> refused(
                        ExitCode.CONFIGURATION,
                        "there is no state file %s: no service has delivered anything".formatted(settings.stateFile()),
                        "Let the service run until it streams; check state.file."));
        for (TableRoute route : settings.routes()) {
            boolean copied = state.table(route.postgres())
                    .filter(table -> table.stand() != ReplicationState.Stand.PENDING
                            && table.stand() != ReplicationState.Stand.MERGING)
                    .isPresent();
            if (!copied) {
                throw refused(
                        ExitCode.TEMPORARY,
                        "table %s is not copied yet".formatted(route.postgres()),
                        "Let the service run until it streams.");
            }
        }
        if (!feldera.stats().incarnation().equals(state.target().incarnation())) {
            throw refused(
                    ExitCode.TEMPORARY,
                    "the pipeline was restarted since the service stopped",
                    "Let the service run: it looks at what came back.");
        }
    }

    private List<TablePlan> plans(SourceSession session, List<RelationName> tables) {
        StartCheck.Findings checked = StartCheck.of(session.publication(), feldera.tables(), settings);
        checked.requireNone();
        return checked.plans().stream()
                .filter(plan -> tables.isEmpty() || tables.contains(plan.postgres()))
                .toList();
    }

    /**
     * Another one when a table was truncated or written anew: a snapshot from before that does not show its rows any
     * more.
     */
    private List<TableEdition> editions(List<TablePlan> plans) {
        return source.editions(plans.stream().map(TablePlan::postgres).toList());
    }

    /**
     * Everything that a snapshot at this position shows, and nothing else, is then in Feldera and complete; what had to
     * be merged is merged as of a later one.
     *
     * @param delivered is told when it is
     */
    private ExitCode deliverUpTo(Lsn at, Consumer<ConnectorStatus> delivered) {
        var halting = new HaltingSource(source, at, () -> onStop.run());
        var connector = new Connector(settings.stopping(), halting, feldera, clock, random);
        onStop = connector::stop;
        if (isStopped()) connector.stop();
        ExitCode code = connector.run();
        if (code == ExitCode.DRAINED && !halting.isHalted()) return ExitCode.TEMPORARY;
        if (code == ExitCode.DRAINED) delivered.accept(connector.status());
        return code;
    }

    /** Before the table is marked: a row that cannot be sent would end every session that merges it. */
    private static Runnable canBeDeleted(ComparedTable table, FelderaRows feldera) {
        var rows = new ExtraRows(table);
        var scratch = new RowBytes(0);
        return () -> {
            scratch.clear();
            rows.delete(feldera.row(), scratch);
        };
    }

    private TableFindings compare(TablePlan plan, Snapshot snapshot, boolean mends) {
        ComparedTable table = ComparedTable.of(plan);
        RowPolicy policy = RowPolicy.of(settings, new NulledValues());
        var limits = policy.ofAnswers(settings.giveUpAfter());
        try (var feldera =
                        new FelderaRows(table, this.feldera.query(table.query().sql(), limits));
                var postgres = new PostgresRows(table, snapshot, policy)) {
            Runnable extra = mends ? canBeDeleted(table, feldera) : () -> {};
            TableFindings found = TableFindings.of(table, new TableComparison(table, postgres, feldera), extra);
            LOG.log(Level.INFO, "compared table={0}", plan.postgres());
            return found;
        }
    }

    /** What must not have changed while rows were compared. */
    private record Still(SlotStatus slot, String incarnation, Map<String, Long> operations) {}

    /**
     * Waits until the server has noticed that the slot was let go, and Feldera has taken in everything that it
     * accepted, whoever sent it.
     */
    private Still still(List<TablePlan> plans, Lsn at) {
        for (long looks = settings.completionTimeout().dividedBy(LOOK_EVERY); looks > 0; looks--) {
            SlotStatus slot = source.slot();
            PipelineStats stats = feldera.stats();
            if (isLeftAlone(slot, at) && stats.settled()) {
                Map<String, Long> operations = new TreeMap<>(stats.operations());
                operations.keySet().removeIf(endpoint -> plans.stream().noneMatch(plan -> isOf(plan, endpoint)));
                return new Still(slot, stats.incarnation(), operations);
            }
            pause();
        }
        throw moved();
    }

    private static boolean isLeftAlone(SlotStatus slot, Lsn at) {
        return slot instanceof SlotStatus.Usable(Lsn confirmed, Lsn _, OptionalInt pid)
                && pid.isEmpty()
                && !confirmed.isAfter(at);
    }

    /** Named by the table as a URL spelled it, in quotes or not, in any case (feldera.md 1.3). */
    private static boolean isOf(TablePlan plan, String endpoint) {
        String table = plan.feldera().name().text().toLowerCase(Locale.ROOT);
        return endpoint.replace("\"", "").toLowerCase(Locale.ROOT).startsWith(table + ".");
    }

    private void pause() {
        try {
            if (stopAsked.await(LOOK_EVERY.toNanos(), TimeUnit.NANOSECONDS)) throw new StoppedEarly();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new StoppedEarly();
        }
    }

    private static SessionOver begins() {
        return refused(
                ExitCode.TEMPORARY,
                "a service begins a session with the same state file",
                "Stop the service first; the comparison takes its place.");
    }

    private static SessionOver moved() {
        return refused(
                ExitCode.TEMPORARY,
                "the slot, a table or the pipeline changed while rows were compared, so they say nothing",
                "Keep services and other writers away from these tables, and compare again.");
    }

    private static SessionOver refused(ExitCode exit, String what, String remedy) {
        return new SessionOver(new Failure.Permanent(exit, what, remedy));
    }

    private boolean isStopped() {
        return stopAsked.getCount() == 0;
    }

    /** Ends it soon, without a result. From any thread. */
    public void stop() {
        stopAsked.countDown();
        onStop.run();
    }
}
