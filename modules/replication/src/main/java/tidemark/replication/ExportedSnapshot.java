package tidemark.replication;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.decode.Tuple;

/** A snapshot that a walsender exported and keeps alive by staying idle. */
final class ExportedSnapshot implements Snapshot {
    private final SessionConnections connections;
    private final Lsn consistentPoint;
    private final String name;
    private final LockWait locks;
    private final Runnable release;
    private volatile boolean closed;

    /** @param release lets the server forget the snapshot; copies that have begun keep theirs */
    ExportedSnapshot(
            SessionConnections connections, Lsn consistentPoint, String name, LockWait locks, Runnable release) {
        this.connections = connections;
        this.consistentPoint = consistentPoint;
        this.name = name;
        this.locks = locks;
        this.release = release;
    }

    @Override
    public Lsn consistentPoint() {
        return consistentPoint;
    }

    @Override
    public TableCopy copy(TableShape table, List<SortColumn> order) {
        SnapshotReader reader = reader();
        try {
            locks.hold(reader, List.of(table));
            return new LoneCopy(reader.copy(TablePart.whole(table), order), reader);
        } catch (SourceFailure e) {
            reader.close();
            throw e;
        }
    }

    private SnapshotReader reader() {
        if (closed) throw new IllegalStateException("the snapshot at %s is closed".formatted(consistentPoint));
        return SnapshotReader.open(connections, name);
    }

    /** Its reader's only one. */
    private record LoneCopy(TableCopy copy, SnapshotReader reader) implements TableCopy {
        @Override
        public Optional<Tuple> next() {
            return copy.next();
        }

        @Override
        public void close() {
            reader.close();
        }
    }

    /**
     * Every reader holds every table before anybody reads the first part: whichever of them lives on, what it reads is
     * as it was then, and it waits for nobody who waits for another reader.
     */
    @Override
    public SharedCopy share(List<TableShape> tables, int readers, long partBytes) {
        List<PartReader> opened = new ArrayList<>();
        try {
            SnapshotReader first = reader();
            opened.add(first);
            locks.hold(first, tables);
            List<TablePart> parts = TableSize.cut(first.sizes(tables), partBytes);
            while (opened.size() < Math.min(readers, parts.size())) {
                SnapshotReader another = reader();
                opened.add(another);
                locks.holdToo(another, tables);
            }
            return new SharedCopy(parts, List.copyOf(opened));
        } catch (SourceFailure e) {
            opened.forEach(PartReader::close);
            throw e;
        }
    }

    /** The transaction keeps its snapshot whatever becomes of the slot that exported it. */
    @Override
    public Snapshot taken(TableShape table) {
        SnapshotReader reader = reader();
        close();
        try {
            locks.hold(reader, List.of(table));
            return new TakenSnapshot(consistentPoint, reader);
        } catch (SourceFailure e) {
            reader.close();
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
