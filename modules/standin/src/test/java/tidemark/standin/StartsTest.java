package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The ways of a process to its work and out of it: feldera.md 6 and 16, counters.md, recorded exchanges 13 and 18. */
class StartsTest {
    private final FelderaStandin standin =
            FelderaStandin.start(StandinSettings.defaults().withEdition(Edition.ENTERPRISE));
    private final PipelineClient client = new PipelineClient(standin, "p");
    private final PipelineClient direct = PipelineClient.direct(standin, "p");

    @AfterEach
    void close() {
        standin.close();
    }

    private StandinPipeline deploy(FaultTolerance tolerance) {
        return standin.deploy("p", RecordedProgram.SQL, tolerance);
    }

    private String runtimeStatus() {
        return PipelineClient.json(direct.get("/status")).getString("runtime_status");
    }

    private String deploymentStatus() {
        return PipelineClient.json(client.get("?selector=status")).getString("deployment_status");
    }

    private JsonObject checkpointStatus() {
        return PipelineClient.json(client.get("/checkpoint_status"));
    }

    @Test
    void aProcessWithoutAControllerSaysThatItInitializes() {
        StandinPipeline pipeline = deploy(FaultTolerance.NONE);
        pipeline.holdStart();
        pipeline.restart();
        assertThat(runtimeStatus()).isEqualTo("Initializing");
        assertThat(deploymentStatus()).isEqualTo("Initializing");
        var refused = client.get("/stats");
        PipelineClient.assertError(refused, 503, "Initializing");
        assertThat(refused.headers().firstValue("Retry-After"))
                .as("not the API server's")
                .isEmpty();
        PipelineClient.assertError(client.array("users", "[]"), 503, "Initializing");
        PipelineClient.assertError(client.query("select id from users"), 503, "Initializing");
        pipeline.releaseStart();
        PipelineClient.await(() -> runtimeStatus().equals("Running"));
        client.written("users", "[]");
    }

    /** A checkpoint, then a program in which one table is new, one is changed and one is as it was. */
    private void changeTheProgram(StandinPipeline pipeline) {
        client.written("users", "[{\"insert\":{\"id\":1}}]");
        client.written("items", "[{\"insert\":{\"order_id\":1,\"line\":1}}]");
        pipeline.checkpoint();
        client.post("/stop?force=true", "");
        String changed =
                RecordedProgram.SQL.replace("line INT", "line BIGINT") + "CREATE TABLE fresh (id INT PRIMARY KEY);";
        assertThat(client.put(Json.createObjectBuilder()
                                .add("name", "p")
                                .add("program_code", changed)
                                .build()
                                .toString())
                        .statusCode())
                .isEqualTo(200);
        client.post("/start", "");
    }

    @Test
    void aChangedProgramIsBootstrappedAndKeepsTheTablesThatItDidNotChange() {
        StandinPipeline pipeline = deploy(FaultTolerance.NONE);
        pipeline.holdBootstrap();
        changeTheProgram(pipeline);
        assertThat(runtimeStatus()).isEqualTo("Bootstrapping");
        assertThat(deploymentStatus()).isEqualTo("Bootstrapping");
        assertThat(client.global().getBoolean("bootstrap_in_progress")).isTrue();
        PipelineClient.assertError(client.array("users", "[]"), 503, "BootstrapInProgress");
        PipelineClient.assertError(client.post("/start_transaction", ""), 503, "BootstrapInProgress");
        PipelineClient.assertError(client.query("select id from users"), 503, "BootstrapInProgress");
        pipeline.releaseBootstrap();
        PipelineClient.await(() -> runtimeStatus().equals("Running"));
        assertThat(client.global().getBoolean("bootstrap_in_progress")).isFalse();
        assertThat(client.rows("select id from users")).containsExactly("{\"id\":1}");
        assertThat(client.rows("select line from items"))
                .as("its table is another")
                .isEmpty();
        assertThat(client.stats().getJsonArray("inputs")).isEmpty();
        client.written("fresh", "[{\"insert\":{\"id\":1}}]");
        JsonObject global = client.global();
        assertThat(global.getInt("total_input_records")).isEqualTo(global.getInt("total_completed_records"));
    }

