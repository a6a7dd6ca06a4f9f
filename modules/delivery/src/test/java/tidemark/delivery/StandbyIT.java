package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.ChangeSource;
import tidemark.replication.PartReader;
import tidemark.replication.PostgresSource;
import tidemark.replication.SharedCopy;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceFailure;
import tidemark.replication.SourceSession;
import tidemark.replication.TestPostgres;

/** A standby as the source: slot, snapshot and stream are its own, and what is written comes from the primary. */
@Tag("slow")
class StandbyIT {
    private static TestPostgres primary;
    private static TestPostgres standby;

    @TempDir
    Path directory;

    private Replica replica;

    @BeforeAll
    static void servers() {
        assumeTrue(TestPostgres.shared().serverMajor() >= 16, "standbys decode from 16 on");
        primary = TestPostgres.start(Map.of());
        standby = primary.standby();
        standby.execute(
                "postgres", "ALTER SYSTEM SET max_standby_streaming_delay = '100ms'", "SELECT pg_reload_conf()");
    }

    @AfterAll
    static void closeServers() {
        if (standby != null) standby.close();
        if (primary != null) primary.close();
    }

    @BeforeEach
    void replica() {
        replica = new Replica(primary, directory).reading(_ -> source(Duration.ofMinutes(1)));
        replica.sql("INSERT INTO users SELECT g, 'user ' || g, NULL FROM generate_series(1, 2000) g");
        awaitReplay();
    }

    @AfterEach
    void close() {
        replica.close();
        standby.dropSlots(replica.database);
    }

    private ChangeSource source(Duration patience) {
        return new PostgresSource(
                standby.settings(replica.database, replica.slot, "pub").with(patience), InstantSource.system());
    }

    private void awaitReplay() {
        awaitReplay(standby);
    }

    private void awaitReplay(TestPostgres server) {
        String written = primary.query(replica.database, "SELECT pg_current_wal_flush_lsn()");
        TestPostgres.await(
                "the standby to have it",
                () -> server.query("postgres", "SELECT pg_last_wal_replay_lsn() >= '%s'".formatted(written))
                        .equals("t"));
    }

    /** An idle primary does not write the record that a slot waits for. */
    private static void awaitWhileThePrimaryTellsWhatRuns(String what, BooleanSupplier condition) {
        TestPostgres.await(what, () -> {
            primary.execute("postgres", "SELECT pg_log_standby_snapshot()");
            return condition.getAsBoolean();
        });
    }

    @Test
    void slotCopyAndStreamOfAStandbyEndEqualToThePrimary() {
        replica.start();
        awaitWhileThePrimaryTellsWhatRuns(
                "a stream", () -> replica.status().phase().equals("streaming"));
        replica.awaitEqual();
        replica.sql(
                "INSERT INTO users VALUES (3000, 'streamed', NULL)",
                "UPDATE users SET id = -id WHERE id < 100",
                "DELETE FROM users WHERE id > 1000 AND id < 2000",
                "INSERT INTO items VALUES (1, 1, 'item')");
        replica.awaitEqual();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql("UPDATE users SET name = 'meanwhile' WHERE id = 3000");
        replica.start();
        replica.awaitEqual();
        assertThat(primary.query("postgres", "SELECT count(*) FROM pg_replication_slots"))
                .as("slots of the primary")
                .isEqualTo("0");
        replica.stop();
    }

    /** Nothing of the primary's transactions has a process here that could be named. */
    @Test
    void aSlotThatWaitsForThePrimarySaysSo() throws SQLException {
        try (Connection older = primary.connect(replica.database);
                Statement statement = older.createStatement();
                ChangeSource source = source(Duration.ofSeconds(3));
                SourceSession session = source.open()) {
            older.setAutoCommit(false);
            statement.execute("DELETE FROM users WHERE id = 1");
            primary.execute("postgres", "SELECT pg_log_standby_snapshot()");
            awaitReplay();
            assertThatThrownBy(session::createSlotWithoutSnapshot).isInstanceOfSatisfying(SourceFailure.class, e -> {
                assertThat(e.kind()).isEqualTo(SourceFailure.Kind.TRANSIENT);
                assertThat(e.getMessage()).contains("waited for PT3S", "of the primary");
                assertThat(e.remedy()).contains("on the primary: SELECT pg_log_standby_snapshot()");
            });
            older.rollback();
        }
    }

