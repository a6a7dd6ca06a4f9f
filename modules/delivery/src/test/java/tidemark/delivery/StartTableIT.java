package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.replication.TestPostgres;

/** The rarer rows of the table of how a session begins, on a real PostgreSQL. */
@Tag("slow")
class StartTableIT extends StartTableCase {
    @ParameterizedTest
    @ValueSource(strings = {"database", "slot"})
    void anotherDatabaseOrSlotIsNotTheOneOfTheStateFile(String field) {
        settled();
        String ours = state();
        String others = ours.replaceFirst("\"" + field + "\":\"[^\"]+\"", "\"" + field + "\":\"elsewhere\"");
        assertThat(others).isNotEqualTo(ours);
        writeState(others);
        refused("the state file belongs to another source", "elsewhere");
        replica.with(settings -> settings);
        refusedAsItIs("the state file belongs to another source", "elsewhere");
        writeState(ours);
        mended();
    }

    /** With {@code resnapshot}, too: what the pipeline lost is not to be mended over somebody else's slot. */
    @Test
    void aSlotThatIsNotOursIsNamedAlsoWhereThePipelineWentBack() {
        replica.close();
        replica = Replica.withCheckpoints(postgres, directory);
        settled();
        replica.pipeline.checkpoint();
        // Feldera tells its start times in seconds.
        long second = Instant.now().getEpochSecond();
        TestPostgres.await("another second", () -> Instant.now().getEpochSecond() > second);
        replica.pipeline.restart();
        dropSlot();
        replica.sql("SELECT pg_create_logical_replication_slot('%s', 'test_decoding')".formatted(replica.slot));
        refusedAsItIs("slot " + replica.slot + " is not ours: its plugin is test_decoding");
        refused("slot " + replica.slot + " is not ours: its plugin is test_decoding");
        dropSlot();
    }

    /** Nothing of what is committed meanwhile is lost, for which that mode is there. */
    @Test
    void afterALossTheSlotIsMadeFirstAlsoWhereTheCopyIsInconsistent() {
        settled();
        dropSlot();
        replica.with(settings -> Settings.copying(settings, SnapshotMode.INCONSISTENT));
        replica.sql("DELETE FROM items");
        mended();
        assertThat(log.linesWith("WARNING", "lost what was committed")).isEmpty();
        assertThat(merged("users")).hasSize(1);
    }

    @Test
    void whatACopyLeftIsMergedOnceTheSlotWasMoved() {
        abandonMidCopy();
        replica.sql("DELETE FROM users WHERE id BETWEEN 1000 AND 5000");
        moveSlot();
        refusedOrMended("slot " + replica.slot + " was moved by somebody else", "left in Feldera table users");
    }

    @Test
    void aSlotThatWasMovedBeforeAnythingWasSentTakesNothingWithIt() {
        replica.reading(source -> new FineParts(source, () -> {
            throw new IllegalStateException("before the first row");
        }));
        replica.start();
        assertThat(replica.awaitExit()).isNotEqualTo(ExitCode.DRAINED);
        assertThat(state()).contains("PENDING");
        assertThat(replica.operations("users")).isZero();
        replica.reading(source -> source);
        replica.sql("UPDATE users SET name = 'behind the slot'");
        moveSlot();
        replica.with(Settings::stopping);
        replica.start();
        replica.awaitEqual();
        assertThat(merged("users")).isEmpty();
    }

    @Test
    void whatANewLifeTookFromUsIsMergedOnceTheSlotWasMoved() {
        abandonMidCopy();
        replica.pipeline.restartEmpty();
        postThroughOurEndpoint("users", "{\"insert\":{\"id\":-1,\"name\":\"meant for the life before\",\"at\":null}}");
        replica.sql("UPDATE users SET name = 'behind the slot' WHERE id = 1");
        moveSlot();
        refusedOrMended("slot " + replica.slot + " was moved by somebody else", "users (1 operations)");
    }

    @Test
    void aSlotWithoutAStateFileIsTakenOn() {
        replica.sql(
                "SELECT pg_create_logical_replication_slot('%s', 'pgoutput')".formatted(replica.slot),
                "INSERT INTO users VALUES (2, 'after the slot', NULL)",
                "DELETE FROM items");
        replica.with(Settings::stopping);
        replica.start();
        replica.awaitEqual();
        assertThat(log.linesWith("INFO created slot name=" + replica.slot)).isEmpty();
        assertThat(replica.operations("users")).as("not copied and streamed").isEqualTo(2);
        assertThat(log.linesWith("INFO quieting for_ms=", "a request sent earlier may still take effect"))
                .as("whoever had it may have left a request behind")
                .isNotEmpty();
    }

