package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import tidemark.replication.ChangeSource;
import tidemark.replication.SlotStatus;
import tidemark.replication.SourceFailure;
import tidemark.sink.Destination;

/**
 * Runs sessions until it is stopped, gives up, or meets what only a person can mend.
 *
 * <p>{@link #run()} is called once, on the thread that then owns everything; {@link #stop()} and {@link #status()} from
 * any thread. A crash at any moment loses nothing: the slot replays from what was confirmed, and nothing is confirmed
 * before it is settled and on disk.
 */
public final class Connector {
    private static final Logger LOG = System.getLogger("tidemark.delivery");
    /** The server's positions are for people and alerts: fresh enough, and two small queries. */
    private static final Duration LOOK_AT_SERVER_EVERY = Duration.ofSeconds(2);

    private final DeliverySettings settings;
    private final ChangeSource source;
    private final Destination destination;
    private final RandomGenerator random;
    private final LongSupplier nanos;
    private final StatusBoard board;
    private final CountDownLatch stopAsked = new CountDownLatch(1);
    private volatile Optional<Session> session = Optional.empty();

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
        this(settings, source, destination, clock, random, System::nanoTime);
    }

    Connector(
            DeliverySettings settings,
            ChangeSource source,
            Destination destination,
            InstantSource clock,
            RandomGenerator random,
            LongSupplier nanos) {
        this.settings = settings;
        this.source = source;
        this.destination = destination;
        this.random = random;
        this.nanos = nanos;
        this.board = new StatusBoard(settings.routes(), clock);
    }

    /** Returns when nothing more will be done, with the code the process should end with. */
    public ExitCode run() {
        if (settings.ackMode() == DeliverySettings.AckMode.ACCEPTED) {
            LOG.log(
                    Level.WARNING,
                    "feldera.ack-mode=accepted confirms what Feldera has only queued: a crash of the pipeline then loses rows for ever");
        }
        ExitCode code = holdingTheState();
        board.ended(code);
        return code;
    }

    private ExitCode holdingTheState() {
        Optional<StateLock> lock;
        try {
            lock = StateLock.take(settings.stateFile());
        } catch (UnreadableState e) {
            return ended(FailurePolicy.of(e));
        }
        if (lock.isEmpty()) {
            return ended(new Failure.Transient(
                    "another Tidemark works with the state file " + settings.stateFile(),
                    "Stop the other one, or give this one a slot and a state.file of its own.",
                    true));
        }
        try (StateLock _ = lock.get()) {
            return runWith(new StateFile(settings.stateFile()));
        }
    }

    private ExitCode runWith(StateFile file) {
        RowPolicy rows = RowPolicy.of(settings, new NulledValues());
        GhostWatch ghosts = new GhostWatch(settings.requestLimit());
        Patience patience = new Patience(settings.giveUpAfter(), settings.slotBusyLimit(), random);
        Thread monitor = Thread.ofVirtual().name("tidemark-monitor").start(this::watchServer);
        try (Errands errands = new Errands(destination, file, ghosts, nanos)) {
            return runSessions(new Surroundings(
                    settings,
                    source,
                    destination,
                    rows,
                    file,
                    errands,
                    ghosts,
                    patience,
                    board,
                    nanos,
                    this::isStopAsked));
        } finally {
            monitor.interrupt();
        }
    }

    private ExitCode runSessions(Surroundings around) {
        try {
            boolean leftBehind =
                    around.file().read().filter(state -> !state.clean()).isPresent();
            if (leftBehind) around.ghosts().inherited(around.now());
        } catch (UnreadableState e) {
            return ended(FailurePolicy.of(e));
        }
        while (true) {
            Session next = new Session(around);
            session = Optional.of(next);
            try {
                next.run();
                return ExitCode.DRAINED;
            } catch (StoppedEarly _) {
                return ExitCode.DRAINED;
            } catch (RuntimeException e) {
                Optional<ExitCode> end =
                        isStopAsked() ? Optional.of(whileStopping(e)) : afterFailure(e, around.patience());
                if (end.isPresent()) return end.get();
            }
        }
    }

    /** A stop that could not drain says so: what is not confirmed is replayed. */
    private ExitCode whileStopping(RuntimeException thrown) {
        return board.isStreaming() ? ended(FailurePolicy.of(thrown)) : ExitCode.DRAINED;
    }

    /** Empty: another session is due, and its time has come. */
    private Optional<ExitCode> afterFailure(RuntimeException thrown, Patience patience) {
        Failure failure = FailurePolicy.of(thrown);
        board.failed(failure.what());
        return switch (failure) {
            case Failure.Permanent _, Failure.Misconfigured _ -> Optional.of(ended(failure));
            case Failure.Transient passing ->
                switch (patience.after(passing, nanos.getAsLong())) {
                    case Patience.Next.Retry(Duration after) -> {
                        LOG.log(
                                Level.WARNING,
                                "session ended why=\"{0}\" retry_in_ms={1}",
                                passing.what(),
                                Long.toString(after.toMillis()));
                        board.phase("backing-off", passing.what());
                        pause(after);
                        yield isStopAsked() ? Optional.of(ExitCode.DRAINED) : Optional.empty();
                    }
                    case Patience.Next.GiveUp(ExitCode exit, Duration failing) -> {
                        LOG.log(
                                Level.ERROR,
                                "giving up after_ms={0} why=\"{1}\" remedy=\"{2}\"",
                                Long.toString(failing.toMillis()),
                                passing.what(),
                                passing.remedy());
                        yield Optional.of(exit);
                    }
                };
        };
    }

    private static ExitCode ended(Failure failure) {
        ExitCode exit = switch (failure) {
            case Failure.Transient _ -> ExitCode.TEMPORARY;
            case Failure.Permanent permanent -> permanent.exit();
            case Failure.Misconfigured misconfigured -> misconfigured.exit();
        };
        LOG.log(
                Level.ERROR,
                "stopping exit={0} why=\"{1}\" remedy=\"{2}\"",
                exit.code(),
                failure.what(),
                failure.remedy());
        return exit;
    }

    /** Keeps {@code /status} and the metrics fresh; never in the way of the session. */
    private void watchServer() {
        while (!pause(LOOK_AT_SERVER_EVERY)) {
            try {
                if (source.slot() instanceof SlotStatus.Usable usable) {
                    board.serverStands(source.walEnd(), usable);
                }
            } catch (SourceFailure e) {
                LOG.log(Level.DEBUG, "server not seen why=\"{0}\"", e.getMessage());
            }
        }
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
        session.ifPresent(Session::interrupt);
    }

    public ConnectorStatus status() {
        return board.picture();
    }
}
