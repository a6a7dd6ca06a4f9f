package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.delivery.EndpointCounts.Counted;
import tidemark.replication.SlotStatus;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceIdentity;
import tidemark.replication.SourceSession;
import tidemark.replication.SourceSession.Publication;
import tidemark.replication.TableEdition;
import tidemark.replication.TableShape;
import tidemark.sink.CompletionToken;
import tidemark.sink.FelderaName;
import tidemark.sink.IngressReply;
import tidemark.sink.PipelineStats;
import tidemark.sink.TableBody;

/**
 * One session, from the first look at both ends to the last status reply. Owns first and looks second
 * (delivery-rules.md R2): nothing is sent to Feldera or written before this process has the state's turn and, where
 * there is a slot, its walsender; then it waits out what may have been left behind, plans, copies and streams. What to
 * do is decided by {@link StartCheck}, {@link StartPlan} and {@link DeliveryCore}.
 *
 * <p>Runs on the connector's thread. Ends by {@link SessionOver} or another failure, or returns when drained.
 */
final class Session {
    private static final Logger LOG = System.getLogger("tidemark.delivery");

    private final Surroundings around;
    private final Upkeep upkeep;

    Session(Surroundings around) {
        this.around = around;
        this.upkeep = new Upkeep(around);
    }

    /** From any thread: ends what only a session that does not stream yet waits for. */
    void interrupt() {
        upkeep.interrupt();
    }

    /** The same, because waiting is in vain. Returns why, if that is news to a session that waits. */
    Optional<Failure> interrupt(Function<SourceIdentity, Failure> why) {
        return upkeep.interrupt(why);
    }

    /** Why waiting was in vain, if it was: what the session failed with came of that. */
    Optional<Failure> interruption() {
        return upkeep.interruption();
    }

    /**
     * What was looked at while the slot, or the right to make one, was ours.
     *
     * @param before as the state file had it
     * @param editions what the catalog showed of the tables
     * @param seenAt what it showed was committed before
     */
    private record Looked(
            SourceIdentity identity,
            SlotStatus slot,
            PipelineStats life,
            Map<FelderaName, Counted> counts,
            Optional<ReplicationState> before,
            List<TablePlan> plans,
            List<TableEdition> editions,
            Lsn seenAt,
            StartPlan plan) {}

    SessionEnd run() {
        around.errands().beginCore();
        while (!upkeep.settled(PipelineLook.EVERY)) {
            around.board().phase(Phase.QUIETING, "the end of requests of the session before");
        }
        around.board().phase(Phase.CONNECTING);
        var pipeline = new PipelineLook(around, upkeep);
        pipeline.running();
        try (StateStore.Turn turn = around.store().takeTurn().orElseThrow(Session::beginsElsewhere)) {
            Looked looked;
            try (SourceSession source = upkeep.open()) {
                looked = look(source, pipeline);
                if (!looked.plan().copiesBesideSlot()) {
                    return carryOut(looked, source, looked.slot() instanceof SlotStatus.Usable, turn);
                }
            }
            // The stream was only to find out that the slot is ours: a copy may take longer than the server waits.
            try (SourceSession source = upkeep.open()) {
                if (!source.identity().equals(looked.identity())) throw altered("the server");
                return carryOut(looked, source, false, turn);
            }
        }
    }

    private static SessionOver beginsElsewhere() {
        return new SessionOver(new Failure.Transient(
                "another Tidemark begins a session with the same state file",
                "Stop one of the two, or give each a slot and a state.file of its own.",
                true));
    }

