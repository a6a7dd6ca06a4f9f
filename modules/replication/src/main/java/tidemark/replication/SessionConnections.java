package tidemark.replication;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.postgresql.PGConnection;
import tidemark.replication.SourceFailure.Kind;

/**
 * Every connection of one session, so that another thread can end them all while the owner waits in one of them.
 *
 * <p>A statement that must not outlive its session (creating a slot) is cancelled first: the server does not notice a
 * client that is gone while it waits for other transactions, and would leave behind a slot that nobody knows. Thread
 * safe.
 */
final class SessionConnections implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SessionConnections.class.getName());

    private final Connections connections;
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();
    private final Set<Connection> cancelFirst = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    SessionConnections(Connections connections) {
        this.connections = connections;
    }

    Connection forReplication() {
        return kept(connections.forReplication());
    }

    Connection forCopy() {
        return kept(connections.forCopy());
    }

    Connection forQuestions() {
        return kept(connections.forQuestions(PostgresSource.QUESTION_PATIENCE));
    }

    private Connection kept(Connection connection) {
        open.add(connection);
        if (closed) end(connection);
        requireOpen();
        return connection;
    }

    /** @throws SourceFailure transient, once the session was closed: what fails afterwards fails because of that */
    void requireOpen() {
        if (closed) throw new SourceFailure(Kind.TRANSIENT, "use the session after it was closed", "none needed");
    }

    void cancelBeforeClosing(Connection connection) {
        cancelFirst.add(connection);
    }

    void noLongerCancelBeforeClosing(Connection connection) {
        cancelFirst.remove(connection);
    }

    /** Ends this connection at once, whatever it does. */
    void end(Connection connection) {
        open.remove(connection);
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.log(Level.WARNING, "abort connection sqlstate=" + Classification.sqlState(e));
        }
    }

    /** Says goodbye, so that the server's log stays clean. Only for a connection that nobody uses. */
    void release(Connection connection) {
        open.remove(connection);
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.log(Level.WARNING, "close connection sqlstate=" + Classification.sqlState(e));
        }
    }

    @Override
    public void close() {
        closed = true;
        cancelFirst.forEach(SessionConnections::cancel);
        open.forEach(this::end);
    }

    static void cancel(Connection connection) {
        try {
            connection.unwrap(PGConnection.class).cancelQuery();
        } catch (SQLException e) {
            LOG.log(Level.WARNING, "cancel statement sqlstate=" + Classification.sqlState(e));
        }
    }
}
