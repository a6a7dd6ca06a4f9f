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

    FineParts(ChangeSource source) {
        super(source);
    }

    @Override
    public SourceSession open() {
        return new ForwardingSession(super.open()) {
            @Override
            public Snapshot createSlot() {
                return new Fine(super.createSlot());
            }

            @Override
            public Snapshot snapshotBesideSlot() {
                return new Fine(super.snapshotBesideSlot());
            }
        };
    }

    private record Fine(Snapshot snapshot) implements Snapshot {
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
            return snapshot.share(tables, readers, PART_BYTES);
        }

        @Override
        public void close() {
            snapshot.close();
        }
    }
}
