package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import tidemark.replication.SourceFailure.Kind;

/** A copy is the table at the consistent point, and prints values as the stream does. */
class SnapshotTest {
    private final TestPostgres postgres = TestPostgres.shared();
    private String database;
    private PostgresSource source;

    @BeforeEach
    void aPublishedTable() {
        database = postgres.newDatabase();
        postgres.execute(
                database, "CREATE TABLE t (id int PRIMARY KEY, v text)", "CREATE PUBLICATION p FOR ALL TABLES");
        source = new PostgresSource(postgres.settings(database, "snapshot_" + database, "p"), InstantSource.system());
    }

    @AfterEach
    void dropSlots() {
        source.close();
        postgres.dropSlots(database);
    }

    @Test
    void theCopyIsTheTableAtTheConsistentPointAndTheStreamIsTheRest() {
        postgres.execute(database, "INSERT INTO t SELECT n, 'before' FROM generate_series(1, 1000) n");
        try (SourceSession session = source.open()) {
            try (Snapshot snapshot = session.createSlot()) {
                // given changes after the snapshot, one of them while the copy runs
                postgres.execute(database, "UPDATE t SET v = 'after' WHERE id <= 500", "DELETE FROM t WHERE id = 501");
                try (TableCopy copy = snapshot.copy(table(session))) {
                    List<String> first = StreamProbe.texts(copy.next().orElseThrow());
                    postgres.execute(database, "INSERT INTO t VALUES (2000, 'after')");
                    List<List<String>> rest = StreamProbe.rows(copy);
                    // then the copy shows none of them
                    assertThat(first.get(1)).isEqualTo("before");
                    assertThat(rest)
                            .hasSize(999)
                            .allSatisfy(row -> assertThat(row.get(1)).isEqualTo("before"));
                    assertThat(copy.next()).isEmpty();
                }
                assertThat(session.slot())
                        .isInstanceOfSatisfying(
                                SlotStatus.Usable.class,
                                slot -> assertThat(slot.confirmedFlush()).isEqualTo(snapshot.consistentPoint()));
            }
            session.start();
            var probe = new StreamProbe(session);
            probe.readCommits(3);
            assertThat(probe.inserted).containsExactly(List.of("2000", "after"));
        }
    }

    @Test
    void severalTablesAreCopiedAtOnceUnderOneSnapshot() {
        postgres.execute(
                database,
                "CREATE TABLE u (id int PRIMARY KEY)",
                "INSERT INTO u SELECT generate_series(1, 50000)",
                "INSERT INTO t SELECT n, 'x' FROM generate_series(1, 50000) n");
        try (SourceSession session = source.open();
                Snapshot snapshot = session.snapshotBesideSlot()) {
            postgres.execute(database, "DELETE FROM t", "DELETE FROM u");
            var copies = session.publication().tables().stream()
                    .map(table -> CompletableFuture.supplyAsync(() -> {
                        try (TableCopy copy = snapshot.copy(table)) {
                            return StreamProbe.rows(copy).size();
                        }
                    }))
                    .toList();
            assertThat(copies).extracting(CompletableFuture::join).containsExactly(50_000, 50_000);
        }
    }

    @Test
    void escapesNullsAndUnicodeSurvive() {
        postgres.execute(
                database,
                "INSERT INTO t VALUES (1, NULL), (2, ''), (3, E'tab\\tnewline\\nreturn\\rback\\\\slash\\b\\f\\x0b'),"
                        + " (4, '\\N'), (5, E'Grüße \\U0001F600 日本'), (6, '\\.')");
        try (SourceSession session = source.open();
                Snapshot snapshot = session.createSlot();
                TableCopy copy = snapshot.copy(table(session))) {
            assertThat(StreamProbe.rows(copy))
                    .containsExactly(
                            List.of("1", "<null>"),
                            List.of("2", ""),
                            List.of("3", "tab\tnewline\nreturn\rback\\slash\b\f\u000b"),
                            List.of("4", "\\N"),
                            List.of("5", "Grüße 😀 日本"),
                            List.of("6", "\\."));
        }
    }

