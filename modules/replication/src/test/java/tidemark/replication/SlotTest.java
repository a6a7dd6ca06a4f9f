package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.replication.SourceFailure.Kind;

/** Every state of a slot is told apart before the first row is streamed. */
class SlotTest {
    private final TestPostgres postgres = TestPostgres.shared();
    private String database;
    private String slot;
    private PostgresSource source;

    @BeforeEach
    void aPublishedTable() {
        database = postgres.newDatabase();
        slot = "slot_" + database;
        postgres.execute(database, "CREATE TABLE t (id int PRIMARY KEY)", "CREATE PUBLICATION p FOR TABLE t");
        source = new PostgresSource(postgres.settings(database, slot, "p"), InstantSource.system());
    }

    @AfterEach
    void dropSlots() {
        source.close();
        postgres.dropSlots(database);
    }

    @Test
    void aSlotThatDoesNotExistIsMissingAndCannotBeStreamedFrom() {
        assertThat(source.slot()).isEqualTo(new SlotStatus.Missing());
        try (SourceSession session = source.open()) {
            assertThat(session.slot()).isEqualTo(new SlotStatus.Missing());
            assertThatThrownBy(session::start)
                    .isInstanceOfSatisfying(
                            SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.SLOT_LOST));
        }
    }

    @Test
    void aCreatedSlotStandsAtItsConsistentPoint() {
        try (SourceSession session = source.open()) {
            Lsn created = session.createSlotWithoutSnapshot();
            assertThat(session.slot()).isInstanceOfSatisfying(SlotStatus.Usable.class, usable -> {
                assertThat(usable.confirmedFlush()).isEqualTo(created);
                assertThat(usable.restart()).isLessThanOrEqualTo(created);
                assertThat(usable.activePid()).isEmpty();
            });
            session.start();
            assertThat(((SlotStatus.Usable) source.slot()).activePid()).isPresent();
            assertThat(source.walEnd()).isGreaterThanOrEqualTo(created);
        }
    }

    @Test
    void slotsOfAnotherKindPluginOrDatabaseAreForeign() {
        postgres.execute(database, "SELECT pg_create_logical_replication_slot('%s', 'test_decoding')".formatted(slot));
        assertThat(source.slot()).isEqualTo(new SlotStatus.Foreign("its plugin is test_decoding, not pgoutput"));
        postgres.dropSlots(database);

        postgres.execute(database, "SELECT pg_create_physical_replication_slot('%s')".formatted(slot));
        assertThat(source.slot()).isEqualTo(new SlotStatus.Foreign("it is a physical slot"));
        postgres.execute(database, "SELECT pg_drop_replication_slot('%s')".formatted(slot));

        String elsewhere = postgres.newDatabase();
        postgres.execute(elsewhere, "SELECT pg_create_logical_replication_slot('%s', 'pgoutput')".formatted(slot));
        assertThat(source.slot()).isEqualTo(new SlotStatus.Foreign("it belongs to database " + elsewhere));
        postgres.dropSlots(elsewhere);
    }

    @Test
    void creatingASlotThatExistsFailsAndLeavesItAlone() {
        try (SourceSession session = source.open()) {
            Lsn created = session.createSlotWithoutSnapshot();
            assertThatThrownBy(session::createSlot)
                    .as("another instance was faster: it is waited for")
                    .isInstanceOfSatisfying(
                            SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.SLOT_BUSY));
            assertThat(session.start()).isEqualTo(created);
        }
    }

    @Test
    void aDroppedSlotIsMissingAndDroppingItAgainIsNothing() {
        try (SourceSession session = source.open()) {
            session.createSlotWithoutSnapshot();
            session.dropSlot();
            assertThat(session.slot()).isEqualTo(new SlotStatus.Missing());
            session.dropSlot();
        }
    }

    /**
     * While it waits for an older transaction, the slot is half-made; closing the session ends the wait and the slot.
     */
    @Test
    void closingTheSessionEndsTheWaitForOlderTransactionsAndLeavesNoSlot() throws SQLException {
        try (Connection older = postgres.connect(database);
                Statement statement = older.createStatement()) {
            older.setAutoCommit(false);
            statement.execute("INSERT INTO t VALUES (1)");
            SourceSession session = source.open();
            var creating = CompletableFuture.supplyAsync(session::createSlot);
            TestPostgres.await("a half-made slot", () -> source.slot().equals(new SlotStatus.HalfMade()));
            session.close();
            assertThatThrownBy(creating::join)
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.TRANSIENT));
            TestPostgres.await("the slot to vanish", () -> source.slot().equals(new SlotStatus.Missing()));
            older.rollback();
        }
    }

    @Test
    void creationGoesOnWhenTheOlderTransactionEnds() throws SQLException {
        try (Connection older = postgres.connect(database);
                Statement statement = older.createStatement();
                SourceSession session = source.open()) {
            older.setAutoCommit(false);
            statement.execute("INSERT INTO t VALUES (1)");
            var creating = CompletableFuture.supplyAsync(session::createSlot);
            TestPostgres.await("a half-made slot", () -> source.slot().equals(new SlotStatus.HalfMade()));
            // somebody else is not to take a slot that is being made
            try (SourceSession second = source.open()) {
                assertThatThrownBy(second::createSlot)
                        .isInstanceOfSatisfying(
                                SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.SLOT_BUSY));
            }
            older.commit();
            try (Snapshot snapshot = creating.join()) {
                TableShape table = session.publication().tables().getFirst();
                try (TableCopy copy = snapshot.copy(table)) {
                    assertThat(StreamProbe.rows(copy)).hasSize(1);
                }
            }
        }
    }

    @Test
    void aSlotWhoseWalWasRemovedIsLost() {
        try (var small = TestPostgres.start(
                        Map.of("max_slot_wal_keep_size", "1MB", "min_wal_size", "32MB", "max_wal_size", "32MB"));
                var itsSource = new PostgresSource(small.settings("postgres", slot, "p"), InstantSource.system())) {
            small.execute("postgres", "CREATE TABLE t (id int, v text)", "CREATE PUBLICATION p FOR TABLE t");
            try (SourceSession session = itsSource.open()) {
                session.createSlotWithoutSnapshot();
            }
            TestPostgres.await("the slot to be lost", () -> {
                small.execute(
                        "postgres",
                        "INSERT INTO t SELECT n, repeat('x', 1000) FROM generate_series(1, 10000) n",
                        "SELECT pg_switch_wal()",
                        "CHECKPOINT");
                return itsSource.slot() instanceof SlotStatus.Lost;
            });
            try (SourceSession session = itsSource.open()) {
                assertThatThrownBy(session::start)
                        .isInstanceOfSatisfying(
                                SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.SLOT_LOST));
                session.dropSlot();
                session.createSlotWithoutSnapshot();
                session.start();
            }
        }
    }

    @Test
    void theRoomThatIsLeftShrinksAsWalIsWritten() {
        assertThat(source.walRoom()).as("without a limit").isEmpty();
        try (var small = TestPostgres.start(Map.of("max_slot_wal_keep_size", "64MB"));
                var itsSource = new PostgresSource(small.settings("postgres", slot, "p"), InstantSource.system())) {
            small.execute("postgres", "CREATE TABLE t (id int)", "CREATE PUBLICATION p FOR TABLE t");
            assertThat(itsSource.walRoom()).as("without a slot").isEmpty();
            try (SourceSession session = itsSource.open()) {
                session.createSlotWithoutSnapshot();
            }
            WalRoom before = itsSource.walRoom().orElseThrow();
            assertThat(before.limitBytes()).isEqualTo(64 << 20);
            assertThat(before.leftBytes()).isGreaterThan(32 << 20);
            small.execute("postgres", "INSERT INTO t VALUES (1)", "SELECT pg_switch_wal()");
            assertThat(itsSource.walRoom().orElseThrow().leftBytes()).isLessThan(before.leftBytes());
        }
    }

    @Test
    void monitoringConnectsAgainAfterItsConnectionWasCut() {
        source.slot();
        postgres.execute(
                database,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '%s' AND pid <> pg_backend_pid()"
                        .formatted(database));
        assertThatThrownBy(source::slot)
                .isInstanceOfSatisfying(
                        SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.TRANSIENT));
        assertThat(source.slot()).isEqualTo(new SlotStatus.Missing());
    }

    @Test
    void aClosedSourceAnswersNothing() {
        source.slot();
        source.close();
        assertThatThrownBy(source::walEnd).isInstanceOf(SourceFailure.class);
    }
}
