package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import jakarta.json.JsonObject;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinPipeline;
import tidemark.standin.StandinSettings;

/** Real signals to the packaged service: what it makes of the first, of another, and of none in time (ADR 0007). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class StopIT {
    private static final int SIGINT = 2;

    @TempDir
    Path folder;

    private final Client client = ClientBuilder.newClient();
    private final TestPostgres postgres = TestPostgres.shared();
    private FelderaStandin feldera;
    private StandinPipeline pipeline;
    private String database;

    @BeforeEach
    void aTableHereAndThere() {
        database = postgres.newDatabase();
        postgres.execute(
                database, "CREATE TABLE users (id bigint PRIMARY KEY)", "CREATE PUBLICATION tidemark FOR TABLE users");
        feldera = FelderaStandin.start(StandinSettings.defaults());
        pipeline = feldera.deploy("shop", "CREATE TABLE users (id BIGINT NOT NULL PRIMARY KEY);");
    }

    @AfterEach
    void close() {
        client.close();
        feldera.close();
        postgres.dropSlots(database);
    }

    /** It reads its configuration, from a pipe that says nothing: as early as a test can hold it. */
    @Test
    void aStopBeforeAnythingWasStartedIsADrainedStop() throws IOException, InterruptedException {
        Path file = folder.resolve("configuration");
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        try (var tidemark = Tidemark.start(folder, Map.of(), "run", "--config", file.toString());
                var _ = Files.newOutputStream(file)) { // returns once it is open for reading
            tidemark.terminate();
            assertThat(tidemark.exitCode()).as(tidemark.output()).isZero();
            assertThat(tidemark.lastLine()).contains("stopped tidemark exit=0");
        }
    }

    @Test
    void theSameSignalAgainEndsAtOnceAndSaysWhatARestartReplays() throws InterruptedException {
        try (var tidemark = streamingWithABatchThatDoesNotComplete("PT10M")) {
            tidemark.terminate();
            awaitPhase(tidemark, "draining");
            tidemark.terminate();
            assertThat(tidemark.exitCode()).as(tidemark.output()).isEqualTo(75);
            assertThat(tidemark.lastLine())
                    .contains("stopped tidemark exit=75", "batches_in_flight=1", "replays=\"what comes after it\"")
                    .contains("confirmed=" + confirmedFlush());
        }
        // and a restart does replay it
        pipeline.releaseCompletions();
        try (var tidemark = Tidemark.start(folder, environment("PT10M"))) {
            TestPostgres.await(
                    "the row again",
                    () -> status(tidemark).getJsonObject("batches").getInt("completed") == 1);
        }
    }

    /** Ctrl-C is SIGINT from the terminal and, where there is a parent that passes it on, SIGTERM too. */
    @Test
    void anotherSignalDoesNotCutTheDrainShort() throws InterruptedException, IOException {
        assumeThat(ignoresSigint())
                .as(
                        "whoever started the tests ignores SIGINT, as a shell does for its background; a JVM then does, too")
                .isFalse();
        try (var tidemark = streamingWithABatchThatDoesNotComplete("PT10M")) {
            tidemark.signal("INT");
            awaitPhase(tidemark, "draining");
            tidemark.terminate();
            TestPostgres.await("both", () -> tidemark.output().contains("stop asked signal=TERM"));
            pipeline.releaseCompletions();
            assertThat(tidemark.exitCode()).as(tidemark.output()).isZero();
            assertThat(tidemark.lastLine())
                    .contains("stopped tidemark exit=0", "replays=nothing", "confirmed_flush_lsn=" + confirmedFlush());
        }
    }

    @Test
    void aSpentBudgetEndsAtOnceAndSaysWhatARestartReplays() throws InterruptedException {
        try (var tidemark = streamingWithABatchThatDoesNotComplete("PT1S")) {
            tidemark.terminate();
            assertThat(tidemark.exitCode()).as(tidemark.output()).isEqualTo(75);
            assertThat(tidemark.output()).contains("stop.budget is over");
            assertThat(tidemark.lastLine())
                    .contains("stopped tidemark exit=75", "batches_in_flight=1", "replays=\"what comes after it\"")
                    .contains("confirmed=" + confirmedFlush());
        }
    }

    @Test
    void aJvmThatMayNotHearSignalsIsRefused() throws InterruptedException {
        var environment = environment("PT10M");
        environment.put("JAVA_OPTS", "-Xrs");
        try (var tidemark = Tidemark.start(folder, environment)) {
            assertThat(tidemark.exitCode()).as(tidemark.output()).isEqualTo(78);
            assertThat(tidemark.output()).contains("take -Xrs out of it");
        }
    }

    /** Inherited by every child. */
    private static boolean ignoresSigint() throws IOException {
        String ignored = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow();
        return (Long.parseUnsignedLong(ignored.substring("SigIgn:".length()).strip(), 16) & (1L << (SIGINT - 1))) != 0;
    }

    private Tidemark streamingWithABatchThatDoesNotComplete(String stopBudget) {
        var tidemark = Tidemark.start(folder, environment(stopBudget));
        awaitPhase(tidemark, "streaming");
        pipeline.holdCompletions();
        postgres.execute(database, "INSERT INTO users VALUES (1)");
        TestPostgres.await(
                "a batch in flight",
                () -> status(tidemark).getJsonObject("batches").getInt("inFlight") == 1);
        return tidemark;
    }

    private Map<String, String> environment(String stopBudget) {
        var environment = Tidemark.environment(postgres.url(database), feldera.url());
        environment.put("POSTGRES_SLOT", database);
        environment.put("STOP_BUDGET", stopBudget);
        return environment;
    }

    private void awaitPhase(Tidemark tidemark, String phase) {
        TestPostgres.await(phase, () -> status(tidemark).getString("phase").equals(phase));
    }

    private JsonObject status(Tidemark tidemark) {
        return client.target(tidemark.url() + "/status").request().get(JsonObject.class);
    }

    private String confirmedFlush() {
        return postgres.query(
                database,
                "SELECT confirmed_flush_lsn::text FROM pg_replication_slots WHERE slot_name = '%s'"
                        .formatted(database));
    }
}
