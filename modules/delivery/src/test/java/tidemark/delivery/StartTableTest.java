package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.decode.Lsn;
import tidemark.replication.TestPostgres;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinSettings;

/**
 * The table of how a session begins (docs/architecture.md), row by row, on a real PostgreSQL; what only the pure
 * function can show is in {@link StartPlanTest}, other systems and timelines in {@link OtherServerIT}.
 */
class StartTableTest {
    private final TestPostgres postgres = TestPostgres.shared();

    @TempDir
    Path directory;

    private Replica replica;
    private Listening log;

    @BeforeEach
    void listen() {
        log = new Listening();
        replica = new Replica(postgres, directory);
        replica.sql("INSERT INTO users VALUES (1, 'one', NULL)", "INSERT INTO items VALUES (1, 1, 'first')");
    }

    @AfterEach
    void close() {
        replica.close();
        log.close();
    }

    @Test
    void withoutASlotOneIsMadeAndEveryTableIsCopied() {
        replica.start();
        replica.awaitEqual();
        assertThat(replica.operations("users")).isEqualTo(1);
        assertThat(log.linesWith("INFO", "created slot", replica.slot)).hasSize(1);
    }

    /** A slot that somebody else is making is not ours to drop; when that was given up, ours is made. */
    @Test
    void aHalfMadeSlotIsWaitedForWhileItIsBeingMadeAndDroppedAfterwards() throws SQLException {
        try (Connection open = postgres.connect(replica.database);
                Statement transaction = open.createStatement()) {
            open.setAutoCommit(false);
            transaction.execute("INSERT INTO users VALUES (2, 'open', NULL)");
            Thread maker = Thread.ofVirtual().start(this::makeSlotAsSomebodyElse);
            TestPostgres.await("a half-made slot", () -> slots("confirmed_flush_lsn IS NULL") == 1);
            replica.start();
            TestPostgres.await(
                    "the wait for it", () -> replica.status().lastFailure().isPresent());
            assertThat(slots("confirmed_flush_lsn IS NULL")).isEqualTo(1);
            replica.sql(
                    "SELECT pg_cancel_backend(active_pid) FROM pg_replication_slots WHERE active_pid IS NOT NULL AND slot_name = '%s'"
                            .formatted(replica.slot));
            join(maker);
            open.commit();
        }
        replica.awaitEqual();
    }

    @Test
    void aSlotBehindIsReplayedAndNothingIsLostOrKeptTwice() {
        settled();
        replica.sql("SELECT pg_copy_logical_replication_slot('%1$s', 'copy_%1$s')".formatted(replica.slot));
        replica.start();
        replica.sql(
                "UPDATE users SET name = 'newer'", "DELETE FROM items", "INSERT INTO users VALUES (2, 'two', NULL)");
        replica.awaitEqual();
        stopped();
        replica.sql(
                "SELECT pg_drop_replication_slot('%s')".formatted(replica.slot),
                "SELECT pg_copy_logical_replication_slot('copy_%1$s', '%1$s')".formatted(replica.slot));
        Lsn behind = replica.confirmedFlush();
        replica.sql("INSERT INTO users VALUES (3, 'three', NULL)");
        replica.start();
        replica.awaitEqual();
        TestPostgres.await("the slot to move", () -> replica.confirmedFlush().isAfter(behind));
    }

    @Test
    void aSlotAheadWasMovedBySomebodyElse() {
        settled();
        replica.sql(
                "INSERT INTO users VALUES (2, 'two', NULL)",
                "SELECT pg_replication_slot_advance('%s', pg_current_wal_lsn())".formatted(replica.slot));
        refusedOrMended("slot " + replica.slot + " stands at", "somebody else moved it");
    }

    @Test
    void aSlotOfAnotherPluginIsNotOurs() {
        replica.sql("SELECT pg_create_physical_replication_slot('%s')".formatted(replica.slot));
        refused("slot " + replica.slot + " is not ours: it is a physical slot");
        replica.sql("SELECT pg_drop_replication_slot('%s')".formatted(replica.slot));
    }

    @Test
    void aSlotOfAnotherDatabaseIsNotOurs() {
        String other = postgres.newDatabase();
        String drop = "SELECT pg_drop_replication_slot('%s')".formatted(replica.slot);
        postgres.execute(other, "SELECT pg_create_logical_replication_slot('%s', 'pgoutput')".formatted(replica.slot));
        refused("slot " + replica.slot + " is not ours: it belongs to database " + other);
        postgres.execute(other, drop);
    }

    @Test
    void aSlotThatIsGoneTookTheChangesSinceWithIt() {
        settled();
        replica.sql("SELECT pg_drop_replication_slot('%s')".formatted(replica.slot));
        refusedOrMended("slot " + replica.slot + " is gone");
    }