    @Test
    void aChangedProgramMayHaveToWaitForAnApproval() {
        StandinPipeline pipeline = deploy(FaultTolerance.NONE);
        pipeline.demandApproval();
        changeTheProgram(pipeline);
        assertThat(deploymentStatus()).isEqualTo("AwaitingApproval");
        PipelineClient.assertError(client.get("/stats"), 503, "Initializing");
        pipeline.approve();
        PipelineClient.await(() -> runtimeStatus().equals("Running"));
        assertThat(client.rows("select id from users")).containsExactly("{\"id\":1}");
    }

    @Test
    void aSuspendedProcessOnlySaysSoAndAnotherDeploymentResumesIt() {
        StandinPipeline pipeline = deploy(FaultTolerance.NONE);
        String token = client.written("users", "[{\"insert\":{\"id\":7}}]");
        var answer = direct.post("/suspend", "");
        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(answer.body()).isEqualTo("\"Pipeline is suspending\"");
        PipelineClient.await(() -> runtimeStatus().equals("Suspended"));
        JsonObject status = PipelineClient.json(direct.get("/status"));
        assertThat(status.getString("runtime_desired_status")).isEqualTo("Suspended");
        assertThat(status.getJsonObject("storage_status_details").getJsonArray("checkpoints"))
                .hasSize(1);
        for (var refused : List.of(
                client.array("users", "[]"),
                client.query("select id from users"),
                client.get("/completion_status?token=" + token),
                client.get("/stats"))) {
            PipelineClient.assertError(refused, 503, "Suspended");
            assertThat(PipelineClient.json(refused).isNull("details")).isTrue();
        }
        pipeline.restart();
        PipelineClient.assertError(direct.get("/status"), 500, "InvalidInitialStatus");
        PipelineClient.assertError(client.get("/stats"), 500, "InvalidInitialStatus");
        client.post("/stop?force=true", "");
        client.post("/start", "");
        assertThat(client.rows("select id from users")).containsExactly("{\"id\":7}");
        assertThat(client.metrics("users").getInt("total_records")).isEqualTo(1);
    }

    @Test
    void aSuspendWaitsForTheEndOfATransactionAndWhatIsBlockedIsRefused() {
        StandinPipeline pipeline = deploy(FaultTolerance.NONE);
        client.post("/start_transaction", "");
        client.awaitStep(client.token("users", "[{\"insert\":{\"id\":1}}]"));
        pipeline.pause();
        var blocked = client.postLater("/ingress/users?" + PipelineClient.ARRAY, "[{\"insert\":{\"id\":2}}]");
        PipelineClient.await(() -> pipeline.ingressRequests("users") == 2);
        direct.post("/suspend", "");
        assertThat(runtimeStatus()).isEqualTo("Paused");
        client.post("/commit_transaction", "");
        PipelineClient.await(() -> runtimeStatus().equals("Suspended"));
        PipelineClient.assertError(blocked.join(), 503, "Suspended");
    }

    @Test
    void theOpenSourceEditionIsLostByASuspend() {
        try (var open = FelderaStandin.start(StandinSettings.defaults())) {
            open.deploy("p", RecordedProgram.SQL);
            var process = PipelineClient.direct(open, "p");
            assertThat(process.post("/suspend", "").statusCode()).isEqualTo(202);
            for (String path : List.of("/status", "/stats", "/query?format=json&sql=select%201")) {
                PipelineClient.assertError(process.get(path), 500, "SuspendError");
            }
            assertThat(PipelineClient.json(process.get("/stats"))
                            .getJsonObject("details")
                            .toString())
                    .isEqualTo("{\"Permanent\":[\"EnterpriseFeature\"]}");
        }
    }

    @Test
    void aKillThatNobodyHasNoticedLooksAliveAndReachesNobody() {
        StandinPipeline pipeline = deploy(FaultTolerance.NONE);
        pipeline.killUnnoticed();
        assertThat(deploymentStatus()).isEqualTo("Running");
        var refused = client.array("users", "[]");
        PipelineClient.assertError(refused, 503, "PipelineInteractionUnreachable");
        assertThat(refused.headers().firstValue("Retry-After")).contains("5");
        PipelineClient.assertError(client.get("/stats"), 503, "PipelineInteractionUnreachable");
        pipeline.kill();
        assertThat(deploymentStatus()).isEqualTo("Stopped");
        PipelineClient.assertError(client.get("/stats"), 503, "PipelineInteractionNotDeployed");
    }

