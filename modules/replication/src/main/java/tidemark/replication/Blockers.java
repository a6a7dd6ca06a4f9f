package tidemark.replication;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tidemark.decode.RelationName;

/**
 * Whom a backend waits for, as one look shows it.
 *
 * @param table that it waits for, if it is one
 * @param onStandby the server is in recovery
 */
record Blockers(List<OlderTransaction> transactions, Optional<RelationName> table, boolean onStandby) {
    /** Names are read without a lock on what they name. */
    private static final String PLACE = """
            SELECT pg_is_in_recovery() AS on_standby, awaited.nspname, awaited.relname
            FROM (SELECT) AS here
            LEFT JOIN (
                SELECT n.nspname, c.relname
                FROM pg_locks l
                JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
                JOIN pg_class c ON c.oid = l.relation
                JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE l.pid = ? AND l.locktype = 'relation' AND NOT l.granted) AS awaited ON true""";

    /**
     * On a connection for this question alone.
     *
     * @throws SQLException also where that cannot be asked
     */
    static Blockers of(SessionConnections connections, int pid) throws SQLException {
        Connection connection = connections.forQuestions();
        try (PreparedStatement query = connection.prepareStatement(PLACE)) {
            List<OlderTransaction> transactions = OlderTransaction.waitedForBy(connection, pid);
            query.setInt(1, pid);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                String schema = row.getString("nspname");
                Optional<RelationName> table = schema == null
                        ? Optional.empty()
                        : Optional.of(new RelationName(schema, row.getString("relname")));
                return new Blockers(transactions, table, row.getBoolean("on_standby"));
            }
        } finally {
            connections.release(connection);
        }
    }

    Optional<String> inWords() {
        if (transactions.isEmpty()) return Optional.empty();
        return Optional.of(transactions.stream().map(OlderTransaction::inWords).collect(Collectors.joining(", ")));
    }

    /** The same as long as it waits for the same. */
    String who() {
        return transactions.stream().map(OlderTransaction::who).collect(Collectors.joining(", "));
    }
}
