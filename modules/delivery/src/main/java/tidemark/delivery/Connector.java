package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.replication.ChangeSource;
import tidemark.replication.SlotStatus;
import tidemark.replication.SourceFailure;
import tidemark.replication.SourceIdentity;
import tidemark.sink.Destination;

/**
 * Gives {@link Sessions} their threads, clock and disk, and watches the server beside them.
 *
 * <p>{@link #run()} is called once, on the thread that then owns everything; everything else from any thread. A crash
 * at any moment loses nothing: the slot replays from what was confirmed, and nothing is confirmed before it is settled
 * and on disk.
 */
public final class Connector {
    private static final Logger LOG = System.getLogger("tidemark.delivery");
    /** The server's positions are for people and alerts: fresh enough, and two small queries. */
    private static final Duration LOOK_AT_SERVER_EVERY = Duration.ofSeconds(2);
    /** Three looks that were given up after 10 s each. A stream has pings of its own. */
    private static final Duration SERVER_GONE_AFTER = Duration.ofSeconds(30);

    private final DeliverySettings settings;
    private final ChangeSource source;
    private final Destination destination;
    private final RandomGenerator random;
    private final CrashKit crash;
    private final LongSupplier nanos;
    private final StatusBoard board;
    private final CatalogWatch catalog;
    private final Comparisons comparisons = new Comparisons();
    private final Resyncs resyncs;
    private final CountDownLatch stopAsked = new CountDownLatch(1);
    private volatile Optional<Sessions> sessions = Optional.empty();

    /**
     * @param clock for the times that people are shown
     * @param random for the jitter of the backoff
     */
    public Connector(
            DeliverySettings settings,
            ChangeSource source,
            Destination destination,
            InstantSource clock,
            RandomGenerator random) {
        this(settings, source, destination, clock, random, CrashKit.none());
    }

    public Connector(
            DeliverySettings settings,
            ChangeSource source,
            Destination destination,
            InstantSource clock,
            RandomGenerator random,
            CrashKit crash) {
        this(settings, source, destination, clock, random, crash, System::nanoTime);
    }

    Connector(
            DeliverySettings settings,
            ChangeSource source,
            Destination destination,
            InstantSource clock,
            RandomGenerator random,
            CrashKit crash,
            LongSupplier nanos) {
        this.settings = settings;
        this.source = source;
        this.destination = destination;
        this.random = random;
        this.crash = crash;
        this.nanos = nanos;
        this.board = new StatusBoard(settings.routes(), clock);
        this.resyncs = new Resyncs(settings, board, clock);
        this.catalog = new CatalogWatch(source, board, DriftRemedy.of(settings, resyncs, clock), clock);
    }

    /** Returns when nothing more will be done, with the code the process should end with. */
    public ExitCode run() {
        if (settings.ackMode() == DeliverySettings.AckMode.ACCEPTED) {
            LOG.log(
                    Level.WARNING,
                    "feldera.ack-mode=accepted confirms what Feldera has only queued: a crash of the pipeline then loses rows for ever");
        }
        if (settings.snapshotMode() == DeliverySettings.SnapshotMode.INCONSISTENT) {
            LOG.log(
                    Level.WARNING,
                    "snapshot.mode=inconsistent copies the tables before there is a slot: what is committed in between is lost for ever");
        }
        var stateFile = new StateFile(settings.stateFile());
        stateFile
                .fleetingFileSystem()
                .ifPresent(type -> LOG.log(
                        Level.WARNING,
                        "state.file may not survive a restart path={0} file_system={1} remedy=\"mount a volume for its directory\"",
                        settings.stateFile(),
                        type));
        crash.announce();
        ExitCode code = runSessions(stateFile);
        board.ended(code);
        return code;
    }

    private ExitCode runSessions(StateFile stateFile) {
        GhostWatch ghosts = new GhostWatch(settings.requestLimit());
        EndpointCounts counts = new EndpointCounts();
        Thread monitor = Thread.ofVirtual().name("tidemark-monitor").start(this::watchServer);
        Thread watch = Thread.ofVirtual().name("tidemark-catalog-watch").start(this::watchCatalog);
        try (Workers workers = new VirtualThreads()) {
            sessions = Optional.of(new Sessions(new Surroundings(
                    settings,
                    source,
                    destination,
                    RowPolicy.of(settings, board.nulled()),
                    new Notices(),
                    stateFile,
                    new Errands(workers, ghosts, counts, nanos),
                    ghosts,
                    counts,
                    new Patience(settings.giveUpAfter(), settings.slotBusyLimit(), random),
                    board,
                    catalog,
                    comparisons,
                    resyncs,
                    crash,
                    nanos,
                    this::isStopAsked,
                    this::pause,
                    random)));
            return sessions.get().run();
        } finally {
            monitor.interrupt();
            watch.interrupt();
        }
    }

