package tidemark.bench;

import java.util.List;
import java.util.Locale;

/**
 * What is read, and the SQL that writes it. Each has a table and a publication of its own name, so that none sees the
 * others.
 *
 * <p>A backlog leaves in {@code bench.last} where WAL stood just before the commit record of its last transaction.
 */
enum Workload {
    W1("one transaction of %,d rows, 6 columns", "CopyDual loop"),
    W3("%,d changes (70 %% update, 20 %% insert, 10 %% delete), 100 a transaction", "CopyDual loop"),
    W5("first copy of %,d rows, 6 columns", "COPY TO STDOUT"),
    STEADY("%,d transactions of one row, at an even pace", "none");

    /** Whose figure is how much gets through; the other's is how long one row takes. */
    static final List<Workload> THROUGHPUT = List.of(W1, W3, W5);

    static final int CHANGES_PER_TRANSACTION = 100;

    private static final int UPDATES = 70;
    private static final int INSERTS = 20;
    private static final int DELETES = 10;

    /** As Feldera's descriptor has it. */
    record Column(String name, String felderaType) {}

    /** Of every table; the PostgreSQL types are those of {@link #createTable}. */
    static final List<Column> TABLE_COLUMNS = List.of(
            new Column("id", "BIGINT"),
            new Column("customer", "INTEGER"),
            new Column("name", "VARCHAR"),
            new Column("amount", "DECIMAL"),
            new Column("active", "BOOLEAN"),
            new Column("created", "TIMESTAMP"));

    static final int AMOUNT_PRECISION = 12;
    static final int AMOUNT_SCALE = 2;

    private static final String VALUES = "n, n % 5000, 'customer ' || n, (n % 100000) / 100.0, n % 3 = 0,"
            + " '2025-01-01'::timestamp + n * interval '1 s'";

    private final String title;
    private final String bareReader;

    Workload(String title, String bareReader) {
        this.title = title;
        this.bareReader = bareReader;
    }

    String title(long rows) {
        return name() + ": " + title.formatted(rows);
    }

    String bareReader() {
        return bareReader;
    }

    String table() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Read from a snapshot and not from a slot. */
    boolean isCopy() {
        return switch (this) {
            case W1, W3, STEADY -> false;
            case W5 -> true;
        };
    }

    /** What must be there before the slot is. */
    List<String> preparation(long rows) {
        List<String> empty = List.of(createTable(), "CREATE PUBLICATION %1$s FOR TABLE %1$s".formatted(table()));
        return switch (this) {
            case W1, STEADY -> empty;
            // Frozen, or the first reader of the table would do the others' work of setting hint bits.
            case W3, W5 ->
                List.of(
                        empty.getFirst(),
                        empty.getLast(),
                        insert("1", Long.toString(rows)),
                        "VACUUM (FREEZE, ANALYZE) " + table());
        };
    }

    /** What the slot then holds back; nothing for a copy. */
    List<String> backlog(long rows) {
        return switch (this) {
            case W1 -> List.of(block(insert("1", Long.toString(rows)) + ";" + MARK_AND_COMMIT));
            case W3 -> List.of(mixedTransactions(rows));
            case W5, STEADY -> List.of();
        };
    }

    /** One row of {@link #STEADY}, whose parameter is its number. */
    String insertOne() {
        return "INSERT INTO %s SELECT %s FROM (SELECT ?::bigint) one (n)".formatted(table(), VALUES);
    }

    private String createTable() {
        return "CREATE TABLE %s (id bigint PRIMARY KEY, customer integer NOT NULL, name text NOT NULL,"
                        .formatted(table())
                + " amount numeric(%d,%d) NOT NULL, active boolean NOT NULL, created timestamp NOT NULL)"
                        .formatted(AMOUNT_PRECISION, AMOUNT_SCALE);
    }

    private String insert(String from, String to) {
        return "INSERT INTO %s SELECT %s FROM generate_series(%s::bigint, %s::bigint) n"
                .formatted(table(), VALUES, from, to);
    }

    /**
     * Of the rows 1..n that are there, the first tenth is deleted, the rest updated from its beginning to its end and
     * over again, and new ones come after n: no statement ever misses a row.
     */
    private String mixedTransactions(long rows) {
        long kept = rows / CHANGES_PER_TRANSACTION * DELETES;
        String update = "UPDATE %s SET amount = amount + 1, customer = customer + 1 WHERE id BETWEEN u + 1 AND u + %d;"
                .formatted(table(), UPDATES);
        String delete =
                "DELETE FROM %1$s WHERE id BETWEEN t * %2$d + 1 AND t * %2$d + %2$d;".formatted(table(), DELETES);
        String insert =
                insert("%d + t * %d + 1".formatted(rows, INSERTS), "%d + t * %2$d + %2$d".formatted(rows, INSERTS))
                        + ";";
        return block("FOR t IN 0..%d LOOP u := %d + t %% %d * %d;"
                        .formatted(
                                rows / CHANGES_PER_TRANSACTION - 1, kept, Math.max(1, (rows - kept) / UPDATES), UPDATES)
                + update + insert + delete + MARK_AND_COMMIT + "END LOOP;");
    }

    private static final String MARK_AND_COMMIT =
            "PERFORM set_config('bench.last', pg_current_wal_insert_lsn()::text, false); COMMIT;";

    private static String block(String statements) {
        return "DO $$ DECLARE u bigint; BEGIN " + statements + " END $$";
    }
}
