package tidemark.replication;

import java.sql.Connection;
import java.sql.Statement;
import tidemark.decode.Lsn;

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
    public TableCopy copy(TableShape table) {
        if (closed) throw new IllegalStateException("the snapshot at %s is closed".formatted(consistentPoint));
        Connection connection = connections.forCopy();
        try {
            return Classification.classified("copy table " + table.name(), () -> {
                connection.setAutoCommit(
                        true); // the transaction is opened by hand, with its snapshot as first statement
                try (Statement statement = connection.createStatement()) {
                    statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
                    statement.execute("SET TRANSACTION SNAPSHOT " + SqlText.literal(name));
                }
                return PostgresTableCopy.start(connections, connection, table);
            });
        } catch (SourceFailure e) {
            connections.end(connection);
            throw e;
        }
    }

    @Override
    public void close() {
        if (closed) return;
        closed = true;
        release.run();
    }
}
