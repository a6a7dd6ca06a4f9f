package tidemark.delivery;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.replication.ChangeSource;
import tidemark.replication.SharedCopy;
import tidemark.replication.Snapshot;
import tidemark.replication.SortColumn;
import tidemark.replication.SourceFailure;
import tidemark.replication.TableCopy;
import tidemark.replication.TableEdition;
import tidemark.replication.TableShape;

/**
 * A snapshot of which no table is read that was altered or written anew since the session looked at it: its columns
 * would be yesterday's, or its rows not there, and nothing in the stream would tell (PostgreSQL, "Caveats" of MVCC).
 *
 * <p>Locks first, looks second: once a copy has begun nobody writes its tables anew, so what is as it was then is as it
 * was at the snapshot. The failure is transient, and before the first row.
 *
 * @param looked what the catalog showed before there was the snapshot
 */
record UnalteredSnapshot(Snapshot snapshot, ChangeSource source, List<TableEdition> looked) implements Snapshot {
    @Override
    public Lsn consistentPoint() {
        return snapshot.consistentPoint();
    }

    @Override
    public TableCopy copy(TableShape table, List<SortColumn> order) {
        TableCopy copy = unlessAltered(List.of(table), () -> snapshot.copy(table, order));
        requireUnaltered(List.of(table), copy::close);
        return copy;
    }

    @Override
    public SharedCopy share(List<TableShape> tables, int readers, long partBytes) {
        SharedCopy shared = unlessAltered(tables, () -> snapshot.share(tables, readers, partBytes));
        requireUnaltered(tables, shared::close);
        return shared;
    }

    @Override
    public Snapshot taken(TableShape table) {
        Snapshot taken = unlessAltered(List.of(table), () -> snapshot.taken(table));
        return new UnalteredSnapshot(taken, source, looked);
    }

    /** A table that is gone, or a column of it, cannot be asked for: it was altered, and that is why. */
    private <T> T unlessAltered(List<TableShape> tables, Supplier<T> asking) {
        try {
            return asking.get();
        } catch (SourceFailure e) {
            if (e.kind() != SourceFailure.Kind.TRANSIENT) requireUnaltered(tables, () -> {});
            throw e;
        }
    }

    private void requireUnaltered(List<TableShape> tables, Runnable letGo) {
        List<RelationName> names = tables.stream().map(TableShape::name).toList();
        try {
            List<TableEdition> now = source.editions(names);
            for (RelationName name : names) {
                if (!now.stream()
                        .filter(of(name))
                        .toList()
                        .equals(looked.stream().filter(of(name)).toList())) throw Session.altered("table " + name);
            }
        } catch (SourceFailure | SessionOver e) {
            letGo.run();
            throw e;
        }
    }

    private static Predicate<TableEdition> of(RelationName name) {
        return edition -> edition.name().equals(name);
    }

    @Override
    public void close() {
        snapshot.close();
    }
}
