package tidemark.replication;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;
import tidemark.decode.CopyTextRow;
import tidemark.decode.Tuple;

/**
 * {@code COPY (SELECT …) TO STDOUT} of what the publication publishes of one table.
 *
 * <p>Always a query and never {@code COPY table}: a row filter, a partitioned root and a generated column (18) can only
 * be copied by one. ONLY, since the rows of an inheritance child are published under the child's name; except for a
 * partitioned table, which has no rows of its own. Pages are a range of {@code ctid}: PostgreSQL (14 and later) then
 * reads no others.
 */
final class PostgresTableCopy implements TableCopy {
    private final SnapshotReader reader;
    /** What fails, said once and not for every row. */
    private final String what;

    private final CopyOut copy;
    private final CopyTextRow row;
    private boolean ended;

    private PostgresTableCopy(SnapshotReader reader, TableShape table, CopyOut copy) {
        this.reader = reader;
        this.what = "copy table " + table.name();
        this.copy = copy;
        this.row = new CopyTextRow(table.columns().size());
    }

    static PostgresTableCopy start(SnapshotReader reader, Connection connection, TablePart part, List<SortColumn> order)
            throws SQLException {
        String command = command(part, isPartitioned(connection, part.table()), order);
        CopyOut copy = connection.unwrap(PGConnection.class).getCopyAPI().copyOut(command);
        return new PostgresTableCopy(reader, part.table(), copy);
    }

    static String command(TablePart part, boolean partitioned, List<SortColumn> order) {
        TableShape table = part.table();
        String columns = table.columns().stream()
                .map(column -> SqlText.identifier(column.name()))
                .collect(Collectors.joining(", "));
        String wanted = Stream.concat(pages(part), table.rowFilter().map("(%s)"::formatted).stream())
                .collect(Collectors.joining(" AND "));
        String sorted = order.stream().map(column -> column.expression(table)).collect(Collectors.joining(", "));
        return "COPY (SELECT %s FROM %s%s%s%s) TO STDOUT"
                .formatted(
                        columns,
                        partitioned ? "" : "ONLY ",
                        SqlText.name(table.name()),
                        wanted.isEmpty() ? "" : " WHERE " + wanted,
                        sorted.isEmpty() ? "" : " ORDER BY " + sorted);
    }

    private static Stream<String> pages(TablePart part) {
        Stream<String> from = part.fromPage() == 0 ? Stream.empty() : Stream.of("ctid >= " + tid(part.fromPage()));
        Stream<String> to = part.toPage().isEmpty()
                ? Stream.empty()
                : Stream.of("ctid < " + tid(part.toPage().getAsLong()));
        return Stream.concat(from, to);
    }

    private static String tid(long page) {
        return "'(%s,0)'".formatted(Long.toString(page)); // not %d: in some locales that prints other digits
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
        byte[] line = Classification.classified(what, copy::readFromCopy);
        ended = line == null;
        if (ended) reader.copied();
        return Optional.ofNullable(line).map(row::read);
    }

    @Override
    public void close() {
        if (!ended) reader.close();
    }
}