    /** A clean stop says how much was taken, to the operation. */
    @Test
    void aCountThatIsNotOursIsFoundAlsoByAnotherProcess() {
        settled();
        postThroughOurEndpoint("users", "{\"insert\":{\"id\":99,\"name\":\"stranger\",\"at\":null}}");
        replica.with(Settings::stopping);
        replica.start();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(log.linesWith(
                        "SEVERE stopping exit=78", "Feldera table users counted other operations than were sent to it"))
                .hasSize(1);
        assertThat(state()).contains("DOUBTED");
        assertThat(replica.operations("users")).isEqualTo(2);
        replica.with(settings -> settings);
        mended();
        assertThat(merged("users")).hasSize(1);
        assertThat(merged("items")).isEmpty();
    }

    @Test
    void withoutItsStateFileWhatFelderaHasIsMerged() throws IOException {
        settled();
        Files.delete(stateFile());
        replica.sql("DELETE FROM users");
        refusedOrMended("Feldera table users already took 1 operations, and the state file does not say");
        assertThat(merged("users")).hasSize(1);
    }

    @Test
    void aMergeThatBrokeIsMadeAgainWhateverThePolicy() {
        breakAMerge();
        replica.sql("DELETE FROM users WHERE id = 1");
        replica.with(Settings::stopping);
        replica.start();
        replica.awaitEqual();
        assertThat(merged("users")).anyMatch(line -> line.contains(StartPlan.BROKE_OFF));
    }

    /** In a life that has taken rows of ours, without a slot, it cannot be made again: nothing is read. */
    @Test
    void aMergeThatBrokeIsNotForgottenWhereTablesAreNeverRead() {
        breakAMerge();
        dropSlot();
        replica.pipeline.restartEmpty();
        postThroughOurEndpoint("users", "{\"insert\":{\"id\":-1,\"name\":\"meant for the life before\",\"at\":null}}");
        replica.with(Settings::streamingOnly);
        refusedAsItIs("slot " + replica.slot + " is gone, and with it went what would remove the rows");
        replica.with(settings -> settings);
        mended();
    }

    /** All tables have to be merged, and it ends before the first of them is through. */
    private void breakAMerge() {
        settled();
        dropSlot();
        replica.sql("INSERT INTO users SELECT g, 'missing', NULL FROM generate_series(1000, 20000) g");
        replica.pipeline.holdCompletions();
        replica.start();
        TestPostgres.await("a merge", () -> state().contains("MERGING") && replica.operations("users") > 1);
        replica.sever();
        replica.pipeline.releaseCompletions();
        replica.awaitSevered();
        assertThat(state()).contains("MERGING");
        TestPostgres.await("nobody to use the slot", () -> slots("active_pid IS NULL") == 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT pg_drop_replication_slot('%s')",
                "SELECT pg_replication_slot_advance('%s', pg_current_wal_lsn())"
            })
    void whereTablesAreNeverReadWhatIsLostIsRefused(String lost) {
        replica.with(Settings::streamingOnly);
        settledWithoutCopy();
        replica.sql("INSERT INTO users VALUES (2, 'two', NULL)", lost.formatted(replica.slot));
        refusedAsItIs("slot " + replica.slot, "snapshot.mode=initial");
        replica.with(settings -> settings);
        mended();
    }

    @Test
    void aTableThatWasLeftOutStreamsOnFromWhereItStood() throws SQLException {
        replica.with(Settings::stopping);
        replica.start();
        replica.awaitEqual();
        replica.awaitStreaming();
        try (Connection other = postgres.connect(replica.database);
                Statement open = other.createStatement()) {
            open.execute("BEGIN; INSERT INTO items VALUES (900, 1, 'keeps the temporary slot from being made')");
            assertThat(replica.resync(new RelationName("public", "users"))).isEqualTo(new ResyncReply.Accepted());
            TestPostgres.await("it to be left out on disk", () -> state().contains("LEFT_OUT"));
            String killedHere = state();
            replica.sql("INSERT INTO users VALUES (2, 'left out', NULL)");
            replica.abandon(); // which puts the table back first, as a kill does not
            writeState(killedHere);
            open.execute("ROLLBACK");
        }
        replica.sql("UPDATE users SET name = 'later' WHERE id = 1");
        replica.start();
        replica.awaitEqual();
        assertThat(replica.operations("users")).isEqualTo(3);
        assertThat(merged("users")).isEmpty();
        assertThat(log.linesWith("copying again")).isEmpty();
    }
}
