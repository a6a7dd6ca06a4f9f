package tidemark.replication;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import tidemark.replication.SourceFailure.Kind;

/**
 * One wait of a backend for others' transactions: sees whom it waits for, says so in the log, and ends it when patience
 * is over, by cancelling what runs there.
 *
 * <p>{@link #look} and {@link #giveUp} are called by alarms, {@link #over} by the thread that waits; what is last seen
 * may be read by any.
 */
final class BackendWait {
    /** So many looks at the same transactions are one line in the log: a minute. */
    private static final int LOOKS_A_LINE = 6;

    private static final String UNKNOWN = "unknown";

    private static final System.Logger LOG = System.getLogger(BackendWait.class.getName());

    private final SessionConnections connections;
    private final Connection waiting;
    private final int pid;
    private final Duration patience;
    private final Awaited awaited;
    private volatile Optional<Blockers> seen = Optional.empty();
    /** Of the alarm that looks. */
    private Optional<String> said = Optional.empty();

    private int looksSinceSaid;
    private boolean over;
    private boolean gaveUp;

    BackendWait(SessionConnections connections, Connection waiting, int pid, Duration patience, Awaited awaited) {
        this.connections = connections;
        this.waiting = waiting;
        this.pid = pid;
        this.patience = patience;
        this.awaited = awaited;
    }

    void look() {
        if (!see()) return;
        Optional<String> whom =
                seen.map(now -> awaited.whom(now).or(awaited::nobody)).orElse(Optional.of(UNKNOWN));
        String who = seen.map(Blockers::who).orElse(UNKNOWN);
        if (whom.isEmpty() || (said.equals(Optional.of(who)) && ++looksSinceSaid < LOOKS_A_LINE)) return;
        said = Optional.of(who);
        looksSinceSaid = 0;
        tell("for=\"%s\"".formatted(whom.get()));
    }

    private void tell(String what) {
        LOG.log(Level.WARNING, "%s=%s %s".formatted(awaited.line(), Integer.toString(pid), what));
    }

    /** Returns whether it still waited. */
    private boolean see() {
        try {
            return saw(Optional.of(Blockers.of(connections, pid)));
        } catch (SQLException | SourceFailure e) {
            boolean waits = saw(Optional.empty());
            if (waits) tell("for=unknown error=" + e.getClass().getSimpleName());
            return waits;
        }
    }

    /** What a look finds that takes longer than the wait is of no time in particular. */
    private synchronized boolean saw(Optional<Blockers> now) {
        if (over || gaveUp) return false;
        seen = now;
        return true;
    }

    /** Whom it waits for, as last seen. Empty: nobody that is known. */
    Optional<String> waitsFor() {
        return seen.flatMap(awaited::whom);
    }

    /** To be called again while what runs does not end: a cancel request may have got lost. */
    void giveUp() {
        see();
        cancel();
    }

    /** Under the lock that {@link #over} takes: a cancel request never reaches a later command. */
    private synchronized void cancel() {
        if (over) return;
        gaveUp = true;
        SessionConnections.cancel(waiting);
    }

    /** What ran has ended. */
    synchronized void over() {
        over = true;
    }

    /** What ran has failed; returns why, if it was ended here. */
    synchronized Optional<SourceFailure> over(Exception e) {
        over();
        return gaveUp ? Optional.of(inVain(e)) : Optional.empty();
    }

    private SourceFailure inVain(Exception e) {
        String whom = seen.map(last -> awaited.whom(last).orElse("nobody that PostgreSQL names"))
                .orElse("others, whom PostgreSQL did not tell");
        return new SourceFailure(Kind.TRANSIENT, awaited.inVain(patience, whom), awaited.remedy(seen), e);
    }
}
