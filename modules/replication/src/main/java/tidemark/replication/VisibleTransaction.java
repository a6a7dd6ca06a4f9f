package tidemark.replication;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import tidemark.replication.SourceFailure.Kind;

/**
 * Waits until a committed transaction is seen by new snapshots. A backend flushes its commit record, which a walsender
 * then sends, and leaves the list of running transactions afterwards (RecordTransactionCommit in xact.c); in between it
 * waits for synchronous standbys.
 */
final class VisibleTransaction {
    /** Sleeps in the server if it is not seen: a query has no clock of ours. */
    private static final String LOOK = """
            SELECT CASE WHEN seen THEN true ELSE pg_sleep(?) IS NULL END
            FROM (SELECT ((pg_snapshot_xmax(s)::text::bigint - x) & 4294967295) BETWEEN 1 AND 2147483647
                         AND NOT EXISTS (SELECT FROM pg_snapshot_xip(s) AS running (xid)
                                         WHERE running.xid::text::bigint & 4294967295 = x)
                  FROM (SELECT pg_current_snapshot(), CAST(? AS bigint)) AS asked (s, x)) AS look (seen)""";

    /** Nobody sends status replies meanwhile: three seconds, and few round trips of a slow network. */
    private static final double[] SECONDS = {0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.5, 0.5, 0.5, 0.5, 0.5};

    private VisibleTransaction() {}

    static void await(Connection questions, int xid) {
        for (double seconds : SECONDS) {
            if (isVisible(questions, xid, seconds)) return;
        }
        throw new SourceFailure(
                Kind.TRANSIENT,
                "see transaction %s, which is committed and not shown yet".formatted(Integer.toUnsignedString(xid)),
                "look whether it waits for a synchronous standby (pg_stat_activity, SyncRep)");
    }

    private static boolean isVisible(Connection questions, int xid, double otherwiseSleep) {
        return Classification.classified("look at the running transactions", () -> {
            try (PreparedStatement query = questions.prepareStatement(LOOK)) {
                query.setDouble(1, otherwiseSleep);
                query.setLong(2, Integer.toUnsignedLong(xid));
                try (ResultSet row = query.executeQuery()) {
                    row.next();
                    return row.getBoolean(1);
                }
            }
        });
    }
}
