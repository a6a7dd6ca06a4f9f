package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import tidemark.decode.Lsn;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.RelationName;
import tidemark.replication.TableEdition;
import tidemark.replication.TableShape;
import tidemark.sink.FelderaName;
import tidemark.sink.FelderaTable;
import tidemark.sink.FelderaTable.ColumnType;

/**
 * A table {@code (id bigint PRIMARY KEY, v text, big text)} in PostgreSQL, later also {@code extra text}, with every
 * version that any of its rows ever had; in Feldera it has all columns from the beginning. Values of {@code big} are so
 * large that an update which leaves one alone does not send it.
 */
final class SimTable {
    static final String NULL = "null";
    static final String NOTHING = "\"id\":null,\"v\":null,\"big\":null,\"extra\":null";
    private static final int INT8 = 20;
    static final int TEXT = 25;
    static final int WITH_EXTRA = 4;

    /** A row but for its key: {@code extra} may be {@link #NULL}. */
    record Row(String v, String big, String extra) {
        boolean isAsSmall(Row other) {
            return v.equals(other.v) && extra.equals(other.extra);
        }
    }

    /** From the end of a transaction on; no row from there on if empty. */
    private record Version(Lsn from, Optional<Row> row) {}

    /** Of its unique key, if that is checked row by row. */
    static final String KEY_MARK = "c1";

    final RelationName postgres;
    final FelderaName feldera;
    final int oid;
    final ReplicaIdentity identity;
    /** Its key is checked when a transaction ends. */
    final boolean deferrable;
    /** In Feldera. Nobody writes it: a replay would double its rows, which nobody promises not to. */
    final boolean keyless;

    private final Map<Long, Row> rows = new TreeMap<>();
    private final Map<Long, List<Version>> history = new TreeMap<>();
    private boolean hasExtra;
    /** Snapshots from before this do not show what was there. */
    private Lsn writtenAnew = Lsn.ZERO;

    private long files;
    /** Each as long as it says so. */
    private final List<BooleanSupplier> holders = new ArrayList<>();

    private SimTable(int number, ReplicaIdentity identity, boolean deferrable, boolean keyless) {
        this.deferrable = deferrable;
        this.keyless = keyless;
        this.postgres = new RelationName("public", "t" + number);
        this.feldera = new FelderaName("t" + number, false);
        this.oid = 1000 + number;
        this.identity = identity;
    }

    static SimTable any(int number, SimWorld world) {
        ReplicaIdentity identity = world.chance(0.3) ? ReplicaIdentity.FULL : ReplicaIdentity.DEFAULT;
        boolean deferrable = identity == ReplicaIdentity.FULL && world.values.nextInt(3) == 0;
        return new SimTable(number, identity, deferrable, false);
    }

    /** With rows from before there was a slot. */
    static SimTable keyless(int number, SimWorld world) {
        var table = new SimTable(number, ReplicaIdentity.FULL, false, true);
        for (long key = world.keyless.nextLong(1, 40); key > 0; key--) {
            table.put(key, new Row("v" + key, "b" + key, NULL), Lsn.ZERO);
        }
        return table;
    }

    Map<Long, Row> rows() {
        return rows;
    }

    boolean hasExtra() {
        return hasExtra;
    }

    /** A column was added and the table written anew, so old rows may have got a value in it. */
    boolean mayHaveDrifted() {
        return hasExtra && files > 0;
    }

    void addExtra() {
        hasExtra = true;
    }

    Optional<Row> row(long key) {
        return Optional.ofNullable(rows.get(key));
    }

    /** By a transaction that ends there; of several versions of one transaction the last one is to stay. */
    void put(long key, Row row, Lsn end) {
        rows.put(key, row);
        remember(key, end);
    }

    void remove(long key, Lsn end) {
        rows.remove(key);
        remember(key, end);
    }

    private void remember(long key, Lsn end) {
        history.computeIfAbsent(key, _ -> new ArrayList<>()).add(new Version(end, row(key)));
    }

    /** As some ALTER TABLE do: nothing is in the stream. Returns false if it would have to wait. */
    boolean writeAnew(SimPostgres server) {
        if (isHeld()) return false;
        server.somethingElse();
        isWrittenAnew(server.wal.end());
        server.world.say("PG writes %s anew", postgres.table());
        return true;
    }

    void isWrittenAnew(Lsn end) {
        writtenAnew = end;
        files++;
    }

    void heldWhile(BooleanSupplier reading) {
        holders.add(reading);
    }

    /** TRUNCATE and ALTER TABLE have to wait. */
    boolean isHeld() {
        holders.removeIf(reading -> !reading.getAsBoolean());
        return !holders.isEmpty();
    }

    /** What a snapshot shows, if it is asked now. */
    Map<Long, Row> shown(Lsn snapshot) {
        return writtenAnew.isAfter(snapshot) ? Map.of() : at(snapshot);
    }

    Map<Long, Row> at(Lsn position) {
        Map<Long, Row> found = new TreeMap<>();
        history.forEach((key, versions) -> {
            int last = lastUntil(versions, position);
            if (last >= 0) versions.get(last).row.ifPresent(row -> found.put(key, row));
        });
        return found;
    }