    /**
     * Keeps {@code /status} and the metrics fresh; never in the way of the session. Ends one that waits for a server
     * which nobody can reach any more, as a COPY has no time-out of its own and may wait for a lock for hours; and one
     * that copies for a slot that is no more.
     */
    private void watchServer() {
        long seenNanos = nanos.getAsLong();
        Optional<SlotSeen> before = Optional.empty(); // by the last look, if this session copied then
        while (!pause(LOOK_AT_SERVER_EVERY)) {
            long session = board.sessions();
            boolean copying = board.isCopying();
            before = before.filter(seen -> copying && seen.session() == session);
            try {
                SlotStatus now = source.slot();
                if (copying && isLost(before, now)) endInVain(slot -> FailurePolicy.ofSlot(slot, now));
                before = now instanceof SlotStatus.Usable(Lsn at, var _, var _) && copying
                        ? Optional.of(new SlotSeen(session, at))
                        : Optional.empty();
                if (now instanceof SlotStatus.Usable usable) {
                    board.serverStands(source.walEnd(), usable);
                    board.walRoom(source.walRoom());
                }
                seenNanos = nanos.getAsLong();
            } catch (SourceFailure e) {
                LOG.log(Level.DEBUG, "server not seen why=\"{0}\"", e.getMessage());
                if (nanos.getAsLong() - seenNanos < SERVER_GONE_AFTER.toNanos()) continue;
                seenNanos = nanos.getAsLong();
                endInVain(_ -> FailurePolicy.ofSilence(SERVER_GONE_AFTER, e));
            } catch (RuntimeException e) { // of whatever kind: it does not end the watching
                LOG.log(
                        Level.WARNING,
                        "server not seen why=\"{0}\"",
                        FailurePolicy.of(e).what());
            }
        }
    }

    /**
     * Nobody streams from the slot while tables are copied; a server that crashed may put it back. An inconsistent copy
     * may come before the slot, which is missing then.
     */
    private boolean isLost(Optional<SlotSeen> before, SlotStatus now) {
        return switch (now) {
            case SlotStatus.Usable(Lsn at, var _, var _) ->
                before.filter(seen -> at.isAfter(seen.position())).isPresent();
            case SlotStatus.Lost _ -> true;
            case SlotStatus.Missing _, SlotStatus.HalfMade _, SlotStatus.Foreign _ ->
                before.isPresent() || settings.snapshotMode() != SnapshotMode.INCONSISTENT;
        };
    }

    private record SlotSeen(long session, Lsn position) {}

    /** Of a session that does not stream yet, and waits for what nobody will give it. */
    private void endInVain(Function<SourceIdentity, Failure> why) {
        sessions.flatMap(all -> all.interrupt(why))
                .ifPresent(failure -> LOG.log(
                        Level.WARNING,
                        "ending session phase={0} why=\"{1}\"",
                        board.picture().phase(),
                        failure.what()));
    }

    private void watchCatalog() {
        while (!pause(settings.driftInterval())) catalog.look();
    }

    /** Returns whether a stop was asked for meanwhile. */
    private boolean pause(Duration wait) {
        try {
            return stopAsked.await(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private boolean isStopAsked() {
        return stopAsked.getCount() == 0;
    }

    /** Asks for a drained stop: stop reading, settle what is in flight, confirm, return from {@link #run()}. */
    public void stop() {
        stopAsked.countDown();
        sessions.ifPresent(Sessions::interrupt);
    }

    /**
     * Begins to compare a table with Feldera's beside the stream, or goes on with that if it has begun (docs/adr/0018).
     * What comes of it, {@link #verified} tells.
     */
    public VerifyState verify(RelationName table) {
        ConnectorStatus now = board.picture();
        return comparisons.ask(
                table, board.isStreaming() ? Optional.empty() : Optional.of("the service is " + now.phase()));
    }

    /** Empty if none was asked for since this process began. */
    public Optional<VerifyState> verified(RelationName table) {
        return comparisons.of(table);
    }

    /**
     * Asks for the table to be read again, and mended where it differs, while the others stream (docs/adr/0017). From
     * any thread; what becomes of it is in {@link #status()}.
     */
    public ResyncReply resync(RelationName table) {
        return resyncs.request(table);
    }

    /** Has a table not be read again after all, as long as nothing of it was changed. From any thread. */
    public CancelReply cancelResync(RelationName table) {
        return resyncs.cancel(table);
    }

    public ConnectorStatus status() {
        return board.picture();
    }
}
