package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import tidemark.replication.SourceFailure;
import tidemark.replication.SourceIdentity;

/**
 * Runs one session after another until a stop was asked for, patience is at its end, or only a person can help.
 *
 * <p>{@link #run()} is called once, on the connector's thread; both {@code interrupt} from any. A crash at any moment
 * loses nothing: the slot replays from what was confirmed.
 */
final class Sessions {
    private static final Logger LOG = System.getLogger("tidemark.delivery");

    private final Surroundings around;
    private volatile Optional<Session> current = Optional.empty();

    Sessions(Surroundings around) {
        this.around = around;
    }

    /** Returns when nothing more will be done, with the code the process should end with. */
    ExitCode run() {
        ExitCode end = sessions();
        around.comparisons().giveUp("the service has ended");
        if (end == ExitCode.DRAINED) leaveClean();
        return end;
    }

    /** What ended between two sessions, or before one streamed, left nothing behind either. */
    private void leaveClean() {
        try {
            StateStore.Known known = around.store().read();
            if (!known.ours() || !around.ghosts().leavesNothing(around.now())) return;
            known.state()
                    .filter(state -> !state.clean()
                            && around.counts().isExact(state.target().incarnation()))
                    .ifPresent(state ->
                            around.store().write(state.counting(around.counts()).stoppedClean(true)));
        } catch (UnreadableState | SessionOver e) {
            LOG.log(
                    Level.INFO,
                    "state stays unclean why=\"{0}\"",
                    FailurePolicy.of(e).what());
        }
    }

    private ExitCode sessions() {
        while (true) {
            Session next = new Session(around);
            current = Optional.of(next);
            try {
                switch (next.run()) {
                    case STOPPED -> {
                        return ExitCode.DRAINED;
                    }
                    case GOES_BACK -> {}
                }
            } catch (StoppedEarly _) {
                return ExitCode.DRAINED;
            } catch (RuntimeException e) {
                Optional<ExitCode> end = around.stopAsked().getAsBoolean()
                        ? Optional.of(whileStopping(e))
                        : afterFailure(failure(next, e));
                if (end.isPresent()) return end.get();
            }
        }
    }

    /** The stop that was asked for does not wait for what only the session under way waits for. */
    void interrupt() {
        current.ifPresent(Session::interrupt);
    }

    /** Ends a session that waits in vain and does not stream yet. Returns why, if that is news to one. */
    Optional<Failure> interrupt(Function<SourceIdentity, Failure> why) {
        return current.flatMap(session -> session.interrupt(why));
    }

    /** A stop that could not drain says so: what is not confirmed is replayed. */
    private ExitCode whileStopping(RuntimeException thrown) {
        return around.board().isStreaming() ? ended(FailurePolicy.of(thrown)) : ExitCode.DRAINED;
    }

    /** Why the session was interrupted, if it was, and not what came of that: a connection that is closed. */
    private Failure failure(Session session, RuntimeException thrown) {
        Failure failure = FailurePolicy.of(thrown, around.settings().mends());
        boolean mayComeOfIt = thrown instanceof SourceFailure || failure instanceof Failure.Transient;
        return session.interruption().filter(_ -> mayComeOfIt).orElse(failure);
    }

    /** Empty: another session is due, and its time has come. */
    private Optional<ExitCode> afterFailure(Failure failure) {
        around.board().failed(failure.what());
        around.comparisons().giveUp("the session ended: " + failure.what());
        return switch (failure) {
            case Failure.Permanent _, Failure.Misconfigured _ -> Optional.of(ended(failure));
            case Failure.Transient passing ->
                switch (around.patience().after(passing, around.now())) {
                    case Patience.Next.Retry(Duration after) -> backOff(passing, after);
                    case Patience.Next.GiveUp(ExitCode exit, Duration failing) -> {
                        giveUp(passing, failing, "");
                        yield Optional.of(exit);
                    }
                    case Patience.Next.BrokenOff(int times, Duration within) -> {
                        giveUp(passing, within, " broken_off=" + times);
                        yield Optional.of(ExitCode.UNREACHABLE);
                    }
                };
        };
    }

    private static void giveUp(Failure.Transient last, Duration after, String more) {
        LOG.log(
                Level.ERROR,
                "giving up after_ms={0}{1} why=\"{2}\" remedy=\"{3}\"",
                Long.toString(after.toMillis()),
                more,
                last.what(),
                last.remedy());
    }

    private Optional<ExitCode> backOff(Failure.Transient passing, Duration wait) {
        LOG.log(
                Level.WARNING,
                "session ended why=\"{0}\" remedy=\"{1}\" retry_in_ms={2}",
                passing.what(),
                passing.remedy(),
                Long.toString(wait.toMillis()));
        around.board().phase(Phase.BACKING_OFF, passing.what());
        return around.pause().test(wait) ? Optional.of(ExitCode.DRAINED) : Optional.empty();
    }

    private static ExitCode ended(Failure failure) {
        LOG.log(Level.ERROR, "{0}", closing(failure));
        return exit(failure);
    }

    /** The line of the log that says why nothing goes on. */
    static String closing(Failure failure) {
        return "stopping exit=%d why=\"%s\" remedy=\"%s\""
                .formatted(exit(failure).code(), failure.what(), failure.remedy());
    }

    private static ExitCode exit(Failure failure) {
        return switch (failure) {
            case Failure.Transient _ -> ExitCode.TEMPORARY;
            case Failure.Permanent permanent -> permanent.exit();
            case Failure.Misconfigured misconfigured -> misconfigured.exit();
        };
    }
}
