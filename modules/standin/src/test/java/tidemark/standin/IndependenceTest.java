package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Endpoints that know nothing of each other, requests that overtake, and what of it readers could have seen. */
class IndependenceTest {
    /** Longer than what has to happen meanwhile takes on a busy machine. */
    private static final Duration A_WHILE = Duration.ofSeconds(3);

    private final FelderaStandin standin = FelderaStandin.start(StandinSettings.defaults());
    private final StandinPipeline pipeline = standin.deploy("p", RecordedProgram.SQL);
    private final PipelineClient client = new PipelineClient(standin, "p");

    @AfterEach
    void close() {
        standin.close();
    }

    private String user(int id) {
        return PipelineClient.json(client.array("users", "[{\"insert\":{\"id\":" + id + "}}]"))
                .getString("token");
    }

    private String bare(int value) {
        return PipelineClient.json(client.array("nokey", "[{\"insert\":{\"a\":" + value + "}}]"))
                .getString("token");
    }

    /** Queues what the sends send behind a step that lasts, and then lets steps take it. */
    private void queued(Runnable sends) {
        pipeline.stepDelay(Duration.ofMinutes(10));
        String first = PipelineClient.json(client.array("items", "[{\"insert\":{\"order_id\":1,\"line\":1}}]"))
                .getString("token");
        PipelineClient.await(() -> !client.completion(first).isNull("step"));
        sends.run();
        pipeline.stepDelay(Duration.ZERO);
        PipelineClient.await(() -> {
            var global = client.stats().getJsonObject("global_metrics");
            return global.getInt("total_input_records") == global.getInt("total_completed_records");
        });
    }

    /** Users are always sent first, so in order a reader never sees a row of the other table without its user. */
    private List<Recording.State> pairs() {
        Recording recording = pipeline.record("select id from users order by id");
        queued(() -> {
            for (int i = 0; i < 30; i++) {
                user(i);
                bare(i);
            }
        });
        return recording.states();
    }

    private static boolean isTorn(Recording.State state) {
        return state.count("nokey") > state.count("users");
    }

    @Test
    void withoutScramblingEveryStateKeepsTheOrderInWhichRowsWereSent() {
        assertThat(pairs()).isNotEmpty().noneMatch(IndependenceTest::isTorn);
    }

    @Test
    void scrambledTheOrderBetweenTablesIsLostAndTheOrderWithinOneIsNot() {
        pipeline.scrambleSteps(42);
        List<Recording.State> states = pairs();
        assertThat(states).anyMatch(IndependenceTest::isTorn);
        long before = 0;
        for (Recording.State state : states) {
            long users = state.count("users");
            assertThat(users).isGreaterThanOrEqualTo(before);
            before = users;
            List<String> expected = new ArrayList<>();
            for (int id = 0; id < users; id++) {
                expected.add("{\"id\":" + id + "}");
            }
            assertThat(state.answers().getFirst()).isEqualTo(expected);
        }
        assertThat(states.getLast().counts()).containsEntry("users", 30L).containsEntry("nokey", 30L);
    }

    /** feldera.md 4: insert with array=true, delete with array=false, 15 of 200 wrong. */
    @Test
    void scrambledTwoEndpointsOfOneTableApplyInAnyOrder() {
        pipeline.scrambleSteps(7);
        queued(() -> {
            for (int id = 0; id < 30; id++) {
                user(id);
                assertThat(client.lines("users", "{\"delete\":{\"id\":" + id + "}}")
                                .statusCode())
                        .isEqualTo(200);
            }
        });
        assertThat(client.rows("select id from users")).hasSizeBetween(1, 30);
    }

    @Test
    void aTransactionIsVisibleInOneMoveHoweverItsStepsAreScrambled() {
        pipeline.scrambleSteps(3);
        Recording recording = pipeline.record();
        client.post("/start_transaction", "");
        String user = "";
        String bare = "";
        for (int i = 0; i < 10; i++) {
            user = user(i);
            bare = bare(i);
        }
        String lastUser = user;
        String lastBare = bare;
        PipelineClient.await(() -> !client.completion(lastUser).isNull("step")
                && !client.completion(lastBare).isNull("step"));
        client.post("/commit_transaction", "");
        client.awaitComplete(lastBare);
        assertThat(recording.states())
                .singleElement()
                .satisfies(state ->
                        assertThat(state.counts()).containsEntry("users", 10L).containsEntry("nokey", 10L));
    }

    @Test
    void aRequestOnItsWayIsOvertakenByALaterOne() {
        client.written("users", "[]");
        pipeline.ingressDelay(A_WHILE);
        var slow = client.postLater(
                "/ingress/users?" + PipelineClient.ARRAY, "[{\"insert\":{\"id\":1,\"name\":\"older\"}}]");
        PipelineClient.await(() -> pipeline.ingressRequests("users") == 2);
        pipeline.ingressDelay(Duration.ZERO);
        client.written("users", "[{\"insert\":{\"id\":1,\"name\":\"newer\"}}]");
        assertThat(slow).isNotDone();
        client.awaitComplete(PipelineClient.json(slow.join()).getString("token"));
        assertThat(client.rows("select name from users")).containsExactly("{\"name\":\"older\"}");
        assertThat(client.metrics("users").getInt("total_records")).isEqualTo(2);
    }

