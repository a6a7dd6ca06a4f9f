package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tidemark.decode.Lsn;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceIdentity;
import tidemark.replication.SourceSession;
import tidemark.sink.FelderaName;
import tidemark.sink.IngressReply;
import tidemark.sink.PipelineStats;
import tidemark.sink.PipelineStatus;
import tidemark.sink.TableBody;

/**
 * One session, from the first look at both ends to the last status reply: looks, waits out what an earlier process may
 * have left, plans, copies, streams. What to do is decided by {@link StartCheck}, {@link StartPlan} and
 * {@link DeliveryCore}.
 *
 * <p>Runs on the connector's thread. Ends by {@link SessionOver} or another failure, or returns when drained.
 */
final class Session {
    private static final Logger LOG = System.getLogger("tidemark.delivery");
    /** Between two looks at whether to go on waiting. */
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    private final Surroundings around;
    private volatile Optional<SourceSession> notStreaming = Optional.empty();

    Session(Surroundings around) {
        this.around = around;
    }

    /**
     * From any thread: before it streams a session has nothing to drain, and may wait for PostgreSQL as long as
     * somebody else's transaction is open: for its slot, or for the lock on a table to look at or to copy.
     */
    void interrupt() {
        notStreaming.ifPresent(SourceSession::close);
    }

    void run() {
        waitOutGhosts();
        around.board().phase("connecting");
        Optional<ReplicationState> known = around.file().read();
        PipelineStats life = lookAtPipeline();
        try (SourceSession source = around.source().open()) {
            around.board().sessionBegan();
            notStreaming = Optional.of(source);
            around.stopHere(); // asked for before it could be interrupted
            run(source, life, known);
        }
    }

    private void run(SourceSession source, PipelineStats life, Optional<ReplicationState> known) {
        around.board().phase("checking");
        StartCheck.Findings checked =
                StartCheck.of(source.publication(), around.destination().tables(), around.settings());
        refuse(checked.problems());
        checked.warnings().forEach(warning -> LOG.log(Level.WARNING, "{0}", warning));
        List<TablePlan> plans = checked.plans();
        SourceIdentity identity = source.identity();
        StartPlan plan = StartPlan.decide(new StartPlan.Found(
                known,
                identity,
                source.slot(),
                around.source().walEnd(),
                around.destination().address(),
                life.incarnation(),
                life.fresh(),
                around.settings().snapshotMode(),
                subjects(plans, warm(plans, life.incarnation()))));
        ReplicationState from = switch (plan) {
            case StartPlan.Refuse(String what, String remedy) ->
                throw new SessionOver(new Failure.Misconfigured(ExitCode.CONFIGURATION, what, remedy));
            case StartPlan.CreateSlot create -> createSlot(source, identity, life, create, plans);
            case StartPlan.UseSlot use -> useSlot(source, identity, life, use, plans);
        };
        notStreaming = Optional.empty();
        around.stopHere(); // asked for while it could be: from here on a stop drains
        Streaming.stream(around, source, from, plans);
    }

    private PipelineStats lookAtPipeline() {
        PipelineStatus pipeline = around.destination().pipeline();
        if (!pipeline.isRunning()) {
            throw waiting("%s (program %s)".formatted(pipeline.deploymentStatus(), pipeline.programStatus()));
        }
        PipelineStats life = around.destination().stats(); // the descriptor lags behind the process
        if (!life.isRunning()) throw waiting(life.state());
        return life;
    }

    private SessionOver waiting(String state) {
        String what = "the pipeline is " + state;
        around.board().phase("connecting", what);
        return new SessionOver(Failure.peer(what, "Start the pipeline: Tidemark waits for it and never starts it."));
    }

    private static void refuse(List<Finding> problems) {
        if (problems.isEmpty()) return;
        throw new SessionOver(new Failure.Misconfigured(
                ExitCode.CONFIGURATION,
                "%d problem(s) before streaming:%n  - %s"
                        .formatted(
                                problems.size(),
                                problems.stream().map(Finding::toString).collect(Collectors.joining("\n  - "))),
                "Each line names its own."));
    }

    /** Nothing is sent before everything sent earlier has taken effect or cannot any more (design §5, R7). */
    private void waitOutGhosts() {
        while (!around.errands().settled(LOOK_EVERY)) {
            around.board().phase("quieting", "the end of requests of the session before");
            around.stopHere();
        }
        Duration left = around.ghosts().quietLeft(around.now());
        if (left.isZero()) return;
        LOG.log(
                Level.INFO,
                "quieting for_ms={0} reason=\"a request sent earlier may still take effect\"",
                Long.toString(left.toMillis()));
        around.board().phase("quieting", "requests sent earlier, which may still take effect");
        while (!left.isZero()) {
            around.stopHere();
            lookAtPipelineWhileQuiet();
            around.errands().next(left.compareTo(LOOK_EVERY) < 0 ? left : LOOK_EVERY);
            left = around.ghosts().quietLeft(around.now());
        }
    }

