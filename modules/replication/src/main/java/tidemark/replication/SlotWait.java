package tidemark.replication;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tidemark.replication.SourceFailure.Kind;

/**
 * One wait for a slot to exist: sees whom it waits for, says so in the log, and ends it when patience is over, by
 * cancelling the command, which leaves no slot behind.
 *
 * <p>{@link #look} and {@link #giveUp} are called by alarms, {@link #over} by the thread that waits; what is last seen
 * may be read by any.
 */
final class SlotWait {
    /** So many looks at the same transactions are one line in the log: a minute. */
    private static final int LOOKS_A_LINE = 6;

    static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

    private static final System.Logger LOG = System.getLogger(SlotWait.class.getName());

    private final SessionConnections connections;
    private final Connection walsender;
    private final int pid;
    private final Duration patience;
    private volatile Optional<List<OlderTransaction>> seen = Optional.empty();
    /** Of the alarm that looks. */
    private String said = "";

    private int looksSinceSaid;
    private boolean over;
    private boolean gaveUp;

    SlotWait(SessionConnections connections, Connection walsender, int pid, Duration patience) {
        this.connections = connections;
        this.walsender = walsender;
        this.pid = pid;
        this.patience = patience;
    }

    void look() {
        see();
        String who = seen.map(SlotWait::who).orElse("unknown");
        if (who.equals(said) && ++looksSinceSaid < LOOKS_A_LINE) return;
        said = who;
        looksSinceSaid = 0;
        LOG.log(
                Level.WARNING,
                "wait for older transactions before the slot exists walsender=%s for=\"%s\""
                        .formatted(Integer.toString(pid), inWords()));
    }

    private void see() {
        try {
            seen = Optional.of(OlderTransaction.waitedForBy(connections, pid));
        } catch (SQLException | SourceFailure e) {
            seen = Optional.empty();
            LOG.log(
                    Level.WARNING,
                    "wait before the slot exists walsender=%s for=unknown error=%s"
                            .formatted(Integer.toString(pid), e.getClass().getSimpleName()));
        }
    }

    private static String who(List<OlderTransaction> transactions) {
        return transactions.stream().map(OlderTransaction::who).collect(Collectors.joining(", "));
    }

    /** Whom it waits for, as last seen. Empty: nobody that the server names, as on a standby. */
    Optional<String> waitsFor() {
        return seen.filter(transactions -> !transactions.isEmpty()).map(OlderTransaction::inWords);
    }

    private String inWords() {
        return waitsFor().orElse("nobody that PostgreSQL names");
    }

    /** To be called again while the command does not end: a cancel request may have got lost. */
    void giveUp() {
        see();
        cancel();
    }

    /** Under the lock that {@link #over} takes: a cancel request never reaches a later command. */
    private synchronized void cancel() {
        if (over) return;
        gaveUp = true;
        SessionConnections.cancel(walsender);
    }

    /** The command has ended; returns why, if it was ended here. */
    synchronized Optional<SourceFailure> over(String attempted, SQLException e) {
        over();
        return gaveUp ? Optional.of(tooLong(attempted, e)) : Optional.empty();
    }

    /** The command has ended. */
    synchronized void over() {
        over = true;
    }

    private SourceFailure tooLong(String attempted, SQLException e) {
        return new SourceFailure(
                Kind.TRANSIENT,
                "%s: waited for %s for transactions older than it, at last for %s"
                        .formatted(attempted, patience, inWords()),
                OlderTransaction.END_THEM,
                e);
    }
}