    /** counters.md: the first look after the client has gone missed the array in 42 of 100 cases. */
    @Test
    void aGhostComesOnARunningPipelineAfterEverythingLookedSettled() throws IOException {
        client.written("users", "[]");
        pipeline.ingressDelay(A_WHILE);
        String body = "[{\"insert\":{\"id\":7}}]";
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), standin.port())) {
            socket.getOutputStream()
                    .write(("POST /v0/pipelines/p/ingress/users?" + PipelineClient.ARRAY
                                    + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
        }
        PipelineClient.await(() -> pipeline.ingressRequests("users") == 2);
        var global = client.stats().getJsonObject("global_metrics");
        assertThat(global.getInt("total_input_records"))
                .isEqualTo(global.getInt("total_completed_records"))
                .isZero();
        PipelineClient.await(() -> client.rows("select id from users").equals(List.of("{\"id\":7}")));
    }

    @Test
    void aRecordingHasEveryStartAndEveryStepAndNoMore() {
        Recording recording = pipeline.record("select id from users order by id");
        String life = pipeline.incarnation();
        client.written("users", "[{\"insert\":{\"id\":1}},{\"insert\":{\"id\":2}}]");
        client.written("users", "[{\"delete\":{\"id\":1}}]");
        pipeline.restartEmpty();
        assertThat(recording.states())
                .extracting(Recording.State::answers)
                .containsExactly(
                        List.of(List.of("{\"id\":1}", "{\"id\":2}")),
                        List.of(List.of("{\"id\":2}")),
                        List.of(List.of()));
        assertThat(recording.states())
                .extracting(Recording.State::incarnation)
                .containsExactly(life, life, pipeline.incarnation());
        assertThat(recording.states().get(0).step())
                .isLessThan(recording.states().get(1).step());
    }

    @Test
    void aQueryBreaksAfterItsGoodRowsAndItsStatusDoesNotTell() {
        client.written("users", "[{\"insert\":{\"id\":1}},{\"insert\":{\"id\":2}},{\"insert\":{\"id\":3}}]");
        pipeline.breakQueries(2);
        var broken = client.query("select id from users order by id");
        assertThat(broken.statusCode()).isEqualTo(200);
        assertThat(broken.body())
                .isEqualTo(
                        "{\"id\":1}\n{\"id\":2}\n{\"error\":\"Arrow error: Cast error: Cannot cast string 'x' to value of Int32 type\"}");
        pipeline.mendQueries();
        assertThat(client.rows("select id from users")).hasSize(3);
    }

    @Test
    void theHundredAndFirstConnectionIsRefusedAndTheFirstHundredGoOn() {
        var program = new StringBuilder();
        for (int i = 0; i <= 100; i++) {
            program.append("CREATE TABLE t").append(i).append(" (id INT PRIMARY KEY);\n");
        }
        standin.deploy("wide", program.toString());
        var wide = new PipelineClient(standin, "wide");
        for (int i = 0; i < 100; i++) {
            assertThat(wide.array("t" + i, "[]").statusCode()).isEqualTo(200);
        }
        var refused = wide.array("t100", "[]");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(PipelineClient.json(refused).getString("error_code")).isEqualTo("ApiConnectionLimit");
        assertThat(wide.array("t0", "[]").statusCode()).isEqualTo(200);
    }

    @Test
    void theProcessItselfAnswersWithoutTheApiServer() {
        String url = standin.processUrl("p");
        var paused = client.send(HttpRequest.newBuilder(URI.create(url + "/pause")));
        assertThat(paused.statusCode()).isEqualTo(202);
        assertThat(paused.body()).isEqualTo("\"Pipeline transitioning from Running to Paused\"");
        assertThat(client.send(HttpRequest.newBuilder(URI.create(url + "/status")))
                        .body())
                .isEqualTo(
                        "{\"runtime_status\":\"Paused\",\"runtime_status_details\":{\"connector_stats\":{\"num_errors\":0}},"
                                + "\"runtime_desired_status\":\"Paused\",\"storage_status_details\":{\"checkpoints\":[]}}");
        assertThat(client.send(HttpRequest.newBuilder(URI.create(url + "/pause"))
                                .POST(HttpRequest.BodyPublishers.noBody()))
                        .statusCode())
                .isEqualTo(404);
        client.send(HttpRequest.newBuilder(URI.create(url + "/start")));
        var posted = client.send(HttpRequest.newBuilder(URI.create(url + "/ingress/users?" + PipelineClient.ARRAY))
                .POST(HttpRequest.BodyPublishers.ofString("[{\"insert\":{\"id\":1}}]")));
        client.awaitComplete(PipelineClient.json(posted).getString("token"));
        assertThat(client.get("/status").statusCode())
                .as("the API server has no such route")
                .isEqualTo(404);
    }
}
