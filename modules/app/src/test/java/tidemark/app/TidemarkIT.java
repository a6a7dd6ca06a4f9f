package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidemark.replication.TestPostgres;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinSettings;

/** The distribution as it is shipped, started by its script on the module path. */
class TidemarkIT {
    private static final String SECRET = "open-sesame";

    @TempDir
    Path folder;

    private final Client client = ClientBuilder.newClient();

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void replicatesWithEnvironmentVariablesAloneAndEndsDrained() throws InterruptedException {
        // given a table here and a table there
        TestPostgres postgres = TestPostgres.shared();
        String database = postgres.newDatabase();
        postgres.execute(
                database,
                "CREATE TABLE users (id bigint PRIMARY KEY, name text)",
                "INSERT INTO users VALUES (1, 'Ada'), (2, 'Grace')",
                "CREATE PUBLICATION tidemark FOR TABLE users");
        try (var feldera = FelderaStandin.start(StandinSettings.defaults())) {
            feldera.deploy("shop", "CREATE TABLE users (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR);");
            var environment = Tidemark.environment(postgres.url(database), feldera.url());
            environment.put("POSTGRES_SLOT", database);
            environment.remove("FELDERA_REQUEST_LIMIT"); // nobody dies here, and a POST that takes long is no WARNING
            // when it runs
            try (var tidemark = Tidemark.start(folder, environment)) {
                String url = tidemark.url();
                TestPostgres.await("readiness", () -> status(url, "/health/ready") == 200);
                TestPostgres.await(
                        "a copied table", () -> table(url).getString("state").equals("streaming"));
                postgres.execute(database, "INSERT INTO users VALUES (3, 'Barbara')", "DELETE FROM users WHERE id = 1");
                TestPostgres.await(
                        "two streamed changes",
                        () -> table(url).getInt("inserts") == 1 && table(url).getInt("deletes") == 1);
                // then it tells
                assertThat(table(url).getInt("copiedRows")).isEqualTo(2);
                assertThat(status(url, "/health/live")).isEqualTo(200);
                assertThat(status(url, "/health/started")).isEqualTo(200);
                assertThat(client.target(url + "/metrics").request("text/plain").get(String.class))
                        .contains("tidemark_rows{", "tidemark_lag_bytes{");
                // and a stop is drained
                tidemark.terminate();
                assertThat(tidemark.exitCode()).as(tidemark.output()).isZero();
                assertThat(tidemark.lastLine()).contains("stopped tidemark exit=0");
                assertThat(tidemark.output()).doesNotContain("WARNING", "SEVERE", "Exception");
            }
            assertThat(postgres.query(
                            database,
                            "SELECT confirmed_flush_lsn > '0/0' AND active_pid IS NULL FROM pg_replication_slots"
                                    + " WHERE slot_name = '" + database + "'"))
                    .isEqualTo("t");
        }
    }

    @Test
    void aStopWhileThePeerIsAwayIsADrainedStop() throws InterruptedException {
        try (var tidemark = Tidemark.start(
                folder, Tidemark.environment(nobody("postgresql://localhost:%d/shop"), "http://localhost:1"))) {
            String url = tidemark.url();
            TestPostgres.await(
                    "backing off",
                    () -> client.target(url + "/status")
                            .request()
                            .get(JsonObject.class)
                            .containsKey("lastFailure"));
            assertThat(status(url, "/health/live")).isEqualTo(200);
            assertThat(status(url, "/health/ready")).isEqualTo(503);
            tidemark.terminate();
            assertThat(tidemark.exitCode()).as(tidemark.output()).isZero();
        }
    }

    @Test
    void theAttemptsOfAQuestionFollowTheEnvironmentAndShowInTheMetrics() {
        var environment = Tidemark.environment("postgresql://localhost:1/shop", nobody("http://localhost:%d"));
        environment.put("tidemark_app_FelderaQuestions_pipeline_Retry_maxRetries", "0");
        try (var tidemark = Tidemark.start(folder, environment)) {
            String metrics = tidemark.url() + "/metrics";
            TestPostgres.await(
                    "a question given up after its only attempt",
                    () -> of(metrics, "ft_retry_calls_total").contains("retryResult=\"maxRetriesReached\""));
            assertThat(of(metrics, "ft_retry_calls_total")).doesNotContain("retried=\"true\"");
            for (String name :
                    List.of("ft_retry_calls_total", "ft_timeout_calls_total", "ft_circuitbreaker_calls_total"))
                TestPostgres.await(name, () -> of(metrics, name).contains("FelderaQuestions.pipeline"));
        }
    }

