package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.webserver.WebServer;
import jakarta.json.JsonObject;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.core.Response;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinSettings;

/**
 * A pipeline that does not run is waited for and never started: {@code /status} and the log say what for, in Feldera's
 * own words, and readiness is down meanwhile.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class PipelineWaitIT {
    /** What a pipeline goes through before it runs, as (program, deployment). */
    private record Descriptor(String program, String deployment) {
        String json() {
            return "{\"program_status\":\"%s\",\"deployment_status\":\"%s\",\"platform_version\":\"0.0.0\"}"
                    .formatted(program, deployment);
        }
    }

    @TempDir
    Path folder;

    private final Client client = ClientBuilder.newClient();
    private final TestPostgres postgres = TestPostgres.shared();
    private String database;
    private volatile Descriptor now = new Descriptor("Pending", "Stopped");

    @BeforeEach
    void aPublishedTable() {
        database = postgres.newDatabase();
        postgres.execute(
                database, "CREATE TABLE users (id bigint PRIMARY KEY)", "CREATE PUBLICATION tidemark FOR TABLE users");
    }

    @AfterEach
    void close() {
        client.close();
        postgres.dropSlots(database);
    }

    @Test
    void everyStateBeforeRunningIsToldInFelderasWords() {
        var states = List.of(
                new Descriptor("CompilingSql", "Stopped"),
                new Descriptor("Success", "Provisioning"),
                new Descriptor("Success", "Initializing"),
                new Descriptor("Success", "Suspended"));
        WebServer feldera = WebServer.builder()
                .host("localhost")
                .port(0)
                .routing(routing -> routing.any((request, response) ->
                        response.header("Content-Type", "application/json").send(now.json())))
                .build()
                .start();
        try (var tidemark = Tidemark.start(folder, environment("http://localhost:" + feldera.port()))) {
            for (Descriptor state : states) {
                now = state;
                String what = "the pipeline is %s (program %s)".formatted(state.deployment(), state.program());
                awaitWaitingFor(tidemark, what);
                assertThat(health(tidemark, "ready")).isEqualTo(503);
                assertThat(health(tidemark, "live")).isEqualTo(200);
                assertThat(tidemark.output())
                        .as("the log has it before the status does")
                        .contains("why=\"%s\"".formatted(what));
            }
        } finally {
            feldera.stop();
        }
    }

    @Test
    void aPipelineThatStopsAndPausesIsWaitedForEachTime() {
        try (var feldera = FelderaStandin.start(StandinSettings.defaults())) {
            var pipeline = feldera.deploy("shop", "CREATE TABLE users (id BIGINT NOT NULL PRIMARY KEY);");
            pipeline.kill();
            try (var tidemark = Tidemark.start(folder, environment(feldera.url()))) {
                // given a start while it is stopped
                awaitWaitingFor(tidemark, "the pipeline is Stopped");
                assertThat(health(tidemark, "ready")).isEqualTo(503);
                assertThat(health(tidemark, "started")).isEqualTo(503);
                // when somebody starts it, and later pauses it
                pipeline.start();
                TestPostgres.await("readiness", () -> health(tidemark, "ready") == 200);
                pipeline.pause();
                postgres.execute(database, "INSERT INTO users VALUES (1)");
                // then that is told, too
                TestPostgres.await(
                        "word of the pause",
                        () -> status(tidemark).getString("waitingFor", "").contains("Paused"));
                TestPostgres.await("the log to say it", () -> tidemark.output().contains("Paused"));
                // and the row arrives when it runs again
                pipeline.resume();
                TestPostgres.await(
                        "the row",
                        () -> status(tidemark).getJsonObject("batches").getInt("completed") > 0);
                TestPostgres.await("readiness again", () -> health(tidemark, "ready") == 200);
            }
        }
    }

    private Map<String, String> environment(String feldera) {
        var environment = Tidemark.environment(postgres.url(database), feldera);
        environment.put("POSTGRES_SLOT", database);
        return environment;
    }

    private void awaitWaitingFor(Tidemark tidemark, String what) {
        TestPostgres.await(
                what, () -> status(tidemark).getString("waitingFor", "").contains(what));
    }

    private JsonObject status(Tidemark tidemark) {
        return client.target(tidemark.url() + "/status").request().get(JsonObject.class);
    }

    private int health(Tidemark tidemark, String kind) {
        try (Response response =
                client.target(tidemark.url() + "/health/" + kind).request().get()) {
            return response.getStatus();
        }
    }
}