    /**
     * Also regclass, whose text depends on the search path, and with a statement_timeout that nothing would survive.
     */
    @Test
    void copyAndStreamPrintAlikeWhateverTheDatabaseIsSetTo() {
        postgres.execute(
                database,
                "CREATE TABLE g (id int PRIMARY KEY, at timestamptz, day date, span interval, f float8, r real, b bytea,"
                        + " m money, rc regclass)");
        for (String hostile : List.of(
                "TimeZone = 'Asia/Kolkata'",
                "DateStyle = 'German'",
                "IntervalStyle = 'sql_standard'",
                "bytea_output = 'escape'",
                "extra_float_digits = -5",
                "lc_monetary = 'C'",
                "search_path = public, pg_catalog",
                "quote_all_identifiers = on",
                "statement_timeout = '1ms'",
                "lock_timeout = '1ms'",
                "idle_in_transaction_session_timeout = '1ms'",
                "idle_session_timeout = '1ms'")) {
            postgres.execute("postgres", "ALTER DATABASE %s SET %s".formatted(database, hostile));
        }
        String row =
                "'2024-02-29 23:30:00+01', '2024-02-29', '1 day 02:03:04', 0.1::float8 + 0.2::float8, 1.1::real, '\\x00ff', 12.5,"
                        + " 'pg_class'";
        postgres.execute(database, "INSERT INTO g VALUES (1, %s)".formatted(row));
        List<String> expected = List.of(
                "2024-02-29 22:30:00+00",
                "2024-02-29",
                "P1DT2H3M4S",
                "0.30000000000000004",
                "1.1",
                "\\x00ff",
                "$12.50",
                "pg_class");
        try (SourceSession session = source.open()) {
            try (Snapshot snapshot = session.createSlot();
                    TableCopy copy = snapshot.copy(table(session))) {
                assertThat(StreamProbe.rows(copy).getFirst().subList(1, 9)).isEqualTo(expected);
            }
            session.start();
            postgres.execute(database, "INSERT INTO g VALUES (2, %s)".formatted(row));
            var probe = new StreamProbe(session);
            probe.readCommits(1);
            assertThat(probe.inserted.getFirst().subList(1, 9)).isEqualTo(expected);
        }
    }

    @Test
    void aCopyEndedEarlyLeavesTheSnapshotUsable() {
        postgres.execute(database, "INSERT INTO t SELECT n, repeat('x', 100) FROM generate_series(1, 100000) n");
        try (SourceSession session = source.open();
                Snapshot snapshot = session.createSlot()) {
            for (int attempt = 0; attempt < 3; attempt++) {
                try (TableCopy copy = snapshot.copy(table(session))) {
                    assertThat(copy.next()).isPresent();
                }
            }
            try (TableCopy copy = snapshot.copy(table(session))) {
                assertThat(StreamProbe.rows(copy)).hasSize(100_000);
            }
        }
    }

    @Test
    void closingTheSessionEndsACopyThatAnotherThreadReads() {
        postgres.execute(database, "INSERT INTO t SELECT n, repeat('x', 1000) FROM generate_series(1, 50000) n");
        SourceSession session = source.open();
        Snapshot snapshot = session.createSlot();
        TableShape shape = table(session);
        TableCopy copy = snapshot.copy(shape);
        assertThat(copy.next()).isPresent();
        session.close();
        assertThatThrownBy(() -> StreamProbe.rows(copy)).isInstanceOf(SourceFailure.class);
        // and it does not look like the end afterwards
        assertThatThrownBy(copy::next).isInstanceOf(SourceFailure.class);
        assertThatThrownBy(() -> snapshot.copy(shape)).isInstanceOf(SourceFailure.class);
    }