    private static Optional<Row> rowAt(List<Version> versions, Lsn position) {
        int last = lastUntil(versions, position);
        return last < 0 ? Optional.empty() : versions.get(last).row;
    }

    private static int lastUntil(List<Version> versions, Lsn position) {
        int last = -1;
        while (last + 1 < versions.size() && !versions.get(last + 1).from.isAfter(position)) last++;
        return last;
    }

    /**
     * The first key whose row is none that it had at this position or later, told with the rows; else empty.
     *
     * @param since a row that is as it was then may be missing
     */
    Optional<String> behind(Map<Long, Row> there, Lsn since, Lsn position) {
        for (Map.Entry<Long, List<Version>> of : history.entrySet()) {
            Optional<Row> row = Optional.ofNullable(there.get(of.getKey()));
            List<Version> versions = of.getValue();
            int last = lastUntil(versions, position);
            if (row.isEmpty() && rowAt(versions, since).equals(rowAt(versions, position))) continue;
            if (!isAny(row, versions.subList(Math.max(0, last), versions.size())))
                return Optional.of("%s id=%d is %s".formatted(postgres.table(), of.getKey(), row));
        }
        return there.keySet().stream()
                .filter(key -> !history.containsKey(key))
                .findFirst()
                .map(key -> "%s id=%d was never there".formatted(postgres.table(), key));
    }

    /**
     * Of a row that came in parts, while a replay passes, the large value may be newer than the others (docs/adr/0012).
     */
    private boolean isAny(Optional<Row> row, List<Version> versions) {
        if (row.isEmpty() || identity == ReplicaIdentity.FULL) {
            return versions.stream().anyMatch(version -> version.row.equals(row));
        }
        List<Row> rows =
                versions.stream().flatMap(version -> version.row.stream()).toList();
        return rows.stream().anyMatch(of -> of.isAsSmall(row.get()))
                && rows.stream().anyMatch(of -> of.big.equals(row.get().big));
    }

    /** Whether all keys that were changed after this position have their rows, and no others theirs that never were. */
    boolean isComplete(Map<Long, Row> there, Lsn since) {
        return history.entrySet().stream()
                .filter(of -> !rowAt(of.getValue(), since).equals(row(of.getKey())))
                .allMatch(of -> row(of.getKey()).equals(Optional.ofNullable(there.get(of.getKey()))));
    }

    TableShape shape() {
        List<TableShape.Column> columns = new ArrayList<>();
        columns.add(new TableShape.Column("id", INT8, TableFixture.builtIn(INT8, -1), "bigint", -1, true, true));
        columns.add(text("v"));
        columns.add(text("big"));
        if (hasExtra) columns.add(text("extra"));
        return new TableShape(
                oid,
                postgres,
                identity,
                List.copyOf(columns),
                Optional.empty(),
                rows.size(),
                List.of(),
                deferrable ? List.of() : List.of(new TableShape.UniqueKey(List.of("id"), true, false, KEY_MARK)),
                Optional.empty());
    }

    private static TableShape.Column text(String name) {
        return new TableShape.Column(name, TEXT, TableFixture.builtIn(TEXT, -1), "text", -1, false, false);
    }

    TableEdition edition() {
        List<TableEdition.Column> columns = new ArrayList<>();
        shape().columns()
                .forEach(column -> columns.add(new TableEdition.Column(
                        columns.size() + 1,
                        column.name(),
                        column.typeOid(),
                        column.typeModifier(),
                        false,
                        List.of(),
                        List.of(),
                        Optional.of(1L))));
        List<String> marks =
                shape().uniqueKeys().stream().map(TableShape.UniqueKey::mark).toList();
        var itself = new TableEdition.Store(oid, postgres.table(), "", oid + files, false);
        return new TableEdition(postgres, oid, Optional.of("p1"), List.copyOf(columns), List.of(itself), marks);
    }

    FelderaTable declared() {
        return new FelderaTable(
                feldera,
                List.of(
                        column("id", TableFixture.columnType("BIGINT!")),
                        column("v", text()),
                        column("big", text()),
                        column("extra", text())),
                keyless ? List.of() : List.of("id"),
                true,
                false,
                false);
    }

    private static ColumnType text() {
        return TableFixture.columnType("VARCHAR");
    }

    private static FelderaTable.Column column(String name, ColumnType type) {
        return FelderaTable.Column.of(new FelderaName(name, false), type);
    }

    /** The members of the object in which /query answers a row. */
    static String answered(long key, Row row) {
        String extra = row.extra.equals(NULL) ? NULL : '"' + row.extra + '"';
        return "\"id\":%d,\"v\":\"%s\",\"big\":\"%s\",\"extra\":%s".formatted(key, row.v, row.big, extra);
    }

    /** A line of COPY TO. */
    static byte[] copied(long key, Row row, int columns) {
        String extra = row.extra.equals(NULL) ? "\\N" : row.extra;
        String line = key + "\t" + row.v + "\t" + row.big + (columns == WITH_EXTRA ? "\t" + extra : "") + "\n";
        return line.getBytes(StandardCharsets.US_ASCII);
    }
}
