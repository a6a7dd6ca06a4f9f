package tidemark.replication;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;
import tidemark.decode.CopyTextRow;
import tidemark.decode.Tuple;

/**
 * {@code COPY (SELECT …) TO STDOUT} of what the publication publishes of one table.
 *
 * <p>Always a query and never {@code COPY table}: a row filter, a partitioned root and a generated column (18) can only
 * be copied by one. ONLY, since the rows of an inheritance child are published under the child's name; except for a
 * partitioned table, which has no rows of its own.
 *
 * <p>Ending it early closes the connection: a cancel request that arrives late would hit whatever runs next.
 */
final class PostgresTableCopy implements TableCopy {
    private final SessionConnections connections;
    private final Connection connection;
    private final TableShape table;
    private final CopyOut copy;
    private final CopyTextRow row;
    private boolean ended;

    private PostgresTableCopy(SessionConnections connections, Connection connection, TableShape table, CopyOut copy) {
        this.connections = connections;
        this.connection = connection;
        this.table = table;
        this.copy = copy;
        this.row = new CopyTextRow(table.columns().size());
    }

    static PostgresTableCopy start(
            SessionConnections connections, Connection connection, TableShape table, List<SortColumn> order)
            throws SQLException {
        String command = command(table, isPartitioned(connection, table), order);
        CopyOut copy = connection.unwrap(PGConnection.class).getCopyAPI().copyOut(command);
        return new PostgresTableCopy(connections, connection, table, copy);
    }

    static String command(TableShape table, boolean partitioned, List<SortColumn> order) {
        String columns = table.columns().stream()
                .map(column -> SqlText.identifier(column.name()))
                .collect(Collectors.joining(", "));
        String sorted = order.stream().map(column -> column.expression(table)).collect(Collectors.joining(", "));
        return "COPY (SELECT %s FROM %s%s.%s%s%s) TO STDOUT"
                .formatted(
                        columns,
                        partitioned ? "" : "ONLY ",
                        SqlText.identifier(table.name().schema()),
                        SqlText.identifier(table.name().table()),
                        table.rowFilter().map(filter -> " WHERE " + filter).orElse(""),
                        sorted.isEmpty() ? "" : " ORDER BY " + sorted);
    }

    private static boolean isPartitioned(Connection connection, TableShape table) throws SQLException {
        String query = "SELECT c.relkind = 'p' FROM pg_catalog.pg_class c WHERE c.oid = CAST(? AS bigint)::oid";
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setLong(1, Integer.toUnsignedLong(table.oid()));
            try (ResultSet answer = statement.executeQuery()) {
                return answer.next() && answer.getBoolean(1);
            }
        }
    }

    @Override
    public Optional<Tuple> next() {
        if (ended) return Optional.empty();
        // After a failure the driver throws again: a broken copy never looks like a finished one.
        byte[] line = Classification.classified("copy table " + table.name(), copy::readFromCopy);
        ended = line == null;
        return Optional.ofNullable(line).map(row::read);
    }

    @Override
    public void close() {
        if (ended) connections.release(connection);
        else connections.end(connection);
    }
}
