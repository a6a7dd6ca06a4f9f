package tidemark.replication;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyDual;
import tidemark.decode.Lsn;
import tidemark.replication.SourceFailure.Kind;
import tidemark.replication.SourceSession.Received;

/**
 * A running START_REPLICATION: frames in, status replies out. The slot moves by {@link #positions} and by nothing else.
 *
 * <p>Built on the driver's COPY BOTH and not on its replication stream, which confirms keepalives on its own by default
 * and shows none of them. Invariants: {@code confirmed <= received}, neither goes back. Owned by one thread, which
 * never waits for more than about a millisecond, unless the server stalls in the middle of a frame: then for at most
 * the silence limit.
 */
final class ReplicationStream {
    /** Draining what a large transaction still sends may take for ever; the last status reply is out before it. */
    static final Duration FINISH_BUDGET = Duration.ofSeconds(3);

    /**
     * Looking into an empty socket takes the driver 1 ms. It comes back at once only when the peer closed the
     * connection, or ended the command without CopyDone as a walsender does when its server shuts down: neither is
     * shown otherwise, and neither stops the driver from saying "nothing yet" for ever (pgjdbc 42.7.14,
     * PGStream.hasMessagePending and QueryExecutorImpl.processCopyResults).
     */
    private static final long INSTANTLY_NANOS = 300_000;

    private static final int INSTANT_LOOKS_MEAN_THE_END = 20;

    private static final System.Logger LOG = System.getLogger(ReplicationStream.class.getName());

    /** Held, not only used: unreachable, its cleaner would close the socket under the stream. */
    private final Connection connection;

    private final CopyDual copy;
    private final StatusClock status;
    private final InstantSource clock;
    private Lsn received = Lsn.ZERO;
    private Lsn confirmed = Lsn.ZERO;
    private int instantLooks;
    private long statusReplies;

    private ReplicationStream(Connection connection, CopyDual copy, StatusClock status, InstantSource clock) {
        this.connection = connection;
        this.copy = copy;
        this.status = status;
        this.clock = clock;
    }

    /** The only method that lets the driver's exception out: what a refusal means depends on the slot. */
    static ReplicationStream start(
            Connection connection, String command, Duration walSenderTimeout, InstantSource clock) throws SQLException {
        StatusClock status = new StatusClock(walSenderTimeout);
        // Never reached by polling, which waits 1 ms whatever this says: it bounds the rest of a frame that has begun.
        connection.setNetworkTimeout(Runnable::run, (int) status.silenceLimit().toMillis());
        CopyDual copy = connection.unwrap(PGConnection.class).getCopyAPI().copyDual(command);
        return new ReplicationStream(connection, copy, status, clock);
    }

    Received poll() {
        long before = System.nanoTime();
        byte[] frame = Classification.classified("read the stream", () -> copy.readFromCopy(false));
        if (frame == null) return nothing(System.nanoTime() - before);
        instantLooks = 0;
        status.heard();
        Received read = WalFrame.read(frame);
        if (read instanceof Received.Keepalive && WalFrame.requestsReply(frame)) status.replyRequested();
        return read;
    }

    private Received nothing(long lookNanos) {
        instantLooks = lookNanos < INSTANTLY_NANOS ? instantLooks + 1 : 0;
        if (!copy.isActive() || instantLooks >= INSTANT_LOOKS_MEAN_THE_END) {
            throw transientFailure("read the stream: the server ended it");
        }
        status.foundEmpty();
        return new Received.Nothing();
    }

    void positions(Lsn newReceived, Lsn newConfirmed) {
        if (confirmed.isAfter(newConfirmed)) {
            throw new IllegalArgumentException(
                    "confirmed would go back from %s to %s".formatted(confirmed, newConfirmed));
        }
        if (newConfirmed.isAfter(confirmed)) status.confirmedMoved();
        confirmed = newConfirmed;
        received = Lsn.later(received, Lsn.later(newReceived, newConfirmed));
    }

    void heartbeat(long nanos) {
        switch (status.due(nanos)) {
            case NOTHING -> {}
            case STATUS -> send(false);
            case PING -> send(true);
            case GIVE_UP ->
                throw transientFailure(
                        "read the stream: the server has been silent for more than %s and answers no ping"
                                .formatted(status.silenceLimit()));
        }
    }

    private void send(boolean replyRequested) {
        byte[] message = new StandbyStatus(received, confirmed, clock.instant(), replyRequested).encoded();
        Classification.classified("send a status reply", () -> {
            copy.writeToCopy(message, 0, message.length);
            copy.flushCopy();
            return message;
        });
        statusReplies++;
    }

    Duration statusInterval() {
        return status.interval();
    }

    long statusReplies() {
        return statusReplies;
    }

    /** A last status reply, then the end of the copy: in good order, or after the budget by closing the socket. */
    void finish(SessionConnections connections) {
        send(false);
        try (Alarm _ = new Alarm("tidemark-finish", FINISH_BUDGET, FINISH_BUDGET, () -> connections.end(connection))) {
            copy.endCopy();
        } catch (SQLException e) {
            // The status reply is on its way; whether it arrived is read from the slot, never from here.
            LOG.log(Level.DEBUG, "end stream unclean sqlstate=" + Classification.sqlState(e));
        }
    }

    private static SourceFailure transientFailure(String attempted) {
        return new SourceFailure(Kind.TRANSIENT, attempted, Classification.PASSING);
    }
}
