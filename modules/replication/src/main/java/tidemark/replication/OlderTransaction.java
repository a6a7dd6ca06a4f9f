package tidemark.replication;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A transaction that a backend waits for, before a slot exists or for a table: of whatever database of the server, of a
 * process, or a prepared one, which has none and which PostgreSQL calls pid 0.
 *
 * @param who for people: the pid and what runs there, or the gid
 * @param open for how long, in ISO 8601; "unknown" where the role may not see it
 */
record OlderTransaction(String who, String open) {
    /**
     * A prepared transaction is found by the xid that is waited for. A gid is anybody's text, so what would break a
     * line is left out of it. Of other roles' processes pg_stat_activity shows everybody the application, and members
     * of pg_read_all_stats how long a transaction is open.
     */
    private static final String QUERY = """
            SELECT CASE WHEN b.pid = 0
                        THEN format('prepared transaction %s database=%s',
                                    coalesce(quote_literal(regexp_replace(p.gid, '[[:cntrl:]]', '?', 'g')), 'unknown'),
                                    coalesce(p.database::text, 'unknown'))
                        ELSE format('pid %s application=%s database=%s', b.pid,
                                    coalesce(quote_literal(a.application_name), 'unknown'),
                                    coalesce(a.datname::text, 'unknown'))
                   END AS who,
                   coalesce(date_trunc('second', clock_timestamp() - coalesce(p.prepared, a.xact_start))::text, 'unknown')
                       AS open
            FROM (SELECT DISTINCT unnest(pg_blocking_pids(?)) AS pid) b
            LEFT JOIN pg_stat_activity a ON a.pid = b.pid
            LEFT JOIN pg_prepared_xacts p ON b.pid = 0 AND p.transaction IN (
                SELECT l.transactionid FROM pg_locks l
                WHERE l.pid = ? AND l.locktype = 'transactionid' AND NOT l.granted)
            ORDER BY who""";

    /** What a wait for them that took too long asks of whoever reads it. */
    static final String END_THEM =
            "end them (pg_terminate_backend(pid), or COMMIT or ROLLBACK PREPARED), or raise session.give-up-after";

    /**
     * @param pid of the backend that waits
     * @throws SQLException also where that cannot be asked
     */
    static List<OlderTransaction> waitedForBy(Connection connection, int pid) throws SQLException {
        List<OlderTransaction> found = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(QUERY)) {
            query.setInt(1, pid);
            query.setInt(2, pid);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) found.add(new OlderTransaction(row.getString("who"), row.getString("open")));
            }
        }
        return List.copyOf(found);
    }

    String inWords() {
        return "%s open for %s".formatted(who, open);
    }
}
