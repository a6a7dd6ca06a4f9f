package tidemark.replication;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import org.postgresql.PGConnection;
import tidemark.decode.Lsn;

/**
 * Runs CREATE_REPLICATION_SLOT, which waits for every transaction older than itself, and not for longer than patience.
 * Closing the session from another thread cancels it: the slot exists only once the command succeeded.
 */
final class SlotCreation {
    /** Longer than a slot takes that waits for nobody, and short for a person who looks why it is not ready. */
    private static final Duration SILENT = Duration.ofSeconds(2);

    private static final Duration CANCEL_AGAIN = Duration.ofSeconds(5);

    private final SessionConnections connections;
    private final Duration patience;
    private volatile Optional<SlotWait> current = Optional.empty();

    SlotCreation(SessionConnections connections, Duration patience) {
        this.connections = connections;
        this.patience = patience;
    }

    /** @param snapshot the exported snapshot's name, for SET TRANSACTION SNAPSHOT */
    record Exported(Lsn consistentPoint, String snapshot) {}

    private interface Answer<T> {
        T read(ResultSet row) throws SQLException;
    }

    Exported exporting(Connection walsender, String slot, String command) {
        return create(
                walsender, slot, command, row -> new Exported(consistentPoint(row), row.getString("snapshot_name")));
    }

    Lsn withoutSnapshot(Connection walsender, String slot, String command) {
        return create(walsender, slot, command, SlotCreation::consistentPoint);
    }

    private static Lsn consistentPoint(ResultSet row) throws SQLException {
        return Lsn.parse(row.getString("consistent_point"));
    }

    private <T> T create(Connection walsender, String slot, String command, Answer<T> answer) {
        int pid = Classification.classified(
                "name the walsender", () -> walsender.unwrap(PGConnection.class).getBackendPID());
        connections.cancelBeforeClosing(walsender);
        connections.requireOpen();
        SlotWait wait = new SlotWait(connections, walsender, pid, patience);
        current = Optional.of(wait);
        String attempted = "create replication slot " + slot;
        try (Alarm _ = new Alarm("tidemark-slot-look", SILENT, SlotWait.BETWEEN_LOOKS, wait::look);
                Alarm _ = new Alarm("tidemark-slot-patience", patience, CANCEL_AGAIN, wait::giveUp);
                Statement statement = walsender.createStatement();
                ResultSet row = statement.executeQuery(command)) {
            wait.over();
            row.next();
            return answer.read(row);
        } catch (SQLException e) {
            throw wait.over(attempted, e).orElseGet(() -> Classification.of(attempted, e));
        } finally {
            current = Optional.empty();
            connections.noLongerCancelBeforeClosing(walsender);
        }
    }

    /** Whom a slot waits for that is being created, as last seen. Any thread. */
    Optional<String> waitsFor() {
        return current.flatMap(SlotWait::waitsFor);
    }
}
