package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.delivery.DeliverySettings.OnStateLoss;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.replication.PostgresSource;
import tidemark.replication.SlotStatus;
import tidemark.replication.TestPostgres;

/** A slot is dropped when its name was typed, nobody uses it and it is ours; what is said of the next run is so. */
class SlotDropTest {
    @TempDir
    Path directory;

    private final List<String> told = new ArrayList<>();
    private Replica replica;
    private PostgresSource source;
    private Path stateFile;

    @BeforeEach
    void replica() {
        replica = new Replica(TestPostgres.shared(), directory);
        stateFile = directory.resolve("state.json");
        replica.keepStateIn(stateFile);
        source = new PostgresSource(
                replica.postgres.settings(replica.database, replica.slot, "pub"), InstantSource.system());
        replica.sql("INSERT INTO users VALUES (1, 'one', NULL)");
    }

    @AfterEach
    void close() {
        source.close();
        replica.close();
    }

    private SlotDrop drop() {
        told.clear();
        return new SlotDrop(source, stateFile, SnapshotMode.INITIAL, OnStateLoss.STOP, told::add);
    }

    private ExitCode typing(String answer) {
        return drop().run(() -> Optional.of(answer));
    }

    private static Optional<String> notAsked() {
        throw new AssertionError("asked");
    }

    private void deliver() {
        replica.start();
        replica.awaitStreaming();
        replica.awaitEqual();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
    }

    @Test
    void nothingButItsNameDropsItAndTheNextRunDoesAsItWasSaid() {
        deliver();
        SlotStatus.Usable slot = (SlotStatus.Usable) replica.slotStatus();
        replica.sql("INSERT INTO users VALUES (2, 'lost', NULL)");

        assertThat(typing("y")).isEqualTo(ExitCode.USAGE);
        assertThat(told.getLast()).isEqualTo("nothing was dropped");
        assertThat(drop().run(Optional::empty)).isEqualTo(ExitCode.USAGE);
        assertThat(replica.slotStatus()).isEqualTo(slot);

        assertThat(typing(replica.slot + " ")).isEqualTo(ExitCode.DRAINED);
        assertThat(String.join("\n", told))
                .contains("slot %s of database %s".formatted(replica.slot, replica.database))
                .contains("confirmed_flush_lsn %s: ".formatted(slot.confirmedFlush()))
                .contains("restart_lsn %s: it keeps ".formatted(slot.restart()))
                .contains("public.users -> users: copied, and delivered up to ")
                .contains("refuses (exit 78)", "Start it once with snapshot.on-state-loss=resnapshot")
                .endsWith("dropped slot " + replica.slot);
        assertThat(replica.slotStatus()).isEqualTo(new SlotStatus.Missing());

        replica.with(Settings::stopping);
        replica.start();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
        replica.with(settings -> settings);
        replica.start();
        replica.awaitEqual();
    }

    /** What was said of it, and answered, was of another slot. */
    @Test
    void aSlotThatMovesWhileSomebodyThinksIsNotDropped() {
        deliver();
        replica.sql("INSERT INTO users VALUES (2, 'kept', NULL)");
        assertThat(drop().run(() -> {
                    replica.sql(
                            "SELECT pg_replication_slot_advance('%s', pg_current_wal_lsn())".formatted(replica.slot));
                    return Optional.of(replica.slot);
                }))
                .isEqualTo(ExitCode.TEMPORARY);
        assertThat(replica.slotStatus()).isInstanceOf(SlotStatus.Usable.class);
    }

    @Test
    void aSlotThatIsMissingIsNothingToDropAndNobodyIsAsked() {
        assertThat(drop().run(SlotDropTest::notAsked)).isEqualTo(ExitCode.DRAINED);
        assertThat(told).containsExactly("there is no slot %s: nothing to drop".formatted(replica.slot));
    }

    @Test
    void aSlotInUseIsRefusedWithThePidOfItsWalsender() {
        replica.start();
        replica.awaitStreaming();
        int pid = ((SlotStatus.Usable) replica.slotStatus()).activePid().orElseThrow();
        try (var log = new Listening()) {
            assertThat(drop().runUnasked()).isEqualTo(ExitCode.TEMPORARY);
            assertThat(log.linesWith("SEVERE slot not dropped", "walsender with pid " + pid))
                    .hasSize(1);
        }
        assertThat(told).isEmpty();
    }

    /** Then nobody holds the slot, but it is in use all the same. */
    @Test
    void theSlotOfAServiceThatCopiesIsRefused() {
        replica.sql("INSERT INTO users SELECT g, 'user', NULL FROM generate_series(2, 20000) g");
        replica.pipeline.holdCompletions();
        replica.start();
        TestPostgres.await("a full window in the copy", () -> replica.pipeline.ingressRequests("users") >= 5);
        assertThat(drop().runUnasked()).isEqualTo(ExitCode.TEMPORARY);
        assertThat(replica.slotStatus()).isInstanceOf(SlotStatus.Usable.class);
        replica.pipeline.releaseCompletions();
        replica.awaitEqual();
    }

    @Test
    void aSlotOfAnotherPluginOrDatabaseIsRefused() {
        replica.sql("SELECT pg_create_logical_replication_slot('%s', 'test_decoding')".formatted(replica.slot));
        assertThat(drop().runUnasked()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(replica.slotStatus()).isInstanceOf(SlotStatus.Foreign.class);
        replica.postgres.dropSlots(replica.database);

        String elsewhere = replica.postgres.newDatabase();
        replica.postgres.execute(
                elsewhere, "SELECT pg_create_logical_replication_slot('%s', 'pgoutput')".formatted(replica.slot));
        assertThat(drop().runUnasked()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(replica.slotStatus()).isInstanceOf(SlotStatus.Foreign.class);
        replica.postgres.dropSlots(elsewhere);
    }

    /** Its own remedy is to drop the slot. */
    @Test
    void aStateFileThatCannotBeReadKeepsNobodyFromStartingOver() throws IOException {
        deliver();
        Files.writeString(stateFile, "{");
        assertThat(drop().runUnasked()).isEqualTo(ExitCode.DRAINED);
        assertThat(String.join("\n", told)).contains("is damaged. The next run refuses (exit 78).");
        assertThat(replica.slotStatus()).isEqualTo(new SlotStatus.Missing());
    }

    @Test
    void aServerThatCannotBeReachedIsNoSlotThatIsGone() {
        try (var nowhere = new PostgresSource(
                replica.postgres.settings(replica.database, replica.slot, "pub", "nobody_" + replica.database),
                InstantSource.system())) {
            var drop = new SlotDrop(nowhere, stateFile, SnapshotMode.INITIAL, OnStateLoss.STOP, told::add);
            assertThat(drop.runUnasked()).isEqualTo(ExitCode.CREDENTIALS);
        }
    }
}