    /**
     * The lock that a copy has here keeps nobody on the primary waiting: what happened there is replayed, and ends it.
     */
    @Test
    void aCopyThatGaveWayToThePrimarySaysWhatHelps() {
        try (ChangeSource source = source(Duration.ofMinutes(1));
                SourceSession session = source.open()) {
            var creating = CompletableFuture.supplyAsync(session::createSlot);
            awaitWhileThePrimaryTellsWhatRuns("a slot", creating::isDone);
            try (Snapshot snapshot = creating.join();
                    SharedCopy shared = snapshot.share(session.publication().tables(), 1, 1 << 20)) {
                replica.sql("TRUNCATE users");
                awaitReplay();
                PartReader reader = shared.readers().getFirst();
                assertThatThrownBy(() -> reader.copy(shared.parts().getFirst()))
                        .isInstanceOfSatisfying(SourceFailure.class, e -> {
                            assertThat(e.kind()).isEqualTo(SourceFailure.Kind.TRANSIENT);
                            assertThat(e.getMessage()).contains("conflict with recovery", "40001");
                            assertThat(e.remedy()).contains("max_standby_streaming_delay");
                        });
            }
        }
    }

    /** Nobody may use it, or drop it, before the promotion: then it is a slot as any other. */
    @Test
    void aSlotThatThePrimaryKeepsInStepIsWaitedForUntilThePromotion() {
        assumeTrue(primary.serverMajor() >= 17, "slots are kept in step from 17 on");
        try (TestPostgres next = primary.standby();
                Listening log = new Listening()) {
            keepInStep(next);
            replica.reading(_ ->
                    new PostgresSource(next.settings(replica.database, replica.slot, "pub"), InstantSource.system()));
            replica.start();
            TestPostgres.await(
                    "a second look at the slot",
                    () -> log.linesWith(
                                            "WARNING session ended why=\"slot " + replica.slot,
                                            "is the primary's",
                                            "promote this standby")
                                    .size()
                            > 1);
            next.execute("postgres", "SELECT pg_promote()");
            replica.awaitStreaming();
            next.execute(replica.database, "INSERT INTO users VALUES (3000, 'promoted', NULL)");
            TestPostgres.await(
                    "what was written after the promotion",
                    () -> replica.target("users").size() == 2001);
            assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
            assertThat(log.linesWith("created slot")).isEmpty();
        } finally {
            primary.execute(
                    "postgres",
                    "SELECT pg_terminate_backend(active_pid, 60000) FROM pg_replication_slots WHERE slot_name = 'next'",
                    "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = 'next'");
            primary.dropSlots(replica.database);
        }
    }

    /** A slot of the primary for the replica, and the same on the other server. */
    private void keepInStep(TestPostgres other) {
        primary.execute(
                replica.database,
                "SELECT pg_create_physical_replication_slot('next')",
                "SELECT pg_create_logical_replication_slot('%s', 'pgoutput', false, false, true)"
                        .formatted(replica.slot));
        other.execute(
                "postgres",
                "ALTER SYSTEM SET primary_slot_name = 'next'",
                "ALTER SYSTEM SET primary_conninfo = 'host=127.0.0.1 port=%d user=%s dbname=postgres'"
                        .formatted(primary.port(), TestPostgres.USER),
                "SELECT pg_reload_conf()");
        TestPostgres.await(
                "the standby to use the slot",
                () -> primary.query("postgres", "SELECT active FROM pg_replication_slots WHERE slot_name = 'next'")
                        .equals("t"));
        TestPostgres.await("the slot on the standby", () -> {
            // the standby may have what the slot needs only from later on
            primary.execute(
                    replica.database,
                    "SELECT pg_log_standby_snapshot()",
                    "SELECT pg_replication_slot_advance('%s', pg_current_wal_lsn())".formatted(replica.slot));
            awaitReplay(other);
            other.execute("postgres", "SELECT pg_sync_replication_slots()");
            return other.query(
                            "postgres",
                            "SELECT count(*) FROM pg_replication_slots WHERE slot_name = '%s' AND synced AND NOT temporary"
                                    .formatted(replica.slot))
                    .equals("1");
        });
    }
}