    private Looked look(SourceSession source, PipelineLook pipeline) {
        around.board().sessionBegan();
        Publication publication = upkeep.publication(source);
        StartCheck.Findings checked =
                StartCheck.of(publication, upkeep.ask(around.destination()::tables), around.settings());
        checked.report().forEach(problem -> LOG.log(Level.ERROR, "{0}", problem));
        checked.requireNone();
        checked.plans().forEach(plan -> around.notices().tellOf(plan, plan.matchToday()));
        checked.warnings().forEach(around.notices()::tell);
        SourceIdentity identity = source.identity();
        SlotStatus slot = own(source);
        StateStore.Known known = around.store().read();
        boolean begun = known.state().isEmpty()
                && (!(slot instanceof SlotStatus.Missing) || pipeline.hasTakenAny(checked.plans()));
        if (known.leftBehind(begun)) around.ghosts().inherited(around.now());
        known.state().filter(_ -> !known.ours()).ifPresent(around.counts()::inherit);
        PipelineStats life = pipeline.quiet();
        List<TableEdition> editions = editions(checked.plans());
        Lsn seenAt = around.source().insertedWal();
        Map<FelderaName, Counted> counts = warm(checked.plans(), life);
        var found = new StartPlan.Found(
                known.state(),
                identity,
                slot,
                around.source().walEnd(),
                around.destination().address(),
                life.incarnation(),
                life.fresh(),
                around.settings().snapshotMode(),
                around.settings().mends(),
                checked.plans().stream()
                        .map(table -> subject(table, life, counts, known.state(), editions))
                        .toList());
        StartPlan plan = MergeCheck.of(StartPlan.decide(found), found, checked.plans());
        return new Looked(identity, slot, life, counts, known.state(), checked.plans(), editions, seenAt, plan);
    }

    private List<TableEdition> editions(List<TablePlan> plans) {
        return around.source().editions(plans.stream().map(TablePlan::postgres).toList());
    }

    /** From here on the slot is this session's, if it is one that can be used. */
    private SlotStatus own(SourceSession source) {
        SlotStatus slot = source.slot();
        if (!(slot instanceof SlotStatus.Usable usable)) return slot;
        return new SlotStatus.Usable(source.start(), usable.restart(), usable.activePid());
    }

    /**
     * An empty array on every endpoint: creates it, one after the other (feldera.md §1.3), and tells what it has
     * counted. A token that cannot be read is no error (feldera.md §2): then {@code /stats} tells the most that it can
     * be.
     */
    private Map<FelderaName, Counted> warm(List<TablePlan> plans, PipelineStats life) {
        Map<FelderaName, Counted> counts = new LinkedHashMap<>();
        for (TablePlan plan : plans) {
            FelderaName table = plan.feldera().name();
            Counted counted = warmed(table)
                    .mark()
                    .map(mark -> counted(mark, life))
                    .orElseGet(() -> new Counted(life.mostOperations(table), false));
            counts.put(table, counted);
        }
        return counts;
    }

    private CompletionToken warmed(FelderaName table) {
        return switch (upkeep.ask(() -> around.destination().post(TableBody.empty(table)))) {
            case IngressReply.Accepted(var token) -> token;
            case IngressReply.Rejected(String what) ->
                throw new SessionOver(new Failure.Permanent(
                        ExitCode.PROTOCOL,
                        "Feldera rejected an empty array for table %s: %s".formatted(table, what),
                        "Look at the pipeline's log."));
            case IngressReply.NotNow(var problem) ->
                throw new SessionOver(Failure.peer(problem.toString(), "Wait, or look at the pipeline."));
            case IngressReply.Refused(var problem) -> throw new SessionOver(FailurePolicy.ofSink(problem));
            case IngressReply.Unknown(var problem) -> // an empty array has no effect to wait out
                throw new SessionOver(Failure.peer(problem.toString(), "Look at the pipeline: it may be paused."));
        };
    }

    private static Counted counted(CompletionToken.Mark mark, PipelineStats life) {
        if (mark.incarnation().equals(life.incarnation())) return new Counted(mark.count(), true);
        throw new SessionOver(Failure.peer("the pipeline was restarted while the session began", "Nothing."));
    }

    private StartPlan.Subject subject(
            TablePlan plan,
            PipelineStats life,
            Map<FelderaName, Counted> counts,
            Optional<ReplicationState> before,
            List<TableEdition> editions) {
        FelderaName table = plan.feldera().name();
        Counted counted = Optional.ofNullable(counts.get(table)).orElseThrow();
        boolean accounted = around.counts().accountFor(life.incarnation(), table, counted);
        int oid = plan.shape().oid();
        Optional<EditionRead> read = before.flatMap(state -> state.table(oid)).flatMap(ReplicationState.Table::edition);
        var leftovers = Leftovers.of(plan, read, editionOf(plan.postgres(), editions));
        return new StartPlan.Subject(plan.postgres(), oid, table, counted.operations(), accounted, leftovers);
    }

