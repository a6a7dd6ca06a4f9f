package tidemark.replication;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import tidemark.decode.Lsn;

/**
 * Runs CREATE_REPLICATION_SLOT, which waits for every transaction older than itself, and not for longer than patience.
 * Cancelled, by that or by the session's end, it leaves nothing behind: the slot exists only once the command
 * succeeded.
 */
final class SlotCreation {
    private final BackendWaits waits;
    private final Duration patience;

    SlotCreation(BackendWaits waits, Duration patience) {
        this.waits = waits;
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
        Awaited older = new Awaited.OlderTransactions(slot);
        return waits.during(
                walsender,
                patience,
                older,
                () -> Classification.classified("create replication slot " + slot, () -> {
                    try (Statement statement = walsender.createStatement();
                            ResultSet row = statement.executeQuery(command)) {
                        row.next();
                        return answer.read(row);
                    }
                }));
    }
}
