package tidemark.delivery;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import tidemark.decode.CopyTextRow;
import tidemark.decode.Lsn;
import tidemark.decode.Tuple;
import tidemark.replication.PartReader;
import tidemark.replication.SharedCopy;
import tidemark.replication.Snapshot;
import tidemark.replication.SortColumn;
import tidemark.replication.TableCopy;
import tidemark.replication.TablePart;
import tidemark.replication.TableShape;

/**
 * All tables of {@link SimPostgres} at one position. Errands ask it, so no time passes in it: every row of a body is
 * read at the moment at which the errand takes effect.
 */
final class SimSnapshot implements Snapshot {
    private static final int ROWS_UNTIL_A_READER_DIES = 300;

    private final SimPostgres server;
    private final SimWorld world;
    private final SimSourceSession session;
    private final Lsn point;

    SimSnapshot(SimPostgres server, SimSourceSession session, Lsn point) {
        this.server = server;
        this.world = server.world;
        this.session = session;
        this.point = point;
        server.tell(promises -> promises.images(point));
    }

    @Override
    public Lsn consistentPoint() {
        return point;
    }

    /** In the order of the key, whatever was asked for. */
    @Override
    public TableCopy copy(TableShape shape, List<SortColumn> order) {
        var reader = new Reader(List.of(shape));
        return new Copy(reader, rows(TablePart.whole(shape)), shape.columns().size(), reader::close);
    }

    /** A page has one key. */
    @Override
    public SharedCopy share(List<TableShape> tables, int readers, long partBytes) {
        session.requireConnectedNow("share a copy");
        world.passed(SimPoint.COPY_BEGINS);
        List<TablePart> parts = new ArrayList<>();
        for (TableShape shape : tables) {
            long from = 0;
            for (long cut : List.of(world.values.nextLong(1, 5), world.values.nextLong(5, 9))) {
                if (world.values.nextInt(3) == 0) continue;
                parts.add(new TablePart(shape, from, OptionalLong.of(cut)));
                from = cut;
            }
            parts.add(new TablePart(shape, from, OptionalLong.empty()));
        }
        return new SharedCopy(
                parts,
                Stream.generate(() -> (PartReader) new Reader(tables))
                        .limit(Math.min(readers, parts.size()))
                        .toList());
    }

    private Iterator<Map.Entry<Long, SimTable.Row>> rows(TablePart part) {
        return table(part.table()).shown(point).entrySet().stream()
                .filter(row -> row.getKey() >= part.fromPage())
                .filter(row ->
                        part.toPage().isEmpty() || row.getKey() < part.toPage().getAsLong())
                .iterator();
    }

    private SimTable table(TableShape shape) {
        return server.tables.stream()
                .filter(of -> of.oid == shape.oid())
                .findFirst()
                .orElseThrow();
    }

    @Override
    public Snapshot taken(TableShape table) {
        return this;
    }

    @Override
    public void close() {}

    /** A connection of its own: it may end while the session's lives on. Holds its tables until then. */
    private final class Reader implements PartReader {
        private boolean ended;

        Reader(List<TableShape> tables) {
            server.reads(this::close);
            tables.forEach(shape -> table(shape).heldWhile(() -> !ended && session.isConnected()));
        }

        void requireAlive() {
            session.requireConnectedNow("copy");
            if (ended) throw SimPostgres.broken("copy");
        }

        @Override
        public TableCopy copy(TablePart part) {
            requireAlive();
            return new Copy(this, rows(part), part.table().columns().size(), () -> {});
        }

        @Override
        public void close() {
            ended = true;
        }
    }

    private final class Copy implements TableCopy {
        private final Reader reader;
        private final Iterator<Map.Entry<Long, SimTable.Row>> rows;
        private final int columns;
        private final Runnable end;
        private final CopyTextRow line;

        Copy(Reader reader, Iterator<Map.Entry<Long, SimTable.Row>> rows, int columns, Runnable end) {
            this.reader = reader;
            this.rows = rows;
            this.columns = columns;
            this.end = end;
            this.line = new CopyTextRow(columns);
        }

        @Override
        public Optional<Tuple> next() {
            world.passed(SimPoint.ROW_COPIED);
            if (!world.isCalm() && world.values.nextInt(ROWS_UNTIL_A_READER_DIES) == 0) reader.close();
            reader.requireAlive();
            if (!rows.hasNext()) return Optional.empty();
            Map.Entry<Long, SimTable.Row> row = rows.next();
            return Optional.of(line.read(SimTable.copied(row.getKey(), row.getValue(), columns)));
        }

        @Override
        public void close() {
            end.run();
        }
    }
}