    /** @param started the source streams already */
    private SessionEnd carryOut(Looked looked, SourceSession source, boolean started, StateStore.Turn turn) {
        ReplicationState from = switch (looked.plan()) {
            case StartPlan.Refuse(String what, String remedy) ->
                throw new SessionOver(new Failure.Misconfigured(ExitCode.CONFIGURATION, what, remedy));
            case StartPlan.Doubt(ReplicationState durable, String what, String remedy) -> {
                around.store().write(durable);
                throw new SessionOver(new Failure.Misconfigured(ExitCode.CONFIGURATION, what, remedy));
            }
            case StartPlan.CreateSlot create -> createSlot(looked, source, create);
            case StartPlan.UseSlot use -> useSlot(looked, source, use);
        };
        if (!started) requireNotAhead(source.start(), from);
        upkeep.streams();
        turn.close(); // a second instance learns from the slot that it has to wait
        return Streaming.stream(around, source, from, looked.plans());
    }

    /** Own first, look second (R2). */
    private static void requireNotAhead(Lsn slotAt, ReplicationState from) {
        if (!slotAt.isAfter(from.confirmed())) return;
        throw new SessionOver(Failure.peer(
                "slot %s moved to %s while the session began"
                        .formatted(from.origin().slot(), slotAt),
                "Find out who else uses the slot."));
    }

    private ReplicationState createSlot(Looked looked, SourceSession source, StartPlan.CreateSlot plan) {
        around.store().requireWritable();
        if (looked.slot() instanceof SlotStatus.Lost(String why)) {
            source.dropSlot();
            LOG.log(
                    Level.INFO,
                    "dropped slot name={0} why=\"{1}\"",
                    looked.identity().slot(),
                    why);
        }
        return switch (plan.mode()) {
            case INITIAL -> copiedAtSlot(looked, source, plan);
            case NEVER -> begin(looked, createdAlone(looked, source), plan.tables());
            case INCONSISTENT -> copiedBeforeSlot(looked, source, plan);
        };
    }

    private Lsn createdAlone(Looked looked, SourceSession source) {
        Lsn at = upkeep.created(source, source::createSlotWithoutSnapshot);
        sayCreated(looked, at);
        return at;
    }

    private static void sayCreated(Looked looked, Lsn at) {
        LOG.log(Level.INFO, "created slot name={0} lsn={1}", looked.identity().slot(), at);
    }

    private ReplicationState copiedAtSlot(Looked looked, SourceSession source, StartPlan.CreateSlot plan) {
        try (Snapshot snapshot = unaltered(upkeep.created(source, source::createSlot), looked)) {
            sayCreated(looked, snapshot.consistentPoint());
            requireSameShapes(source, looked);
            ReplicationState from = begin(looked, snapshot.consistentPoint(), plan.tables());
            return Copying.copy(around, source, snapshot, from, plan.tables(), looked.plans());
        }
    }

    /** Loses what is committed after the snapshot and before the slot, on purpose. */
    private ReplicationState copiedBeforeSlot(Looked looked, SourceSession source, StartPlan.CreateSlot plan) {
        try (Snapshot snapshot = unaltered(upkeep.created(source, source::snapshotBesideSlot), looked)) {
            requireSameShapes(source, looked);
            ReplicationState from = begin(looked, snapshot.consistentPoint(), plan.tables());
            ReplicationState copied = Copying.copy(around, source, snapshot, from, plan.tables(), looked.plans());
            Lsn slotAt = createdAlone(looked, source);
            LOG.log(
                    Level.WARNING,
                    "lost what was committed after={0} up_to={1} setting=snapshot.mode",
                    snapshot.consistentPoint(),
                    slotAt);
            ReplicationState state = copied.at(new Mark(slotAt, Map.of()));
            around.store().write(state);
            return state;
        }
    }

