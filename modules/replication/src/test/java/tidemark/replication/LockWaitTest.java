package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import tidemark.replication.SourceFailure.Kind;

/** Whoever holds a table exclusively is named, waited for no longer than patience, and not once nobody wants it. */
class LockWaitTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final long PART_BYTES = 16_384;

    private final TestPostgres postgres = TestPostgres.shared();
    private String database;
    private Connection other;
    private int pid;

    @BeforeEach
    void tables() throws SQLException {
        database = postgres.newDatabase();
        postgres.execute(
                database,
                "CREATE TABLE t (id int PRIMARY KEY)",
                "CREATE TABLE another (id int PRIMARY KEY)",
                "CREATE PUBLICATION p FOR ALL TABLES");
        other = postgres.connect(database);
        pid = other.unwrap(PGConnection.class).getBackendPID();
    }

    @AfterEach
    void dropSlots() throws SQLException {
        other.close();
        postgres.dropSlots(database);
    }

    private PostgresSource source(Duration patience) {
        return new PostgresSource(
                postgres.settings(database, "lock_" + database, "p").with(patience), InstantSource.system());
    }

    private void lock(String table) throws SQLException {
        try (Statement statement = other.createStatement()) {
            statement.execute("BEGIN; LOCK TABLE " + table);
        }
    }

    private void unlock() throws SQLException {
        try (Statement statement = other.createStatement()) {
            statement.execute("ROLLBACK");
        }
    }

    private String holder(String table) {
        return "whoever holds table %s, or asked for it first: pid %d ".formatted(table, pid);
    }

    /** Its root is what is published; of the leaves only the estimate is asked. */
    @Test
    void aLeafThatIsHeldKeepsNobodyFromBeginning() throws SQLException {
        postgres.execute(
                database,
                "CREATE TABLE root (id int PRIMARY KEY) PARTITION BY RANGE (id)",
                "CREATE TABLE leaf PARTITION OF root FOR VALUES FROM (0) TO (10)",
                "CREATE PUBLICATION via FOR TABLE root WITH (publish_via_partition_root = true)");
        lock("leaf");
        var settings = postgres.settings(database, "lock_" + database, "via").with(PATIENCE);
        try (var source = new PostgresSource(settings, InstantSource.system());
                SourceSession session = source.open()) {
            assertThat(session.publication().tables()).hasSize(1);
        }
        unlock();
    }

    private void awaitNobodyWaits() {
        String waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND database ="
                + " (SELECT oid FROM pg_database WHERE datname = current_database())";
        TestPostgres.await(
                "nobody to wait", () -> postgres.query(database, waiting).equals("0"));
    }

    private static void assertWaitedInVain(ThrowingCallable attempt, String... said) {
        assertThatThrownBy(attempt).isInstanceOfSatisfying(SourceFailure.class, e -> {
            assertThat(e.kind()).isEqualTo(Kind.TRANSIENT);
            assertThat(e.getMessage()).contains(said);
            assertThat(e.remedy()).contains("pg_terminate_backend");
        });
    }

    /** Something that a look at a publication opens: from 16 on its tables, too (measured: 15.17 does not). */
    private String opened() {
        return postgres.serverMajor() >= 16 ? "public.another" : "pg_catalog.pg_publication";
    }

    @Test
    void aPublicationIsReadWhenItsTablesAreLetGoAndNotLaterThanPatience() throws SQLException {
        lock(opened());
        try (PostgresSource source = source(PATIENCE);
                SourceSession session = source.open()) {
            assertWaitedInVain(session::publication, "read publication \"p\": waited for PT1S for " + holder(opened()));
            assertThat(session.waitsFor()).isEmpty();
            awaitNobodyWaits();
            unlock();
            assertThat(session.publication().tables()).hasSize(2);
        }
    }

    @Test
    void whoeverReadsAPublicationSeesForWhomItWaitsAndACloseEndsIt() throws SQLException {
        lock(opened());
        try (PostgresSource source = source(LONG)) {
            SourceSession session = source.open();
            var reading = CompletableFuture.supplyAsync(session::publication);
            TestPostgres.await("whom it waits for", () -> session.waitsFor().isPresent());
            assertThat(session.waitsFor().orElseThrow()).startsWith(holder(opened()));
            session.close();
            assertThatThrownBy(reading::join).hasCauseInstanceOf(SourceFailure.class);
            awaitNobodyWaits();
        }
    }

    @Test
    void tablesThatAreSharedAreWaitedForNoLongerThanPatience() throws SQLException {
        try (PostgresSource source = source(PATIENCE);
                SourceSession session = source.open();
                Snapshot snapshot = session.createSlot()) {
            var tables = session.publication().tables();
            lock("t");
            assertWaitedInVain(
                    () -> snapshot.share(tables, 2, PART_BYTES),
                    "copy 2 tables: waited for PT1S for " + holder("public.t"));
            unlock();
            snapshot.share(tables, 2, PART_BYTES).close();
        }
    }

    /** It would wait for the readers before it, and they for it. */
    @Test
    void aLaterReaderSaysWhoStandsBetweenItAndTheFirstAndDoesNotWaitLong() throws SQLException {
        try (PostgresSource source = source(LONG);
                SourceSession session = source.open();
                Snapshot snapshot = session.createSlot();
                SessionConnections connections =
                        new SessionConnections(new Connections(postgres.settings(database, "lock_" + database, "p")))) {
            var tables = session.publication().tables();
            var locks = new LockWait(new BackendWaits(connections), LONG);
            SharedCopy first = snapshot.share(tables, 1, PART_BYTES);
            var truncating = CompletableFuture.runAsync(this::truncate);
            TestPostgres.await(
                    "somebody who waits for the first",
                    () -> postgres.query(database, "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = " + pid)
                            .equals("1"));
            try (SharedCopy second = snapshot.share(tables.subList(0, 1), 1, PART_BYTES)) {
                var behind = (SnapshotReader) second.readers().getFirst();
                assertThatThrownBy(() -> locks.holdToo(behind, tables))
                        .isInstanceOfSatisfying(SourceFailure.class, e -> {
                            assertThat(e.kind()).isEqualTo(Kind.TRANSIENT);
                            assertThat(e.getMessage()).contains("waited for PT2S for " + holder("public.t"));
                            assertThat(e.remedy()).contains("TRUNCATE", "when the copy is over");
                        });
            }
            first.close();
            truncating.join();
        }
    }

    private void truncate() {
        try (Statement statement = other.createStatement()) {
            statement.execute("TRUNCATE t");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
