package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import tidemark.replication.SourceFailure.Kind;

/** A slot that waits for somebody's transaction says whose, waits no longer than it may, and leaves nothing behind. */
class SlotWaitTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final TestPostgres postgres = TestPostgres.shared();
    private String database;
    private String slot;

    @BeforeEach
    void aPublishedTable() {
        database = postgres.newDatabase();
        slot = "slot_" + database;
        postgres.execute(database, "CREATE TABLE t (id int PRIMARY KEY)", "CREATE PUBLICATION p FOR TABLE t");
    }

    @AfterEach
    void dropSlots() {
        postgres.dropSlots(database);
    }

    private PostgresSource source(Duration patience) {
        return new PostgresSource(postgres.settings(database, slot, "p").with(patience), InstantSource.system());
    }

    private String slots() {
        return postgres.query(
                database, "SELECT count(*) FROM pg_replication_slots WHERE database = '%s'".formatted(database));
    }

    /** Fails, transient, after patience; nothing is left behind, and the same session could try again. */
    private String givesUp(Function<SourceSession, Object> creation) {
        String[] said = new String[1];
        try (PostgresSource source = source(PATIENCE);
                SourceSession session = source.open()) {
            assertThatThrownBy(() -> creation.apply(session)).isInstanceOfSatisfying(SourceFailure.class, e -> {
                assertThat(e.kind()).as(e.getMessage()).isEqualTo(Kind.TRANSIENT);
                assertThat(e.remedy()).contains("session.give-up-after");
                said[0] = e.getMessage();
            });
            assertThat(slots()).isEqualTo("0");
            assertThat(session.slot()).isEqualTo(new SlotStatus.Missing());
        }
        return said[0];
    }

    private void makesASlot() {
        try (PostgresSource source = source(Duration.ofMinutes(1));
                SourceSession session = source.open()) {
            session.createSlot().close();
            assertThat(session.slot()).isInstanceOf(SlotStatus.Usable.class);
        }
    }

    /** Transaction ids are the server's, so one of another database is waited for, too. */
    @Test
    void aTransactionOfAnotherDatabaseIsNamedWhenPatienceIsOver() throws SQLException {
        String elsewhere = postgres.newDatabase();
        try (Connection older = postgres.connect(elsewhere);
                Statement statement = older.createStatement()) {
            older.setAutoCommit(false);
            statement.execute("SET application_name = 'nightly'");
            statement.execute("SELECT pg_current_xact_id()");
            int pid = older.unwrap(PGConnection.class).getBackendPID();
            String named = "pid %d application='nightly' database=%s open for PT".formatted(pid, elsewhere);

            assertThat(givesUp(SourceSession::createSlot))
                    .startsWith("create replication slot " + slot + ": waited for PT1S ")
                    .contains(named);
            assertThat(givesUp(SourceSession::createSlotWithoutSnapshot)).contains(named);
            assertThat(givesUp(SourceSession::snapshotBesideSlot)).contains(named);
            older.rollback();
        }
        makesASlot();
    }

    /** It has no process that could be ended: pid 0 helps nobody. */
    @Test
    void aPreparedTransactionIsNamedByItsGid() {
        postgres.execute(
                database,
                "BEGIN",
                "INSERT INTO t VALUES (1)",
                "PREPARE TRANSACTION 'order 17 of %s'".formatted(database));
        try {
            assertThat(givesUp(SourceSession::createSlot))
                    .contains("prepared transaction 'order 17 of %s' database=%s open for PT"
                            .formatted(database, database))
                    .doesNotContain("pid");
        } finally {
            postgres.execute(database, "ROLLBACK PREPARED 'order 17 of %s'".formatted(database));
        }
        makesASlot();
    }

    @Test
    void whomItWaitsForIsSeenMeanwhileAndAStopLeavesNothingBehind() throws SQLException {
        try (Connection older = postgres.connect(database);
                Statement statement = older.createStatement();
                PostgresSource source = source(Duration.ofMinutes(1))) {
            older.setAutoCommit(false);
            statement.execute("INSERT INTO t VALUES (1)");
            int pid = older.unwrap(PGConnection.class).getBackendPID();
            SourceSession session = source.open();
            assertThat(session.waitsFor()).isEmpty();
            var creating = CompletableFuture.supplyAsync(session::createSlot);
            TestPostgres.await("a look", () -> session.waitsFor().isPresent());
            assertThat(session.waitsFor().orElseThrow()).startsWith("pid %d application=".formatted(pid));
            session.close();
            assertThatThrownBy(creating::join).hasCauseInstanceOf(SourceFailure.class);
            TestPostgres.await("the slot to vanish", () -> slots().equals("0"));
            assertThat(session.waitsFor()).isEmpty();
            older.rollback();
        }
        makesASlot();
    }

    /** A look by a role that may not see what others do. */
    @Test
    void aRoleWithoutMonitoringStillNamesThePid() throws SQLException {
        String role = "replicator_" + database;
        postgres.execute(database, "CREATE ROLE %s LOGIN REPLICATION".formatted(role));
        try (Connection older = postgres.connect(database);
                Statement statement = older.createStatement();
                var source = new PostgresSource(
                        postgres.settings(database, slot, "p", role).with(PATIENCE), InstantSource.system());
                SourceSession session = source.open()) {
            older.setAutoCommit(false);
            statement.execute("INSERT INTO t VALUES (1)");
            int pid = older.unwrap(PGConnection.class).getBackendPID();
            assertThatThrownBy(session::createSlot).hasMessageContaining("pid %d application=".formatted(pid));
            older.rollback();
        }
    }

    /** A slot waits for others, and a snapshot for its copies, for longer than a database may let its users be idle. */
    @Test
    void noTimeoutOfDatabaseOrRoleEndsTheWaitOrTheSnapshot() throws SQLException {
        String role = "owner_" + database;
        postgres.execute(
                database,
                "INSERT INTO t SELECT generate_series(1, 100000)",
                "CREATE ROLE %s LOGIN REPLICATION".formatted(role),
                "GRANT SELECT ON t TO " + role);
        List<String> timeouts = new ArrayList<>(List.of(
                "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout"));
        if (postgres.serverMajor() >= 17) timeouts.add("transaction_timeout");
        for (String timeout : timeouts) {
            postgres.execute(
                    "postgres",
                    "ALTER DATABASE %s SET %s = '300ms'".formatted(database, timeout),
                    "ALTER ROLE %s SET %s = '200ms'".formatted(role, timeout));
        }
        try (Connection older = postgres.connect("postgres");
                Statement statement = older.createStatement();
                var source = new PostgresSource(postgres.settings(database, slot, "p", role), InstantSource.system());
                SourceSession session = source.open()) {
            older.setAutoCommit(false);
            statement.execute("SELECT pg_current_xact_id()");
            var creating = CompletableFuture.supplyAsync(session::createSlot);
            TestPostgres.await("a look, after 2 s", () -> session.waitsFor().isPresent());
            older.rollback();
            try (Snapshot snapshot = creating.join()) {
                TableShape shape = session.publication().tables().getFirst();
                // the copy is more than the socket holds: it stands still as long as nobody reads
                try (TableCopy copy = snapshot.copy(shape)) {
                    long until = System.nanoTime() + Duration.ofSeconds(1).toNanos();
                    TestPostgres.await("more than any timeout", () -> System.nanoTime() > until);
                    assertThat(StreamProbe.rows(copy)).hasSize(100_000);
                }
                try (TableCopy copy = snapshot.copy(shape)) {
                    assertThat(copy.next()).isPresent();
                }
            }
        }
    }
}
