package tidemark.replication;

import java.util.List;
import tidemark.decode.Lsn;

/**
 * An exported snapshot, alive as long as this object is open: the replication connection that made it stays idle.
 * Closed by the session's thread; any number of threads may copy at the same time, each copy or reader on a connection
 * of its own.
 */
public interface Snapshot extends AutoCloseable {
    /** Everything committed at or before this position is in the snapshot, nothing after it. */
    Lsn consistentPoint();

    /**
     * Starts {@code COPY … TO STDOUT} of exactly what the publication publishes of the table, columns in shape order,
     * rows in any.
     */
    default TableCopy copy(TableShape table) {
        return copy(table, List.of());
    }

    /**
     * The same, rows in the order of these columns; PostgreSQL sorts. Waits for whoever holds the table exclusively,
     * and not for longer than the source's patience. Until the copy ends, nobody writes the table anew. What was
     * written anew before reads as empty, without an error (PostgreSQL, "Caveats" of MVCC): whoever needs its rows asks
     * for {@link ChangeSource#editions} now.
     */
    TableCopy copy(TableShape table, List<SortColumn> order);

    /**
     * Cuts the tables into parts of about so many bytes, and opens so many readers for them, or as many as there are
     * parts. Waits for PostgreSQL: for connections, and for whoever holds one of the tables exclusively, not for longer
     * than the source's patience. From then on, until the readers are closed, nobody writes one of them anew; before
     * that, as with {@link #copy(TableShape, List)}.
     */
    SharedCopy share(List<TableShape> tables, int readers, long partBytes);

    /**
     * The same for copies of this table, one after the other, in a transaction that has taken it when this returns:
     * what exported it, a slot and its walsender, is let go, and this with it. Waits for whoever holds the table
     * exclusively, and not for longer than the source's patience; from then on, until it is closed, nobody writes the
     * table anew.
     */
    Snapshot taken(TableShape table);

    @Override
    void close();
}