    /** The lines of one metric that have counted something. */
    private String of(String metrics, String name) {
        return client.target(metrics)
                .request("text/plain")
                .get(String.class)
                .lines()
                .filter(line -> line.startsWith(name + "{") && !line.endsWith(" 0.0"))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void givesUpWithTheCodeOfAnUnreachablePeer() throws InterruptedException {
        var environment = Tidemark.environment(nobody("postgresql://localhost:%d/shop"), "http://localhost:1");
        environment.put("SESSION_GIVE_UP_AFTER", "PT1S");
        try (var tidemark = Tidemark.start(folder, environment)) {
            assertThat(tidemark.exitCode()).as(tidemark.output()).isEqualTo(69);
            assertThat(tidemark.lastLine()).contains("stopped tidemark exit=69");
        }
    }

    @Test
    void refusesToStartWithEveryProblemAtOnce() throws InterruptedException, IOException {
        Path file = Files.writeString(folder.resolve("tidemark.properties"), "batch.maxrows=5\n");
        var environment = Map.of("BATCH_MAX_ROWS", "0", "POSTGRES_PASSWORD", SECRET);
        try (var tidemark = Tidemark.start(folder, environment, "--config", file.toString())) {
            assertThat(tidemark.exitCode()).isEqualTo(78);
            assertThat(tidemark.output())
                    .contains("batch.max-rows is 0", "batch.maxrows", "postgres.url", "feldera.url", "tables")
                    .doesNotContain(SECRET);
            assertThat(tidemark.lastLine()).contains("stopped tidemark exit=78");
        }
    }

    /** Found before a slot is made, which would keep WAL for a copy that nobody can make. */
    @Test
    void aMissingPrivilegeIsToldByTableAndLeavesNoSlot() throws InterruptedException {
        TestPostgres postgres = TestPostgres.shared();
        String database = postgres.newDatabase();
        String role = "reader_" + database;
        postgres.execute(
                database,
                "CREATE ROLE %s LOGIN REPLICATION".formatted(role),
                "CREATE TABLE users (id bigint PRIMARY KEY)",
                "CREATE PUBLICATION tidemark FOR TABLE users");
        try (var feldera = FelderaStandin.start(StandinSettings.defaults())) {
            feldera.deploy("shop", "CREATE TABLE users (id BIGINT NOT NULL PRIMARY KEY);");
            var environment = Tidemark.environment(postgres.url(database), feldera.url());
            environment.put("POSTGRES_USER", role);
            environment.put("POSTGRES_SLOT", database);
            String grant = "GRANT SELECT ON public.users TO " + role;
            try (var tidemark = Tidemark.start(folder, environment)) {
                assertThat(tidemark.exitCode()).as(tidemark.output()).isEqualTo(77);
                assertThat(tidemark.output()).contains("table public.users", grant);
            }
            assertThat(postgres.query(
                            database,
                            "SELECT count(*) FROM pg_replication_slots WHERE database = '%s'".formatted(database)))
                    .isEqualTo("0");
            // and the remedy is one
            postgres.execute(database, grant);
            try (var tidemark = Tidemark.start(folder, environment)) {
                String url = tidemark.url();
                TestPostgres.await("readiness", () -> status(url, "/health/ready") == 200);
            }
        }
        postgres.dropSlots(database);
    }

    @Test
    void refusesAPortThatIsTaken() throws InterruptedException, IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
            var environment = Tidemark.environment("postgresql://localhost:1/shop", "http://localhost:1");
            environment.put("SERVER_PORT", Integer.toString(taken.getLocalPort()));
            try (var tidemark = Tidemark.start(folder, environment)) {
                assertThat(tidemark.exitCode()).as(tidemark.output()).isEqualTo(78);
                assertThat(tidemark.output())
                        .contains("port %d (server.port) is in use".formatted(taken.getLocalPort()))
                        .hasLineCount(2);
                assertThat(tidemark.lastLine()).contains("stopped tidemark exit=78");
            }
        }
    }

    @Test
    void printsTheEffectiveConfigurationWithoutSecrets() throws InterruptedException, IOException {
        Path file =
                Files.writeString(folder.resolve("tidemark.properties"), "batch.max-rows=5\ndelivery.in-flight=2\n");
        var environment =
                Tidemark.environment("postgresql://someone:" + SECRET + "@localhost/shop", "http://localhost:1");
        environment.put("FELDERA_API_KEY", SECRET);
        environment.put("BATCH_MAX_ROWS", "6");
        try (var tidemark = Tidemark.start(folder, environment, "config", "--config", file.toString())) {
            assertThat(tidemark.exitCode()).isZero();
            assertThat(tidemark.output())
                    .containsPattern("batch.max-rows += 6 ")
                    .containsPattern("delivery.in-flight += 2 +# .*tidemark.properties")
                    .doesNotContain(SECRET);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "help, 0, usage:",
        "--help, 0, usage:",
        "--version, 0, tidemark 0.",
        "begin, 64, usage:",
        "run now, 64, usage:"
    })
    void understandsItsCommandLine(String words, int code, String says) throws InterruptedException {
        try (var tidemark = Tidemark.start(folder, Map.of(), words.split(" "))) {
            assertThat(tidemark.exitCode()).isEqualTo(code);
            assertThat(tidemark.output()).contains(says);
        }
    }

    /** A port that nobody listens on. */
    private static String nobody(String url) {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return url.formatted(socket.getLocalPort());
        } catch (IOException failure) {
            throw new java.io.UncheckedIOException(failure);
        }
    }

    private int status(String url, String path) {
        try (Response response = client.target(url + path).request().get()) {
            return response.getStatus();
        }
    }

    private JsonObject table(String url) {
        return client.target(url + "/status")
                .request()
                .get(JsonObject.class)
                .getJsonArray("tables")
                .getJsonObject(0);
    }
}
