package tidemark.replication;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import tidemark.replication.SourceFailure.Kind;

/**
 * The connection on which monitoring threads ask about the slot: opened when first asked, opened anew after a failure,
 * used by one thread at a time. Closing it waits for nobody; a question that is being asked fails.
 */
final class MonitorConnection implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final System.Logger LOG = System.getLogger(MonitorConnection.class.getName());

    private sealed interface State {}

    private record NotConnected() implements State {}

    private record Connected(Connection connection) implements State {}

    private record Closed() implements State {}

    interface Question<T> {
        T ask(Connection connection);
    }

    private final Connections connections;
    /** Held while a question is asked; {@link #change} never waits for it. */
    private final ReentrantLock asking = new ReentrantLock();

    private volatile State state = new NotConnected();

    MonitorConnection(Connections connections) {
        this.connections = connections;
    }

    <T> T ask(Question<T> question) {
        asking.lock();
        try {
            return question.ask(connection());
        } catch (SourceFailure e) {
            change(new NotConnected());
            throw e;
        } finally {
            asking.unlock();
        }
    }

    private Connection connection() {
        return switch (state) {
            case Connected(Connection connection) -> connection;
            case NotConnected _ -> {
                Connection connection = connections.forQuestions(PATIENCE);
                change(new Connected(connection));
                yield connection;
            }
            case Closed _ ->
                throw new SourceFailure(Kind.TRANSIENT, "ask the source after it was closed", "none needed");
        };
    }

    /** Closed stays closed: a connection that was being opened meanwhile is ended, and the question on it fails. */
    private synchronized void change(State next) {
        State before = state;
        if (before instanceof Connected(Connection connection)) end(connection);
        if (before instanceof Closed) {
            if (next instanceof Connected(Connection connection)) end(connection);
            return;
        }
        state = next;
    }

    private static void end(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.log(Level.WARNING, "abort connection sqlstate=" + Classification.sqlState(e));
        }
    }

    @Override
    public void close() {
        change(new Closed());
    }
}
