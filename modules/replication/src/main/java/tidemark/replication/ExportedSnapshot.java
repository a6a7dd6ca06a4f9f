package tidemark.replication;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import tidemark.decode.Lsn;
import tidemark.replication.SourceFailure.Kind;

/** A snapshot that a walsender exported and keeps alive by staying idle. */
final class ExportedSnapshot implements Snapshot {
    private final SessionConnections connections;
    private final Lsn consistentPoint;
    private final String name;
    private final Runnable release;
    private volatile boolean closed;

    /** @param release lets the server forget the snapshot; copies that have begun keep theirs */
    ExportedSnapshot(SessionConnections connections, Lsn consistentPoint, String name, Runnable release) {
        this.connections = connections;
        this.consistentPoint = consistentPoint;
        this.name = name;
        this.release = release;
    }

    @Override
    public Lsn consistentPoint() {
        return consistentPoint;
    }

    @Override
    public TableCopy copy(TableShape table, List<SortColumn> order) {
        if (closed) throw new IllegalStateException("the snapshot at %s is closed".formatted(consistentPoint));
        Connection connection = connections.forCopy();
        try {
            return Classification.classified("copy table " + table.name(), () -> {
                connection.setAutoCommit(
                        true); // the transaction is opened by hand, with its snapshot as first statement
                try (Statement statement = connection.createStatement()) {
                    statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
                    take(statement);
                }
                return PostgresTableCopy.start(connections, connection, table, order);
            });
        } catch (SourceFailure e) {
            connections.end(connection);
            throw e;
        }
    }

    /**
     * The name was the server's own, so one that it does not know has gone with the walsender that exported it: 42704
     * (undefined_object) from 17 on, 22023 (invalid_parameter_value) before.
     */
    private void take(Statement statement) throws SQLException {
        try {
            statement.execute("SET TRANSACTION SNAPSHOT " + SqlText.literal(name));
        } catch (SQLException e) {
            String state = Classification.sqlState(e);
            if (!state.equals("22023") && !state.equals("42704")) throw e;
            throw new SourceFailure(
                    Kind.TRANSIENT,
                    "take the snapshot at %s: it has gone with the walsender that exported it"
                            .formatted(consistentPoint),
                    "none needed if it passes: tried again with backoff",
                    e);
        }
    }

    @Override
    public void close() {
        if (closed) return;
        closed = true;
        release.run();
    }
}