    /** PostgreSQL looks the publication up as of the row that it decodes. */
    @Test
    void aPublicationThatWasMadeAfterTheSlotCannotTellOfWhatWasBefore() {
        replica.sql(
                "DROP PUBLICATION pub",
                "SELECT pg_create_logical_replication_slot('%s', 'pgoutput')".formatted(replica.slot),
                "INSERT INTO users VALUES (2, 'two', NULL)",
                "CREATE PUBLICATION pub FOR TABLE users, items");
        replica.start();
        if (postgres.serverMajor() >= 18) {
            replica.awaitEqual();
            return;
        }
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(log.linesWith("SEVERE", "publication \"pub\" does not exist", "must have existed before the slot"))
                .hasSize(1);
    }

    @Test
    void aPipelineThatCameBackEmptyIsFilledAgain() {
        settled();
        replica.pipeline.restartEmpty();
        replica.sql("DELETE FROM users", "INSERT INTO users VALUES (3, 'three', NULL)");
        refusedOrMended("the pipeline came back empty", "what was delivered to it is gone");
        for (String table : List.of("users", "items")) {
            assertThat(log.linesWith("WARNING copying again table=public." + table, "the pipeline came back empty"))
                    .hasSize(1);
        }
    }

    /** Nothing is read where tables are never read: what the stream brings from now on would be all there is. */
    @Test
    void aPipelineThatCameBackEmptyIsNotStreamedOnWhereTablesAreNeverRead() {
        replica.with(Settings::streamingOnly);
        settledWithoutCopy();
        replica.pipeline.restartEmpty();
        replica.start();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(log.linesWith("SEVERE", "the pipeline came back empty", "snapshot.mode=initial"))
                .hasSize(1);
        replica.with(settings -> settings);
        replica.start();
        replica.awaitEqual();
    }

    /** There was nothing to lose yet. */
    @Test
    void aPipelineThatCameBackEmptyDuringTheFirstCopyIsCopiedWhateverThePolicy() {
        replica.with(Settings::stopping);
        replica.pipeline.holdCompletions();
        replica.start();
        TestPostgres.await("rows of the copy", () -> replica.operations("users") > 0);
        replica.pipeline.restartEmpty();
        replica.pipeline.releaseCompletions();
        replica.awaitEqual();
    }

    @Test
    void aPipelineThatCameBackFromACheckpointMayLackWhatPostgresForgot() {
        replica.close();
        replica = Replica.withCheckpoints(postgres, directory);
        replica.sql("INSERT INTO users VALUES (1, 'one', NULL)");
        settled();
        replica.pipeline.checkpoint();
        // Feldera tells its start times in seconds.
        long second = Instant.now().getEpochSecond();
        TestPostgres.await("another second", () -> Instant.now().getEpochSecond() > second);
        replica.pipeline.restart();
        refusedOrMended("the pipeline was restarted from a checkpoint");
    }

    @Test
    void anotherPipelineIsNotTheOneOfTheStateFile() {
        settled();
        try (FelderaStandin other = FelderaStandin.start(StandinSettings.defaults())) {
            other.deploy("p", Replica.PROGRAM);
            try (var client = Replica.client(other.url())) {
                replica.through(_ -> client);
                refused("the state file belongs to another pipeline");
                replica.through(original -> original);
            }
        }
    }

    /** The one life that the state file knows may have moved to another address. */
    @Test
    void theSamePipelineUnderAnotherAddressGoesOn() {
        settled();
        replica.proxied();
        replica.sql("INSERT INTO users VALUES (2, 'two', NULL)");
        replica.start();
        replica.awaitEqual();
    }

    @Test
    void aTableThatIsAddedIsCopiedBesideTheSlotAndTheOthersGoOn() {
        onlyUsers();
        replica.sql("UPDATE items SET label = 'while it was not replicated'");
        replica.with(settings -> settings);
        replica.routes("users,items");
        replica.start();
        replica.awaitEqual();
        replica.sql("UPDATE items SET label = 'streamed'", "UPDATE users SET name = 'streamed'");
        replica.awaitEqual();
        assertThat(replica.operations("users")).isEqualTo(2);
    }

    /** What Feldera has of it stays, and nobody knows of how much: it is not taken up again silently. */
    @Test
    void aTableThatIsRemovedIsForgottenAndMergedWithWhatIsLeftOfItWhenItComesBack() {
        settled();
        onlyUsers();
        replica.sql("DELETE FROM items");
        replica.with(settings -> settings);
        replica.routes("users,items");
        refusedOrMended(
                "Feldera table items already took 1 operations, and the state file does not say what rows they left");
    }

