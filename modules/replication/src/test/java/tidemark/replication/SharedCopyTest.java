package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidemark.replication.SourceFailure.Kind;

/** Several readers of one snapshot bring every row of it once, whatever happens to the tables meanwhile. */
class SharedCopyTest {
    private static final long PAGE = 8192;
    /** Two pages: a small table has many. */
    private static final long PART_BYTES = 2 * PAGE;

    private final TestPostgres postgres = TestPostgres.shared();
    private String database;
    private PostgresSource source;

    @BeforeEach
    void aDatabase() {
        database = postgres.newDatabase();
        postgres.execute(
                database,
                "CREATE TABLE t (id int PRIMARY KEY, v text) WITH (autovacuum_enabled = false)",
                "CREATE PUBLICATION p FOR ALL TABLES WITH (publish_via_partition_root = true)");
        source = new PostgresSource(postgres.settings(database, "shared_" + database, "p"), InstantSource.system());
    }

    @AfterEach
    void dropSlots() {
        source.close();
        postgres.dropSlots(database);
    }

    private void fill(String table, int rows) {
        postgres.execute(
                database,
                "INSERT INTO %s SELECT n, 'before' || repeat('x', 90) FROM generate_series(1, %d) n"
                        .formatted(table, rows));
    }

    private static List<String> read(PartReader reader, TablePart part) {
        try (TableCopy copy = reader.copy(part)) {
            return StreamProbe.rows(copy).stream()
                    .map(row -> String.join(" ", row))
                    .toList();
        }
    }

    private static List<String> read(SharedCopy shared, List<TablePart> parts) {
        List<String> rows = new ArrayList<>();
        for (TablePart part : parts) {
            rows.addAll(read(shared.readers().get(rows.size() % shared.readers().size()), part));
        }
        return rows;
    }

    private static SharedCopy share(SourceSession session, Snapshot snapshot, int readers) {
        return snapshot.share(session.publication().tables(), readers, PART_BYTES);
    }

    private List<String> now(String table) {
        String rows = postgres.query(database, "SELECT string_agg(id || ' ' || v, ',' ORDER BY id) FROM " + table);
        return List.of(rows.split(","));
    }

