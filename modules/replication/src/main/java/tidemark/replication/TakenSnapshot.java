package tidemark.replication;

import java.util.List;
import tidemark.decode.Lsn;

/** A snapshot in one transaction that has taken it and holds a table, and which makes one copy after the other. */
record TakenSnapshot(Lsn consistentPoint, SnapshotReader reader) implements Snapshot {
    @Override
    public TableCopy copy(TableShape table, List<SortColumn> order) {
        return reader.copy(TablePart.whole(table), order);
    }

    @Override
    public SharedCopy share(List<TableShape> tables, int readers, long partBytes) {
        throw new UnsupportedOperationException("one transaction is not shared");
    }

    @Override
    public Snapshot taken(TableShape table) {
        return this;
    }

    @Override
    public void close() {
        reader.close();
    }
}
