package tidemark.replication;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import tidemark.replication.SourceFailure.Kind;

/**
 * A read-only transaction on a connection of its own, under a snapshot that another one exported. It keeps its snapshot
 * whatever becomes of the exporter, and every lock that it took, until it is closed.
 */
final class SnapshotReader implements PartReader {
    private final SessionConnections connections;
    private final Connection connection;
    /** A copy has begun and has not come to its end. */
    private volatile boolean copying;

    private SnapshotReader(SessionConnections connections, Connection connection) {
        this.connections = connections;
        this.connection = connection;
    }

    /** @param snapshot its name, as the server gave it */
    static SnapshotReader open(SessionConnections connections, String snapshot) {
        Connection connection = connections.forCopy();
        try {
            return Classification.classified("begin a transaction to copy", () -> {
                connection.setAutoCommit(
                        true); // the transaction is opened by hand, with its snapshot as first statement
                try (Statement statement = connection.createStatement()) {
                    noticeALostClient(statement);
                    statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
                    take(statement, snapshot);
                    // Without it every part would be looked for in the whole table.
                    statement.execute("SET LOCAL enable_tidscan = on");
                }
                return new SnapshotReader(connections, connection);
            });
        } catch (SourceFailure e) {
            connections.end(connection);
            throw e;
        }
    }

    /**
     * A server that sorts, or waits for a lock, does not look at its client by itself: it would hold the table, and
     * whoever waits for it, long after the copy was given up. Where the server's platform cannot tell, it refuses this.
     */
    private static void noticeALostClient(Statement statement) throws SQLException {
        try {
            statement.execute("SET client_connection_check_interval = '1s'");
        } catch (SQLException e) {
            if (!Classification.sqlState(e).equals("22023")) throw e; // invalid_parameter_value
        }
    }

    /**
     * The name was the server's own, so one that it does not know has gone with the walsender that exported it: 42704
     * (undefined_object) from 17 on, 22023 (invalid_parameter_value) before.
     */
    private static void take(Statement statement, String snapshot) throws SQLException {
        try {
            statement.execute("SET TRANSACTION SNAPSHOT " + SqlText.literal(snapshot));
        } catch (SQLException e) {
            String state = Classification.sqlState(e);
            if (!state.equals("22023") && !state.equals("42704")) throw e;
            throw new SourceFailure(
                    Kind.TRANSIENT,
                    "take a snapshot: it has gone with the walsender that exported it",
                    Classification.PASSING,
                    e);
        }
    }

    Connection connection() {
        return connection;
    }

    List<TableSize> sizes(List<TableShape> tables) {
        return Classification.classified("read the sizes of the tables", () -> TableSize.read(connection, tables));
    }

    /**
     * From here on, until the transaction ends, nobody writes one of the tables anew, nor a partition of one (ALTER
     * TABLE, TRUNCATE, CLUSTER, VACUUM FULL): that would move rows between parts, or take them from this snapshot.
     * Waits for whoever holds one of them exclusively, or asked for that before.
     */
    void hold(List<TableShape> tables) {
        for (TableShape table : tables) {
            Classification.classified("lock table " + table.name(), () -> {
                try (Statement statement = connection.createStatement()) {
                    return statement.execute(lock(statement, table));
                }
            });
        }
    }

    /** LOCK takes no other locks, but may be said only by who may read every column. */
    private static String lock(Statement statement, TableShape table) throws SQLException {
        String name = SqlText.name(table.name());
        try (ResultSet row = statement.executeQuery("SELECT pg_catalog.has_table_privilege(%s::oid, 'SELECT')"
                .formatted(Integer.toUnsignedString(table.oid())))) {
            boolean whole = row.next() && row.getBoolean(1);
            return whole
                    ? "LOCK TABLE %s IN ACCESS SHARE MODE".formatted(name)
                    : "SELECT FROM %s LIMIT 0".formatted(name);
        }
    }

    @Override
    public TableCopy copy(TablePart part) {
        return copy(part, List.of());
    }

    TableCopy copy(TablePart part, List<SortColumn> order) {
        copying = true;
        return Classification.classified(
                "copy table " + part.table().name(), () -> PostgresTableCopy.start(this, connection, part, order));
    }

    /** By the copy. */
    void copied() {
        copying = false;
    }

    /**
     * A cancel request that arrives late would hit whatever runs next: what is in the middle ends with its connection.
     */
    @Override
    public void close() {
        if (copying) connections.end(connection);
        else connections.release(connection);
    }
}