    @Test
    void partsTogetherAreTheTableWhateverIsWrittenMeanwhile() {
        // given pages full of rows that are dead already
        fill("t", 6000);
        postgres.execute(database, "DELETE FROM t WHERE id % 3 = 0", "UPDATE t SET v = 'moved' WHERE id % 5 = 0");
        List<String> expected = now("t");
        try (SourceSession session = source.open();
                Snapshot snapshot = session.createSlot();
                SharedCopy shared = share(session, snapshot, 4)) {
            assertThat(shared.parts()).hasSizeGreaterThan(20);
            assertThat(shared.readers()).hasSize(4);
            // when rows move to the end of the table, which grows, and leave it, between any two parts
            List<String> rows = new ArrayList<>();
            for (TablePart part : shared.parts()) {
                int at = rows.size();
                rows.addAll(read(shared.readers().get(at % 4), part));
                postgres.execute(
                        database,
                        "UPDATE t SET v = 'after' || repeat('y', 500) WHERE id BETWEEN %1$d AND %1$d + 60"
                                .formatted(at),
                        "UPDATE t SET id = -id WHERE id BETWEEN 5800 AND 5810",
                        "DELETE FROM t WHERE id = %d + 70".formatted(at),
                        "INSERT INTO t SELECT n, 'new' FROM generate_series(%1$d, %1$d + 200) n"
                                .formatted(100_000 + at * 10));
            }
            // then it is the snapshot
            assertThat(rows).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void readersReadAtTheSameTime() {
        fill("t", 50_000);
        try (SourceSession session = source.open();
                Snapshot snapshot = session.snapshotBesideSlot();
                SharedCopy shared = share(session, snapshot, 3)) {
            postgres.execute(database, "DELETE FROM t");
            List<CompletableFuture<Integer>> counts = IntStream.range(0, 3)
                    .mapToObj(mine -> CompletableFuture.supplyAsync(() -> {
                        int rows = 0;
                        for (int part = mine; part < shared.parts().size(); part += 3) {
                            rows += read(
                                            shared.readers().get(mine),
                                            shared.parts().get(part))
                                    .size();
                        }
                        return rows;
                    }))
                    .toList();
            assertThat(counts.stream().mapToInt(CompletableFuture::join).sum()).isEqualTo(50_000);
        }
    }

    /** What writes a table anew puts rows on other pages: in parts that were read, or were not. */
    @Test
    void nobodyWritesATableAnewWhileItsPartsAreRead() {
        fill("t", 6000);
        postgres.execute(database, "DELETE FROM t WHERE id < 4000");
        List<String> expected = now("t");
        try (SourceSession session = source.open();
                Snapshot snapshot = session.createSlot()) {
            List<String> rows;
            try (SharedCopy shared = share(session, snapshot, 3)) {
                // when one reader has read its part, and the others have not touched the table yet
                List<TablePart> parts = shared.parts();
                rows = new ArrayList<>(read(shared.readers().getFirst(), parts.getFirst()));
                for (String anew : List.of(
                        "VACUUM FULL t",
                        "CLUSTER t USING t_pkey",
                        "ALTER TABLE t ALTER v TYPE varchar(200)",
                        "TRUNCATE t")) {
                    assertThatThrownBy(() -> postgres.execute(database, "SET lock_timeout = '50ms'", anew))
                            .as(anew)
                            .hasStackTraceContaining("lock timeout");
                }
                // then it is no one's lock alone
                shared.readers().getFirst().close();
                assertThatThrownBy(() -> postgres.execute(database, "SET lock_timeout = '50ms'", "VACUUM FULL t"))
                        .hasStackTraceContaining("lock timeout");
                List<PartReader> others = shared.readers().subList(1, 3);
                for (int part = 1; part < parts.size(); part++)
                    rows.addAll(read(others.get(part % 2), parts.get(part)));
            }
            assertThat(rows).containsExactlyInAnyOrderElementsOf(expected);
            TestPostgres.await("readers to let go of the table", () -> canBeRewritten("t"));
        }
    }

    private boolean canBeRewritten(String table) {
        return postgres.query(
                        database,
                        "SELECT count(*) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE relname = '%s' AND mode = 'AccessShareLock'"
                                .formatted(table))
                .equals("0");
    }

    /** Between the snapshot and the readers it may be, and PostgreSQL keeps what the snapshot shows. */
    @Test
    void aTableThatWasVacuumedInFullAfterTheSnapshotIsCopiedWhole() {
        fill("t", 6000);
        List<String> expected = now("t");
        try (SourceSession session = source.open();
                Snapshot snapshot = session.createSlot()) {
            postgres.execute(database, "UPDATE t SET v = 'after'", "DELETE FROM t WHERE id < 3000", "VACUUM FULL t");
            try (SharedCopy shared = share(session, snapshot, 2)) {
                assertThat(read(shared, shared.parts())).containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    @Test
    void biggestTablesComeFirstAndWhatHasNoPagesOfItsOwnIsNotCut() {
        postgres.execute(
                database,
                "CREATE TABLE empty (id int PRIMARY KEY, v text)",
                "CREATE TABLE root (id int, v text, PRIMARY KEY (id)) PARTITION BY RANGE (id)",
                "CREATE TABLE low PARTITION OF root FOR VALUES FROM (MINVALUE) TO (20000)",
                "CREATE TABLE high PARTITION OF root FOR VALUES FROM (20000) TO (MAXVALUE)",
                "CREATE TABLE parent (id int PRIMARY KEY, v text)",
                "CREATE TABLE child () INHERITS (parent)",
                "CREATE TABLE large (id int PRIMARY KEY, v text)",
                "ALTER TABLE large ALTER v SET STORAGE EXTERNAL",
                "INSERT INTO large SELECT n, repeat('z', 400000) FROM generate_series(1, 40) n",
                "CREATE INDEX ON child (id)");
        fill("root", 40_000);
        fill("parent", 300);
        fill("child", 900);
        fill("t", 3000);
        try (SourceSession session = source.open();
                Snapshot snapshot = session.createSlot();
                SharedCopy shared = share(session, snapshot, 2)) {
            List<String> order = shared.parts().stream()
                    .map(part -> part.table().name().table())
                    .distinct()
                    .toList();
            assertThat(order).startsWith("large", "root", "t").endsWith("empty");
            assertThat(parts(shared, "root")).hasSize(1);
            assertThat(parts(shared, "empty")).hasSize(1);
            assertThat(parts(shared, "t")).hasSizeGreaterThan(10);
            // by its large values it is many parts, and its pages are one
            assertThat(parts(shared, "large")).hasSize(1);
            for (String table : List.of("empty", "root", "child", "large", "t")) {
                assertThat(read(shared, parts(shared, table)))
                        .as(table)
                        .hasSize(Integer.parseInt(postgres.query(database, "SELECT count(*) FROM " + table)));
            }
            assertThat(read(shared, parts(shared, "parent")))
                    .as("without what is published under the child's name")
                    .hasSize(300);
        }
    }

    private static List<TablePart> parts(SharedCopy shared, String table) {
        return shared.parts().stream()
                .filter(part -> part.table().name().table().equals(table))
                .toList();
    }

    @Test
    void aRowFilterHoldsInEveryPart() {
        if (postgres.serverMajor() < 15) return;
        fill("t", 6000);
        postgres.execute(database, "CREATE PUBLICATION filtered FOR TABLE t WHERE (id % 7 = 0 OR v = 'none')");
        try (var some = new PostgresSource(
                        postgres.settings(database, "shared_" + database, "filtered"), InstantSource.system());
                SourceSession session = some.open();
                Snapshot snapshot = session.createSlot();
                SharedCopy shared = share(session, snapshot, 2)) {
            assertThat(shared.parts()).hasSizeGreaterThan(20);
            assertThat(read(shared, shared.parts()))
                    .hasSize(6000 / 7)
                    .allMatch(row -> Integer.parseInt(row.substring(0, row.indexOf(' '))) % 7 == 0);
        }
    }

    /** PostgreSQL does not let it read {@code ctid}, nor say LOCK TABLE. */
    @Test
    void aRoleThatMayReadOnlySomeColumnsReadsThemAtOnce() {
        if (postgres.serverMajor() < 15) return;
        fill("t", 6000);
        String role = "reader_" + database;
        postgres.execute(
                database,
                "CREATE PUBLICATION columns FOR TABLE t (id)",
                "CREATE ROLE %s LOGIN REPLICATION".formatted(role),
                "GRANT SELECT (id) ON t TO " + role);
        try (var some = new PostgresSource(
                        postgres.settings(database, "shared_" + database, "columns", role), InstantSource.system());
                SourceSession session = some.open();
                Snapshot snapshot = session.createSlot();
                SharedCopy shared = share(session, snapshot, 2)) {
            assertThat(shared.parts()).hasSize(1);
            assertThatThrownBy(() -> postgres.execute(database, "SET lock_timeout = '50ms'", "TRUNCATE t"))
                    .as("it is held all the same")
                    .hasStackTraceContaining("lock timeout");
            assertThat(read(shared, shared.parts())).hasSize(6000);
        }
    }

    /** Whatever the database says about it, a part costs its own pages. */
    @Test
    void aPartReadsNoPagesButItsOwn() {
        fill("t", 30_000);
        postgres.execute(database, "VACUUM t", "ALTER DATABASE %s SET enable_tidscan = off".formatted(database));
        long pages = Long.parseLong(postgres.query(database, "SELECT pg_relation_size('t') / 8192"));
        // Before PostgreSQL 15 they come by way of a collector, some time later.
        TestPostgres.await("the writer's statistics", () -> pagesTouched() >= 30_000);
        try (SourceSession session = source.open();
                Snapshot snapshot = session.createSlot()) {
            long before = pagesTouched();
            int parts;
            try (SharedCopy shared = share(session, snapshot, 2)) {
                parts = shared.parts().size();
                assertThat(read(shared, shared.parts())).hasSize(30_000);
            }
            assertThat(parts).isGreaterThan(100);
            TestPostgres.await("the readers' statistics", () -> pagesTouched() - before >= pages);
            // Some of VACUUM's may have come late, too; whoever reads the table for each part touches a hundred times
            // as many.
            assertThat(pagesTouched() - before).isLessThan(6 * pages);
        }
    }

    private long pagesTouched() {
        return Long.parseLong(postgres.query(
                database, "SELECT heap_blks_read + heap_blks_hit FROM pg_statio_user_tables WHERE relname = 't'"));
    }

    @Test
    void aReaderThatIsTerminatedIsATransientFailureAndTheOthersReadOn() {
        fill("t", 20_000);
        try (SourceSession session = source.open();
                Snapshot snapshot = session.createSlot();
                SharedCopy shared = share(session, snapshot, 2)) {
            PartReader first = shared.readers().getFirst();
            PartReader second = shared.readers().getLast();
            assertThat(read(first, shared.parts().getFirst())).isNotEmpty();
            postgres.query(
                    database,
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND query LIKE 'COPY%'");
            assertThatThrownBy(() -> read(first, shared.parts().get(1)))
                    .isInstanceOfSatisfying(
                            SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.TRANSIENT));
            assertThat(read(second, shared.parts().get(1))).isNotEmpty();
            // and what ended does not look like a finished copy
            assertThatThrownBy(() -> first.copy(shared.parts().get(2))).isInstanceOf(SourceFailure.class);
        }
    }

    /** A reader is idle for as long as Feldera is slow. */
    @Test
    void noTimeoutOfTheDatabaseEndsAnIdleReader() {
        fill("t", 6000);
        List<String> hostile = new ArrayList<>(List.of(
                "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout"));
        if (postgres.serverMajor() >= 17) hostile.add("transaction_timeout");
        for (String timeout : hostile) {
            postgres.execute("postgres", "ALTER DATABASE %s SET %s = '500ms'".formatted(database, timeout));
        }
        try (SourceSession session = source.open();
                Snapshot snapshot = session.createSlot();
                SharedCopy shared = share(session, snapshot, 2)) {
            String idle =
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'"
                            + " AND backend_type = 'client backend' AND clock_timestamp() - state_change > interval '700 ms'";
            TestPostgres.await(
                    "readers that have waited for long",
                    () -> postgres.query(database, idle).equals("2"));
            assertThat(read(shared, shared.parts())).hasSize(6000);
        }
    }

    @Test
    void closingTheSessionEndsEveryReader() {
        fill("t", 6000);
        SourceSession session = source.open();
        Snapshot snapshot = session.createSlot();
        SharedCopy shared = share(session, snapshot, 3);
        TableCopy copy = shared.readers().getFirst().copy(shared.parts().getFirst());
        assertThat(copy.next()).isPresent();
        session.close();
        String left = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND application_name LIKE 'tidemark%'";
        TestPostgres.await(
                "no connection of ours", () -> postgres.query(database, left).equals("0"));
        for (PartReader reader : shared.readers()) {
            assertThatThrownBy(() -> read(reader, shared.parts().getLast())).isInstanceOf(SourceFailure.class);
        }
    }

    @Test
    void closingTheSessionEndsAWaitForALockedTable() throws SQLException {
        fill("t", 6000);
        SourceSession session = source.open();
        Snapshot snapshot = session.createSlot();
        List<TableShape> tables = session.publication().tables();
        try (Connection locking = postgres.connect(database);
                Statement statement = locking.createStatement()) {
            locking.setAutoCommit(false);
            statement.execute("LOCK TABLE t IN ACCESS EXCLUSIVE MODE");
            var waiting = CompletableFuture.supplyAsync(() -> snapshot.share(tables, 2, PART_BYTES));
            TestPostgres.await(
                    "a reader that waits for the lock",
                    () -> postgres.query(database, "SELECT count(*) FROM pg_locks WHERE NOT granted")
                            .equals("1"));
            session.close();
            assertThatThrownBy(waiting::join).hasCauseInstanceOf(SourceFailure.class);
            locking.rollback();
        }
    }

    @Test
    void noMoreReadersThanPartsAreOpened() {
        try (SourceSession session = source.open();
                Snapshot snapshot = session.createSlot();
                SharedCopy shared = share(session, snapshot, 8)) {
            assertThat(shared.parts()).hasSize(1);
            assertThat(shared.readers()).hasSize(1);
        }
    }
}
