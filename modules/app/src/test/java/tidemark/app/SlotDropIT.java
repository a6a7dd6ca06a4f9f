package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.PostgresSource;
import tidemark.replication.SlotStatus;
import tidemark.replication.SourceSession;
import tidemark.replication.TestPostgres;

/** {@code tidemark slot drop} as it is shipped, with nothing of Feldera in its environment. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class SlotDropIT {
    @TempDir
    Path folder;

    private final TestPostgres postgres = TestPostgres.shared();

    @Test
    void dropsTheSlotThatWasNamedAndNoOther() throws InterruptedException {
        String database = postgres.newDatabase();
        Map<String, String> environment = Map.of(
                "POSTGRES_URL", postgres.url(database), "POSTGRES_USER", TestPostgres.USER, "POSTGRES_SLOT", database);
        assertThat(typing("yes", environment)).contains("exit 0", "there is no slot " + database);
        try (var source = new PostgresSource(postgres.settings(database, database, "p"), InstantSource.system())) {
            try (SourceSession session = source.open()) {
                session.createSlotWithoutSnapshot();
            }
            assertThat(typing("yes", environment))
                    .contains("exit 64", "confirmed_flush_lsn ", "Type the slot's name", "nothing was dropped");
            assertThat(source.slot()).isInstanceOf(SlotStatus.Usable.class);
            assertThat(typing(database, environment)).contains("exit 0", "dropped slot " + database);
            assertThat(source.slot()).isEqualTo(new SlotStatus.Missing());
        } finally {
            postgres.dropSlots(database);
        }
    }

    private String typing(String answer, Map<String, String> environment) throws InterruptedException {
        try (var drop = Tidemark.start(folder, folder.resolve("drop.out"), environment, "slot", "drop")) {
            drop.answer(answer);
            return "exit %d%n%s".formatted(drop.exitCode(), drop.output());
        }
    }
}
