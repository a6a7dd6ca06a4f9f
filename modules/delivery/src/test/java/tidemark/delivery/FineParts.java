package tidemark.delivery;

import java.util.List;
import tidemark.decode.Lsn;
import tidemark.replication.ChangeSource;
import tidemark.replication.ForwardingSession;
import tidemark.replication.ForwardingSource;
import tidemark.replication.SharedCopy;
import tidemark.replication.Snapshot;
import tidemark.replication.SortColumn;
import tidemark.replication.SourceSession;
import tidemark.replication.TableCopy;
import tidemark.replication.TableShape;

/** A source whose tables are copied in many parts although they are small. */
final class FineParts extends ForwardingSource {
    /** Four pages. */
    private static final long PART_BYTES = 32 << 10;

    private final Runnable beforeCopies;

    FineParts(ChangeSource source) {
        this(source, () -> {});
    }

    /** @param beforeCopies runs when the snapshot is there, and no table is held yet */
    FineParts(ChangeSource source, Runnable beforeCopies) {
        super(source);
        this.beforeCopies = beforeCopies;
    }

    @Override
    public SourceSession open() {
        return new ForwardingSession(super.open()) {
            @Override
            public Snapshot createSlot() {
                return new Fine(super.createSlot(), beforeCopies);
            }

            @Override
            public Snapshot snapshotBesideSlot() {
                return new Fine(super.snapshotBesideSlot(), beforeCopies);
            }
        };
    }

    private record Fine(Snapshot snapshot, Runnable beforeCopies) implements Snapshot {
        @Override
        public Snapshot taken(TableShape table) {
            return snapshot.taken(table);
        }

        @Override
        public Lsn consistentPoint() {
            return snapshot.consistentPoint();
        }

        @Override
        public TableCopy copy(TableShape table, List<SortColumn> order) {
            return snapshot.copy(table, order);
        }

        @Override
        public SharedCopy share(List<TableShape> tables, int readers, long partBytes) {
            beforeCopies.run();
            return snapshot.share(tables, readers, PART_BYTES);
        }

        @Override
        public void close() {
            snapshot.close();
        }
    }
}