    @Test
    void faultToleranceTakesCheckpointsThatNobodyAskedFor() {
        StandinPipeline pipeline = deploy(FaultTolerance.AT_LEAST_ONCE);
        client.written("users", "[{\"insert\":{\"id\":1}}]");
        pipeline.checkpoint();
        assertThat(checkpointStatus().toString()).isEqualTo("{\"success\":null,\"failure\":null}");
        client.written("users", "[{\"insert\":{\"id\":2}}]");
        pipeline.restart();
        assertThat(client.rows("select id from users")).containsExactly("{\"id\":1}");
    }

    @Test
    void itsClockIsPartOfTheRuntimeConfigAndWithoutFaultToleranceThereIsNone() {
        StandinPipeline pipeline = deploy(FaultTolerance.AT_LEAST_ONCE);
        pipeline.checkpointEvery(Duration.ofMillis(20));
        pipeline.restart();
        client.written("users", "[{\"insert\":{\"id\":1}}]");
        int before = PipelineClient.json(direct.get("/status"))
                .getJsonObject("storage_status_details")
                .getJsonArray("checkpoints")
                .size();
        PipelineClient.await(() -> PipelineClient.json(direct.get("/status"))
                        .getJsonObject("storage_status_details")
                        .getJsonArray("checkpoints")
                        .size()
                > before);
        standin.deploy("q", RecordedProgram.SQL, FaultTolerance.NONE).checkpointEvery(Duration.ofMillis(1));
        standin.pipeline("q").restart();
        new PipelineClient(standin, "q").written("users", "[{\"insert\":{\"id\":1}}]");
        assertThat(new PipelineClient(standin, "q").get("/checkpoints").body()).isEqualTo("[]");
    }

    /** counters.md: 4 of 4. */
    @Test
    void aMeasuredReplayHangsAtAnEndpointThatTheCheckpointDoesNotKnow() {
        StandinPipeline pipeline = deploy(FaultTolerance.EXACTLY_ONCE);
        pipeline.replayAsMeasured();
        client.written("users", "[]");
        pipeline.checkpoint();
        client.written("users", "[{\"insert\":{\"id\":1}}]");
        pipeline.restart();
        PipelineClient.await(() -> runtimeStatus().equals("Running"));
        client.written("items", "[{\"insert\":{\"order_id\":1,\"line\":1}}]");
        pipeline.restart();
        PipelineClient.await(() -> client.metrics("users").getInt("total_records") == 1);
        for (int look = 0; look < 50; look++) {
            assertThat(runtimeStatus()).isEqualTo("Replaying");
        }
    }

    /** counters.md: 12 of 15. */
    @Test
    void aMeasuredReplayOfAKeylessTableKillsTheProcess() {
        StandinPipeline pipeline = deploy(FaultTolerance.EXACTLY_ONCE);
        pipeline.replayAsMeasured();
        client.written("nokey", "[]");
        pipeline.checkpoint();
        client.written("nokey", "[{\"insert\":{\"a\":1}}]");
        pipeline.restart();
        PipelineClient.await(() -> client.get("/stats").body().contains("PipelineInteractionUnreachable"));
    }

    @Test
    void whatAnInsertBroughtIsCountedAfterARestore() {
        StandinPipeline pipeline = deploy(FaultTolerance.EXACTLY_ONCE);
        client.query("insert into users (id) values (1)");
        PipelineClient.await(() -> client.rows("select id from users").size() == 1);
        pipeline.checkpoint();
        client.query("insert into users (id) values (2)");
        PipelineClient.await(() -> client.rows("select id from users").size() == 2);
        pipeline.restart();
        PipelineClient.await(() -> runtimeStatus().equals("Running"));
        assertThat(client.rows("select id from users")).hasSize(2);
        assertThat(client.global().getInt("total_input_records"))
                .isEqualTo(client.global().getInt("total_completed_records"))
                .isEqualTo(2);
    }
}