    private ReplicationState useSlot(Looked looked, SourceSession source, StartPlan.UseSlot plan) {
        ReplicationState from = begin(looked, plan.resumeAt(), plan.tables());
        if (!plan.copiesBesideSlot()) return from;
        try (Snapshot snapshot = unaltered(upkeep.created(source, source::snapshotBesideSlot), looked)) {
            requireSameShapes(source, looked);
            return Copying.copy(around, source, snapshot, from, plan.tables(), looked.plans());
        }
    }

    private Snapshot unaltered(Snapshot snapshot, Looked looked) {
        return new UnalteredSnapshot(snapshot, around.source(), looked.editions());
    }

    /**
     * The plan may be older than the snapshot by all that was waited for: a column added meanwhile would be left out of
     * the copy, and the stream does not bring it for rows that the copy has. Nor would a partition that came meanwhile
     * be known to be one.
     */
    private void requireSameShapes(SourceSession source, Looked looked) {
        List<TableShape> now = upkeep.publication(source).tables();
        for (TablePlan plan : looked.plans()) {
            boolean same = now.stream().anyMatch(plan::isStillOf);
            if (!same) throw altered("table " + plan.postgres());
        }
        if (!editions(looked.plans()).equals(looked.editions()))
            throw altered("the publication, or partitions of a table");
    }

    /**
     * Of a row that is read from a table: COPY prints the fields that a composite has now, whatever the snapshot is.
     */
    static RuntimeException ofCopied(RowRefused refused) {
        return refused.isOutdated()
                ? altered("a composite in " + refused.finding().what())
                : refused;
    }

    /** Something that a copy rests on; the next session looks at it anew. */
    static SessionOver altered(String what) {
        return new SessionOver(Failure.peer(
                "%s was altered while the session began".formatted(what), "Nothing: the next session looks again."));
    }

    /** The life, and what is pending in it, are durable before the first row goes into it (R3). */
    private ReplicationState begin(Looked looked, Lsn resumeAt, List<StartPlan.Begin> begins) {
        around.counts().begin(looked.life().incarnation(), looked.counts());
        List<ReplicationState.Table> tables = new ArrayList<>();
        for (StartPlan.Begin begin : begins) {
            tables.add(begin.recorded(resumeAt).of(edition(begin, looked)));
            RelationName name = begin.table().postgres();
            around.board().of(name).standsAt(begin.how().copies() ? TableState.PENDING : TableState.STREAMING);
            begin.how()
                    .whyAgain()
                    .ifPresent(why -> LOG.log(Level.WARNING, "copying again table={0} why=\"{1}\"", name, why));
        }
        ReplicationState state = new ReplicationState(
                        ReplicationState.Origin.of(looked.identity()),
                        new ReplicationState.Target(
                                around.destination().address(), looked.life().incarnation()),
                        false,
                        resumeAt,
                        List.copyOf(tables))
                .counting(around.counts());
        around.store().write(state);
        around.catalog().begin(looked.plans(), state, looked.editions());
        return state;
    }

    private static TableEdition editionOf(RelationName table, List<TableEdition> editions) {
        return editions.stream()
                .filter(edition -> edition.name().equals(table))
                .findFirst()
                .orElseThrow(() -> altered("table " + table));
    }

    /** The one that was read, of a table that goes on; else the one of now, of which it is read next. */
    private static EditionRead edition(StartPlan.Begin begin, Looked looked) {
        RelationName name = begin.table().postgres();
        TableEdition now = editionOf(name, looked.editions());
        Optional<ReplicationState.Table> before = looked.before()
                .filter(state -> state.origin().timeline() == looked.identity().timeline())
                .flatMap(state -> state.table(begin.table().oid()));
        EditionRead anew = EditionRead.begun(now, before, looked.seenAt());
        return switch (begin.how()) {
            case StartPlan.How.Continue _ ->
                before.flatMap(ReplicationState.Table::edition)
                        .map(read -> read.seeing(now).seeingKeys(now, looked.seenAt()))
                        .orElse(anew);
            case StartPlan.How.Copy _, StartPlan.How.CopyAgain _, StartPlan.How.Merge _, StartPlan.How.StreamOnly() ->
                anew;
        };
    }
}
