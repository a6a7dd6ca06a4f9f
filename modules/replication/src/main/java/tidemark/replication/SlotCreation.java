package tidemark.replication;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import org.postgresql.PGConnection;
import tidemark.decode.Lsn;

/**
 * Runs CREATE_REPLICATION_SLOT, which waits for every transaction older than itself, and says in the log whom it waits for.
 * Closing the session from another thread cancels it: the slot exists only once the command succeeded.
 */
final class SlotCreation {
    private static final Duration SILENT = Duration.ofSeconds(5);
    private static final Duration REPEATED = Duration.ofMinutes(1);

    private static final System.Logger LOG = System.getLogger(SlotCreation.class.getName());

    private final SessionConnections connections;

    SlotCreation(SessionConnections connections) {
        this.connections = connections;
    }

    /** @param snapshot the exported snapshot's name; empty text when none was exported */
    record Created(Lsn consistentPoint, String snapshot) {}

    Created create(Connection walsender, String command) {
        int pid = Classification.classified(
                "name the walsender", () -> walsender.unwrap(PGConnection.class).getBackendPID());
        connections.cancelBeforeClosing(walsender);
        connections.requireOpen();
        try (Alarm _ = new Alarm("tidemark-slot-creation", SILENT, REPEATED, () -> reportWait(pid))) {
            return Classification.classified("create a replication slot", () -> {
                try (Statement statement = walsender.createStatement();
                        ResultSet row = statement.executeQuery(command)) {
                    row.next();
                    return new Created(
                            Lsn.parse(row.getString("consistent_point")),
                            Optional.ofNullable(row.getString("snapshot_name")).orElse(""));
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
            try (Statement statement = connection.createStatement();
                    ResultSet row =
                            statement.executeQuery("SELECT pg_catalog.pg_blocking_pids(%d)::text".formatted(pid))) {
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
