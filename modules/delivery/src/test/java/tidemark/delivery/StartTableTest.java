package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidemark.decode.Lsn;
import tidemark.replication.TestPostgres;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinSettings;

/**
 * Rows of the table of how a session begins (docs/architecture.md) on a real PostgreSQL; {@link StartRows} says which
 * test drives which.
 */
class StartTableTest extends StartTableCase {
    @Test
    void withoutASlotOneIsMadeAndEveryTableIsCopied() {
        replica.start();
        replica.awaitEqual();
        assertThat(replica.operations("users")).isEqualTo(1);
        assertThat(log.linesWith("INFO", "created slot", replica.slot)).hasSize(1);
    }

    /** It is not ours to drop; when its maker gives up, PostgreSQL takes it away, and ours is made. */
    @Test
    void aHalfMadeSlotIsWaitedForWhileItIsBeingMade() throws SQLException {
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT pg_create_physical_replication_slot('%s') | it is a physical slot",
                "SELECT pg_create_logical_replication_slot('%s', 'test_decoding') | its plugin is test_decoding, not pgoutput"
            })
    void aSlotOfAnotherPluginIsNotOurs(String create, String why) {
        replica.sql(create.formatted(replica.slot));
        refused("slot " + replica.slot + " is not ours: " + why);
        dropSlot();
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

    private void onlyUsers() {
        replica.routes("users");
        replica.with(Settings::ignoringUnlisted);
        settled();
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