    @Test
    void aTableThatWasRenamedIsTheSameOne() {
        settled();
        replica.sql(
                "ALTER TABLE items RENAME TO goods",
                "UPDATE goods SET label = 'renamed'",
                "INSERT INTO goods VALUES (2, 1, 'second')");
        replica.routes("users,goods:items");
        replica.start();
        replica.awaitRows("items", "1|1|renamed", "2|1|second");
        assertThat(replica.operations("items")).isEqualTo(3);
        stopped();
        replica.start();
        replica.sql("DELETE FROM goods WHERE id = 1");
        replica.awaitRows("items", "2|1|second");
        replica.routes("users");
    }

    @Test
    void aTableThatWasMadeAnewUnderTheSameNameIsAnotherOne() {
        settled();
        replica.sql(
                "DROP TABLE items",
                "CREATE TABLE items (id int PRIMARY KEY, owner bigint, label text)",
                "ALTER PUBLICATION pub ADD TABLE items");
        replica.sql("INSERT INTO items VALUES (2, 1, 'of the second')");
        refusedOrMended("table public.items was dropped and made anew");
    }

    /** Until tables can be read again one by one, the gap is told for as long as it is there. */
    @Test
    void aTableThatLeftThePublicationAndCameBackGoesOnAndItsGapIsTold() {
        settled();
        replica.sql(
                "ALTER PUBLICATION pub DROP TABLE items",
                "INSERT INTO items VALUES (2, 1, 'in the gap')",
                "ALTER PUBLICATION pub ADD TABLE items",
                "INSERT INTO items VALUES (3, 1, 'after it')");
        replica.start();
        replica.awaitRows("items", "1|1|first", "3|1|after it");
        assertThat(replica.drifts()).extracting(ConnectorStatus.Drift::kind).containsExactly(DriftKind.PUBLICATION);
        replica.sql("INSERT INTO items VALUES (2, 1, 'again') ON CONFLICT (id) DO UPDATE SET label = 'again'");
        replica.awaitEqual();
    }

    @Test
    void aTableThatIsMissingFromThePublicationIsRefused() {
        settled();
        replica.sql("ALTER PUBLICATION pub DROP TABLE items");
        refused("public.items");
    }

    /** Nothing was streamed into it: a copy is all there is. */
    @Test
    void aTableThatOnlyStreamedAndTookNothingIsCopiedOnceCopyingIsAskedFor() {
        replica.with(Settings::streamingOnly);
        settledWithoutCopy();
        replica.with(settings -> settings);
        replica.start();
        replica.awaitEqual();
    }

    @Test
    void aTableThatOnlyStreamedIsMergedWithWhatTheStreamBrought() {
        replica.with(Settings::streamingOnly);
        replica.start();
        replica.awaitStreaming();
        replica.sql("INSERT INTO users VALUES (2, 'two', NULL)");
        replica.awaitRows("users", "2|two|null");
        stopped();
        assertThat(log.linesWith("INFO created slot name=" + replica.slot)).hasSize(1);
        replica.with(settings -> settings);
        refusedOrMended(
                "Feldera table users already took 1 operations, and the state file does not say what rows they left");
    }

    private void settled() {
        replica.start();
        replica.awaitEqual();
        replica.awaitStreaming();
        stopped();
    }

    private void settledWithoutCopy() {
        replica.start();
        replica.awaitStreaming();
        stopped();
        assertThat(replica.rows("users")).isEmpty();
    }

    private void onlyUsers() {
        replica.routes("users");
        replica.with(Settings::ignoringUnlisted);
        settled();
    }

    private void stopped() {
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
    }

    /** With {@code snapshot.on-state-loss=stop}; else all of it is read again, and what was left is mended. */
    private void refusedOrMended(String... words) {
        refused(words);
        replica.with(settings -> settings);
        replica.sql("INSERT INTO users VALUES (7, 'seven', NULL)");
        replica.start();
        replica.awaitEqual();
        replica.sql("UPDATE users SET name = 'streamed'");
        replica.awaitEqual();
    }

    /** By name, once, with nothing streamed and the slot as it was. */
    private void refused(String... words) {
        replica.with(Settings::stopping);
        replica.start();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(log.linesWith(words)).as(String.join(" … ", words)).anyMatch(line -> line.startsWith("SEVERE"));
    }

    private int slots(String condition) {
        return Integer.parseInt(postgres.query(
                replica.database,
                "SELECT count(*) FROM pg_replication_slots WHERE slot_name = '%s' AND %s"
                        .formatted(replica.slot, condition)));
    }

    /** Waits for the open transaction until it is cancelled. */
    private void makeSlotAsSomebodyElse() {
        try (Connection connection = postgres.connect(replica.database);
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_create_logical_replication_slot('%s', 'pgoutput')".formatted(replica.slot));
        } catch (SQLException cancelled) {
            assertThat(cancelled.getSQLState()).isEqualTo("57014");
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
