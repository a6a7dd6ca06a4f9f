package tidemark.demo;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * PostgreSQL's rows as cells, streamed by {@code COPY (…) TO STDOUT}: the same text as the replication stream has, and
 * one row in memory. Owned by one thread.
 */
final class PostgresRows implements Iterator<List<Cell>>, AutoCloseable {
    private final ComparedTable table;
    private final Connection connection;
    private final CopyOut copy;
    private Optional<byte[]> line;

    PostgresRows(SourceDatabase database, ComparedTable table) {
        this.table = table;
        this.connection = database.connect();
        try {
            copy = connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyOut("COPY (" + table.postgresQuery() + ") TO STDOUT");
            line = read();
        } catch (SQLException e) {
            close();
            throw SourceDatabase.failed("cannot read " + table.postgres(), e);
        }
    }

    @Override
    public boolean hasNext() {
        return line.isPresent();
    }

    @Override
    public List<Cell> next() {
        byte[] row = line.orElseThrow(NoSuchElementException::new);
        try {
            line = read();
        } catch (SQLException e) {
            throw SourceDatabase.failed("cannot read " + table.postgres(), e);
        }
        return parse(new String(row, 0, row.length - 1, StandardCharsets.UTF_8), table.columns()); // less its line end
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw SourceDatabase.failed("cannot end reading " + table.postgres(), e);
        }
    }

    private Optional<byte[]> read() throws SQLException {
        return Optional.ofNullable(copy.readFromCopy());
    }

    /** One line of COPY's text format, without its line end: https://www.postgresql.org/docs/current/sql-copy.html */
    static List<Cell> parse(String line, List<ComparedTable.Column> columns) {
        String[] fields = line.split("\t", -1);
        List<Cell> cells = new ArrayList<>(fields.length);
        for (int i = 0; i < fields.length; i++) {
            cells.add(fields[i].equals("\\N") ? new Cell.Null() : columns.get(i).ofPostgres(unescaped(fields[i])));
        }
        return cells;
    }

    private static String unescaped(String field) {
        if (field.indexOf('\\') < 0) return field;
        StringBuilder text = new StringBuilder(field.length());
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            text.append(c == '\\' ? escape(field.charAt(++i)) : c);
        }
        return text.toString();
    }

    private static char escape(char letter) {
        return switch (letter) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'v' -> '\u000B';
            default -> letter;
        };
    }
}