    @Test
    void aTemporarySlotIsGoneWithItsSnapshot() {
        try (SourceSession session = source.open()) {
            String temporary =
                    "SELECT count(*) FROM pg_replication_slots WHERE temporary AND database = '%s'".formatted(database);
            try (Snapshot one = session.snapshotBesideSlot();
                    Snapshot two = session.snapshotBesideSlot()) {
                assertThat(one.consistentPoint()).isLessThanOrEqualTo(two.consistentPoint());
                assertThat(postgres.query(database, temporary)).isEqualTo("2");
            }
            TestPostgres.await(
                    "the temporary slots to vanish",
                    () -> postgres.query(database, temporary).equals("0"));
        }
    }

    /** A merge may take hours: the slot is somebody else's to use meanwhile. */
    @Test
    void aTakenSnapshotNeedsNoSlotAndIsCopiedTwiceWithoutAnybodyWritingTheTableAnew() {
        postgres.execute(database, "INSERT INTO t SELECT n, 'before' FROM generate_series(1, 1000) n");
        String temporary =
                "SELECT count(*) FROM pg_replication_slots WHERE temporary AND database = '%s'".formatted(database);
        try (SourceSession session = source.open();
                Snapshot snapshot = session.snapshotBesideSlot().taken(table(session))) {
            TestPostgres.await(
                    "the temporary slot to vanish",
                    () -> postgres.query(database, temporary).equals("0"));
            postgres.execute(database, "DELETE FROM t WHERE id > 10");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> postgres.execute(database, "SET lock_timeout = '100ms'", "TRUNCATE t"))
                        .hasStackTraceContaining("lock timeout");
                try (TableCopy copy = snapshot.copy(table(session))) {
                    assertThat(StreamProbe.rows(copy)).hasSize(1000);
                }
            }
        }
    }

    @Test
    void whoeverHoldsATableExclusivelyIsWaitedForSoLongAndNamed() throws SQLException {
        PostgresSettings impatient =
                postgres.settings(database, "snapshot_" + database, "p").with(Duration.ofSeconds(8));
        try (var hurried = new PostgresSource(impatient, InstantSource.system());
                SourceSession session = hurried.open();
                Snapshot snapshot = session.snapshotBesideSlot();
                Connection other = postgres.connect(database);
                Statement open = other.createStatement()) {
            TableShape shape = table(session);
            open.execute("BEGIN; LOCK TABLE t");
            int pid = other.unwrap(PGConnection.class).getBackendPID();
            var copying = CompletableFuture.supplyAsync(() -> snapshot.taken(shape));
            TestPostgres.await(
                    "whom it waits for",
                    () -> session.waitsFor()
                            .filter(who -> who.contains("pid " + pid))
                            .isPresent());
            assertThatThrownBy(copying::join)
                    .cause()
                    .isInstanceOfSatisfying(
                            SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.TRANSIENT))
                    .hasMessageContaining("copy table public.t: waited for PT8S")
                    .hasMessageContaining("pid " + pid);
            assertThat(session.waitsFor()).isEmpty();
        }
    }

    /** A server that waits or sorts does not look at its client by itself, and whoever wants the table waits for it. */
    @Test
    void aCopyThatWasGivenUpWaitsForItsTableNoLonger() throws SQLException {
        String waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 't'::regclass";
        SourceSession session = source.open();
        try (Connection other = postgres.connect(database);
                Statement open = other.createStatement()) {
            Snapshot snapshot = session.snapshotBesideSlot();
            TableShape shape = table(session);
            assertThat(source.exclusiveHolder()).isEmpty();
            open.execute("BEGIN; LOCK TABLE t");
            if (postgres.serverMajor() >= 15) {
                assertThat(source.exclusiveHolder().orElseThrow()).endsWith("which holds table public.t exclusively");
            }
            var copying = CompletableFuture.supplyAsync(() -> snapshot.taken(shape));
            TestPostgres.await(
                    "it to wait", () -> postgres.query(database, waiting).equals("1"));
            session.close();
            assertThatThrownBy(copying::join).cause().isInstanceOf(SourceFailure.class);
            TestPostgres.await(
                    "nobody to wait", () -> postgres.query(database, waiting).equals("0"));
        }
    }

    @Test
    void aClosedSnapshotHoldsNothingBack() {
        try (SourceSession session = source.open()) {
            Snapshot snapshot = session.createSlot();
            String held =
                    "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'walsender' AND backend_xmin IS NOT NULL"
                            + " AND datname = '%s'".formatted(database);
            assertThat(postgres.query(database, held)).isEqualTo("1");
            snapshot.close();
            assertThat(postgres.query(database, held)).isEqualTo("0");
        }
    }

    @Test
    void rowLevelSecurityFailsLoudlyInsteadOfHidingRows() {
        String role = "reader_" + database;
        postgres.execute(
                database,
                "CREATE ROLE %s LOGIN REPLICATION".formatted(role),
                "GRANT SELECT ON t TO " + role,
                "ALTER TABLE t ENABLE ROW LEVEL SECURITY",
                "INSERT INTO t VALUES (1, 'hidden')");
        PostgresSettings settings = postgres.settings(database, "snapshot_" + database, "p", role);
        try (var restricted = new PostgresSource(settings, InstantSource.system());
                SourceSession session = restricted.open();
                Snapshot snapshot = session.createSlot()) {
            TableShape table = table(session);
            assertThatThrownBy(() -> {
                        try (TableCopy copy = snapshot.copy(table)) {
                            StreamProbe.rows(copy);
                        }
                    })
                    .isInstanceOfSatisfying(
                            SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.CREDENTIALS));
        }
    }

    @Test
    void aSortedCopyComparesValuesOrTheBytesThatItPrints() {
        postgres.execute(
                database,
                "CREATE TYPE size AS ENUM ('small', 'large')",
                "CREATE TABLE s (n int, t text, c char(3), b boolean, i inet, e size)",
                "INSERT INTO s VALUES (10, 'a', 'a', true, '10.0.0.1', 'small'), (9, 'B', E'a\\t', false, '10.0.0.10/8', 'large'),"
                        + " (NULL, 'é', 'b', NULL, NULL, NULL), (-1, 'a b', 'A', true, '9.0.0.0/8', 'large')",
                "DROP TABLE t");
        try (SourceSession session = source.open();
                Snapshot snapshot = session.createSlot()) {
            TableShape table = table(session);
            assertThat(sorted(snapshot, table, 0, SortColumn.Order.VALUE)).containsExactly("-1", "9", "10", "<null>");
            assertThat(sorted(snapshot, table, 0, SortColumn.Order.TEXT)).containsExactly("-1", "10", "9", "<null>");
            assertThat(sorted(snapshot, table, 1, SortColumn.Order.TEXT)).containsExactly("B", "a", "a b", "é");
            assertThat(sorted(snapshot, table, 2, SortColumn.Order.TEXT)).containsExactly("A  ", "a\t ", "a  ", "b  ");
            assertThat(sorted(snapshot, table, 3, SortColumn.Order.TEXT)).containsExactly("f", "t", "t", "<null>");
            assertThat(sorted(snapshot, table, 4, SortColumn.Order.TEXT))
                    .containsExactly("10.0.0.1", "10.0.0.10/8", "9.0.0.0/8", "<null>");
            assertThat(sorted(snapshot, table, 5, SortColumn.Order.VALUE))
                    .containsExactly("small", "large", "large", "<null>");
            assertThat(sorted(snapshot, table, 5, SortColumn.Order.TEXT))
                    .containsExactly("large", "large", "small", "<null>");
        }
    }

    private static List<String> sorted(Snapshot snapshot, TableShape table, int position, SortColumn.Order order) {
        try (TableCopy copy = snapshot.copy(table, List.of(new SortColumn(position, order)))) {
            return StreamProbe.rows(copy).stream().map(row -> row.get(position)).toList();
        }
    }

    private static TableShape table(SourceSession session) {
        return session.publication().tables().getFirst();
    }
}