    /**
     * Only a running pipeline lets a blocked request through: any other moment restarts the clock (counters.md,
     * algorithm 2).
     */
    private void lookAtPipelineWhileQuiet() {
        try {
            lookAtPipeline();
        } catch (RuntimeException e) {
            around.ghosts().inherited(around.now());
            throw e;
        }
    }

    /**
     * An empty array on every endpoint: creates it, one after the other (feldera.md §1.3), and tells what it has
     * counted.
     */
    private Map<FelderaName, Long> warm(List<TablePlan> plans, String incarnation) {
        Map<FelderaName, Long> counts = new HashMap<>();
        for (TablePlan plan : plans) {
            FelderaName table = plan.feldera().name();
            switch (around.destination().post(TableBody.empty(table))) {
                case IngressReply.Accepted(var token) ->
                    token.mark().ifPresent(mark -> {
                        if (!mark.incarnation().equals(incarnation)) {
                            throw new SessionOver(
                                    Failure.peer("the pipeline was restarted while the session began", "Nothing."));
                        }
                        counts.put(table, mark.count());
                    });
                case IngressReply.Rejected(String what) ->
                    throw new SessionOver(new Failure.Permanent(
                            ExitCode.PROTOCOL, "an empty array was rejected: " + what, "Look at the pipeline's log."));
                case IngressReply.NotNow(var problem) ->
                    throw new SessionOver(Failure.peer(problem.toString(), "Wait, or look at the pipeline."));
                case IngressReply.Refused(var problem) -> throw new SessionOver(FailurePolicy.ofSink(problem));
                case IngressReply.Unknown(var problem) -> // an empty array has no effect to wait out
                    throw new SessionOver(Failure.peer(problem.toString(), "Look at the pipeline: it may be paused."));
            }
        }
        return counts;
    }

    private static List<StartPlan.Subject> subjects(List<TablePlan> plans, Map<FelderaName, Long> counts) {
        return plans.stream()
                .map(plan -> new StartPlan.Subject(
                        plan.postgres(),
                        plan.shape().oid(),
                        plan.feldera().name(),
                        counts.getOrDefault(plan.feldera().name(), 0L)))
                .toList();
    }

    private ReplicationState createSlot(
            SourceSession source,
            SourceIdentity identity,
            PipelineStats life,
            StartPlan.CreateSlot plan,
            List<TablePlan> plans) {
        around.file().requireWritable();
        around.board().phase("creating-slot", "transactions older than the slot to end");
        if (!plan.copies()) {
            Lsn consistentPoint = source.createSlotWithoutSnapshot();
            return begin(identity, life, consistentPoint, plan.tables());
        }
        try (Snapshot snapshot = source.createSlot()) {
            LOG.log(Level.INFO, "created slot name={0} lsn={1}", identity.slot(), snapshot.consistentPoint());
            ReplicationState from = begin(identity, life, snapshot.consistentPoint(), plan.tables());
            return Copying.copy(around, snapshot, from, plan.tables(), plans);
        }
    }

    private ReplicationState useSlot(
            SourceSession source,
            SourceIdentity identity,
            PipelineStats life,
            StartPlan.UseSlot plan,
            List<TablePlan> plans) {
        ReplicationState from = begin(identity, life, plan.resumeAt(), plan.tables());
        if (plan.tables().stream().noneMatch(begin -> begin.how().copies())) return from;
        around.board().phase("creating-slot", "transactions older than the snapshot to end");
        try (Snapshot snapshot = source.snapshotBesideSlot()) {
            return Copying.copy(around, snapshot, from, plan.tables(), plans);
        }
    }

    /** The life, and what is pending in it, are durable before the first row goes into it (R3). */
    private ReplicationState begin(
            SourceIdentity identity, PipelineStats life, Lsn resumeAt, List<StartPlan.Begin> begins) {
        List<ReplicationState.Table> tables = new ArrayList<>();
        for (StartPlan.Begin begin : begins) {
            tables.add(begin.recorded(resumeAt));
            around.board().of(begin.table().postgres()).standsAt(begin.how().copies() ? "pending" : "streaming");
        }
        ReplicationState state = new ReplicationState(
                ReplicationState.Origin.of(identity),
                new ReplicationState.Target(around.destination().address(), life.incarnation()),
                false,
                resumeAt,
                List.copyOf(tables));
        around.file().write(state);
        return state;
    }
}
