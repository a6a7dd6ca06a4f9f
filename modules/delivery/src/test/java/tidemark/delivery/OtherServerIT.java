package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;

/** A position means nothing on another server, and after a promotion this one is another. */
@Tag("slow")
class OtherServerIT {
    @TempDir
    Path directory;

    @Test
    void anotherServerIsNotTheOneOfTheStateFile() {
        Path state = directory.resolve("state.json");
        settle(state);
        try (TestPostgres other = TestPostgres.start(Map.of());
                Replica replica = new Replica(other, directory);
                Listening log = new Listening()) {
            replica.keepStateIn(state);
            replica.start();
            assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(log.linesWith("SEVERE", "the state file belongs to another source"))
                    .isNotEmpty();
        }
    }

    private void settle(Path state) {
        try (TestPostgres postgres = TestPostgres.start(Map.of());
                Replica replica = new Replica(postgres, directory)) {
            replica.keepStateIn(state);
            replica.start();
            replica.awaitStreaming();
            assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        }
    }

    /** Recovery from an archive, without one, ends at once on a new timeline. */
    @Test
    void aServerThatWasPromotedIsOnAnotherTimeline() throws IOException {
        try (TestPostgres postgres = TestPostgres.start(Map.of());
                Replica replica = new Replica(postgres, directory);
                Listening log = new Listening()) {
            replica.sql("INSERT INTO users VALUES (1, 'one', NULL)");
            replica.start();
            replica.awaitEqual();
            assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
            postgres.stop();
            Files.createFile(postgres.dataDirectory().resolve("recovery.signal"));
            Files.writeString(
                    postgres.dataDirectory().resolve("postgresql.auto.conf"),
                    "restore_command = 'false'\n",
                    StandardOpenOption.APPEND);
            postgres.startAgain();
            TestPostgres.await(
                    "the end of recovery",
                    () -> postgres.query(replica.database, "SELECT pg_is_in_recovery()")
                            .equals("f"));
            replica.sql("DELETE FROM users", "INSERT INTO users VALUES (2, 'two', NULL)");
            replica.with(Settings::stopping);
            replica.start();
            assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(log.linesWith("SEVERE", "the server is on timeline 2", "timeline 1"))
                    .isNotEmpty();
            assertThat(replica.target("users")).hasSize(1);
            replica.with(settings -> settings);
            replica.start();
            replica.awaitEqual();
        }
    }

    /** What {@code max_slot_wal_keep_size} takes: the WAL is gone, and nothing brings it back. */
    @Test
    void aSlotThatLostItsWalIsToldOnce() {
        try (TestPostgres postgres = TestPostgres.start(
                        Map.of("max_slot_wal_keep_size", "1MB", "min_wal_size", "32MB", "max_wal_size", "32MB"));
                Replica replica = new Replica(postgres, directory);
                Listening log = new Listening()) {
            replica.sql("INSERT INTO users VALUES (1, 'one', NULL)");
            replica.start();
            replica.awaitStreaming();
            assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
            replica.sql("CREATE TABLE noise (x text)");
            for (int i = 0; i < 4; i++) {
                replica.sql(
                        "INSERT INTO noise SELECT repeat('w', 1000) FROM generate_series(1, 5000)",
                        "SELECT pg_switch_wal()",
                        "CHECKPOINT");
            }
            replica.sql("DELETE FROM users WHERE id = 1", "INSERT INTO users VALUES (2, 'two', NULL)");
            replica.with(Settings::stopping);
            replica.start();
            assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(log.linesWith("SEVERE", "slot " + replica.slot, "lost the WAL it stood for"))
                    .hasSize(1);
            replica.with(Settings::streamingOnly);
            replica.start();
            assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(log.linesWith("SEVERE", "slot " + replica.slot, "lost the WAL it stood for"))
                    .as("where tables are never read")
                    .hasSize(2);
            replica.with(settings -> settings);
            replica.start();
            replica.awaitEqual();
            assertThat(log.linesWith("INFO dropped slot name=" + replica.slot + " why="))
                    .hasSize(1);
            assertThat(log.linesWith("INFO created slot name=" + replica.slot)).hasSize(2);
        }
    }
}
