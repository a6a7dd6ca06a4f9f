package tidemark.replication;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.postgresql.PGConnection;
import tidemark.decode.Lsn;

/**
 * Runs CREATE_REPLICATION_SLOT, which waits for every transaction older than itself, and says in the log whom it waits
 * for. Closing the session from another thread cancels it: the slot exists only once the command succeeded.
 */
final class SlotCreation {
    /** Longer than a slot takes that waits for nobody, and short for a person who looks why it is not ready. */
    private static final Duration SILENT = Duration.ofSeconds(2);

    private static final Duration REPEATED = Duration.ofMinutes(1);

    private static final System.Logger LOG = System.getLogger(SlotCreation.class.getName());

    private final SessionConnections connections;

    SlotCreation(SessionConnections connections) {
        this.connections = connections;
    }

    /** @param snapshot the exported snapshot's name, for SET TRANSACTION SNAPSHOT */
    record Exported(Lsn consistentPoint, String snapshot) {}

    private interface Answer<T> {
        T read(ResultSet row) throws SQLException;
    }

    Exported exporting(Connection walsender, String command) {
        return create(walsender, command, row -> new Exported(consistentPoint(row), row.getString("snapshot_name")));
    }

    Lsn withoutSnapshot(Connection walsender, String command) {
        return create(walsender, command, SlotCreation::consistentPoint);
    }

    private static Lsn consistentPoint(ResultSet row) throws SQLException {
        return Lsn.parse(row.getString("consistent_point"));
    }

    private <T> T create(Connection walsender, String command, Answer<T> answer) {
        int pid = Classification.classified(
                "name the walsender", () -> walsender.unwrap(PGConnection.class).getBackendPID());
        connections.cancelBeforeClosing(walsender);
        connections.requireOpen();
        try (Alarm _ = new Alarm("tidemark-slot-creation", SILENT, REPEATED, () -> reportWait(pid))) {
            return Classification.classified("create a replication slot", () -> {
                try (Statement statement = walsender.createStatement();
                        ResultSet row = statement.executeQuery(command)) {
                    row.next();
                    return answer.read(row);
                }
            });
        } finally {
            connections.noLongerCancelBeforeClosing(walsender);
        }
    }

    /** A prepared transaction has no process; PostgreSQL calls it pid 0. */
    private void reportWait(int pid) {
        try {
            Connection connection = connections.forQuestions();
            // Not %d: in some locales that prints other digits.
            try (Statement statement = connection.createStatement();
                    ResultSet row =
                            statement.executeQuery("SELECT pg_catalog.pg_blocking_pids(%s)::text".formatted(pid))) {
                row.next();
                LOG.log(
                        Level.WARNING,
                        "wait for older transactions before the slot exists walsender=%d pids=%s"
                                .formatted(pid, row.getString(1)));
            } finally {
                connections.release(connection);
            }
        } catch (SQLException | SourceFailure e) {
            LOG.log(
                    Level.WARNING,
                    "wait before the slot exists walsender=%d pids=unknown error=%s"
                            .formatted(pid, e.getClass().getSimpleName()));
        }
    }
}
