package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When rows become visible, when requests wait, and what a client that does not wait finds later. */
class StepsTest {
    private final FelderaStandin standin = FelderaStandin.start(StandinSettings.defaults());
    private final StandinPipeline pipeline = standin.deploy("p", RecordedProgram.SQL);
    private final PipelineClient client = new PipelineClient(standin, "p");

    @AfterEach
    void close() {
        standin.close();
    }

    private static String rows(int from, int to, String separator) {
        return IntStream.range(from, to)
                .mapToObj(id -> "{\"insert\":{\"id\":" + id + ",\"name\":\"n" + id + "\"}}")
                .collect(Collectors.joining(separator));
    }

    private long count() {
        return Long.parseLong(
                client.rows("select count(*) as n from users").getFirst().replaceAll("\\D", ""));
    }

    @Test
    void readersSeeAnArrayWholeOrNotAtAll() {
        pipeline.stepDelay(Duration.ofMillis(20));
        var posted = client.postLater("/ingress/users?" + PipelineClient.ARRAY, "[" + rows(0, 30_000, ",") + "]");
        Set<Long> seen = new TreeSet<>();
        PipelineClient.await(() -> {
            seen.add(count());
            return seen.contains(30_000L);
        });
        assertThat(posted.join().statusCode()).isEqualTo(200);
        assertThat(seen).isSubsetOf(0L, 30_000L);
    }

    @Test
    void linesMayBeSeenInParts() {
        Recording recording = pipeline.record();
        pipeline.stepDelay(Duration.ofMillis(100));
        var posted = client.postLater("/ingress/users?" + PipelineClient.LINES, rows(0, 30_000, "\n"));
        assertThat(posted.join().statusCode()).isEqualTo(200);
        PipelineClient.await(() -> count() == 30_000);
        assertThat(recording.states())
                .extracting(state -> state.count("users"))
                .filteredOn(count -> count > 0)
                .hasSizeGreaterThan(1);
    }

    @Test
    void anAcceptedRowIsNotVisibleBeforeItsTokenIsComplete() {
        pipeline.stepDelay(Duration.ofSeconds(60));
        String token = PipelineClient.json(client.array("users", "[{\"insert\":{\"id\":1}}]"))
                .getString("token");
        PipelineClient.await(() -> !client.completion(token).isNull("step"));
        assertThat(client.completion(token).getString("status")).isEqualTo("inprogress");
        assertThat(count()).isZero();
        pipeline.stepDelay(Duration.ZERO);
        client.awaitComplete(token);
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aPausedPipelineAnswersNothingAndTheApiServerGivesUpForIt() {
        try (var impatient =
                FelderaStandin.start(StandinSettings.defaults().withApiServerLimit(Duration.ofSeconds(2)))) {
            StandinPipeline paused = impatient.deploy("p", RecordedProgram.SQL);
            var other = new PipelineClient(impatient, "p");
            paused.pause();
            var refused = other.array("users", "[{\"insert\":{\"id\":1}}]");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).contains("5");
            assertThat(PipelineClient.json(refused).getString("error_code"))
                    .isEqualTo("PipelineInteractionUnreachable");
            assertThat(other.rows("select id from users")).isEmpty();
            // and what it gave up on takes effect all the same
            paused.resume();
            PipelineClient.await(() -> other.rows("select id from users").equals(List.of("{\"id\":1}")));
            assertThat(other.metrics("users").getInt("total_records")).isEqualTo(1);
        }
    }

    /** The ghost of feldera.md 3: a client that closes its connection has not withdrawn what it sent. */
    @Test
    void aRequestAbandonedByItsClientIsAppliedAfterTheResume() throws IOException {
        pipeline.pause();
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), standin.port())) {
            send(socket, "[{\"insert\":{\"id\":7}}]", 0);
        }
        PipelineClient.await(() -> pipeline.ingressRequests("users") == 1);
        assertThat(client.stats().getJsonArray("inputs"))
                .allSatisfy(input -> assertThat(
                                input.asJsonObject().getJsonObject("metrics").getInt("total_records"))
                        .isZero());
        pipeline.resume();
        PipelineClient.await(() -> client.rows("select id from users").equals(List.of("{\"id\":7}")));
    }

    @Test
    void aBodyThatBreaksOffCountsNothingAsAnArrayAndLeavesAFatalErrorThatHarmsNobody() throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), standin.port())) {
            send(socket, "[{\"insert\":{\"id\":7}},", 1000);
        }
        PipelineClient.await(() -> !client.stats().getJsonArray("inputs").isEmpty()
                && client.metrics("users").getInt("num_transport_errors") == 1);
        assertThat(client.stats().getJsonArray("inputs").getJsonObject(0).isNull("fatal_error"))
                .isFalse();
        client.written("users", "[{\"insert\":{\"id\":8}}]");
        assertThat(client.rows("select id from users")).containsExactly("{\"id\":8}");
    }

    private static void send(Socket socket, String body, int missing) throws IOException {
        OutputStream out = socket.getOutputStream();
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        out.write(("POST /v0/pipelines/p/ingress/users?" + PipelineClient.ARRAY
                        + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + (bytes.length + missing) + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        out.write(bytes);
        out.flush();
    }

    @Test
    void forceGoesPastAPause() {
        pipeline.pause();
        var accepted = client.post("/ingress/users?force=true&" + PipelineClient.ARRAY, "[{\"insert\":{\"id\":1}}]");
        client.awaitComplete(PipelineClient.json(accepted).getString("token"));
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aFullEndpointBlocksUntilAStepHasTakenSomething() {
        pipeline.stepDelay(Duration.ofSeconds(60));
        // the first row is in the step that lasts, so that the next array stays in the queue
        String first = PipelineClient.json(client.array("users", "[{\"insert\":{\"id\":-1}}]"))
                .getString("token");
        PipelineClient.await(() -> !client.completion(first).isNull("step"));
        assertThat(client.array("users", "[" + rows(0, 100_000, ",") + "]").statusCode())
                .isEqualTo(200);
        assertThat(client.metrics("users").getInt("buffered_records")).isEqualTo(100_000);
        // an endpoint that is full answers nothing, while another one does
        var blocked = client.postLater("/ingress/users?" + PipelineClient.ARRAY, "[{\"insert\":{\"id\":-2}}]");
        PipelineClient.await(() -> pipeline.ingressRequests("users") == 3);
        assertThat(client.array("items", "[]").statusCode()).isEqualTo(200);
        assertThat(client.metrics("users").getInt("total_records")).isEqualTo(100_001);
        assertThat(blocked).isNotDone();
        // until a step makes room
        pipeline.stepDelay(Duration.ZERO);
        assertThat(blocked.join().statusCode()).isEqualTo(200);
        PipelineClient.await(() -> count() == 100_002);
    }

    @Test
    void aRestartIsEmptyAndVoidsEveryToken() {
        String token = client.written("users", "[{\"insert\":{\"id\":1}}]");
        String before = pipeline.incarnation();
        pipeline.restartEmpty();
        assertThat(count()).isZero();
        var gone = client.get("/completion_status?token=" + token);
        assertThat(gone.statusCode()).isEqualTo(410);
        assertThat(PipelineClient.json(gone).getString("error_code")).isEqualTo("PipelineRestarted");
        assertThat(PipelineClient.json(gone).getString("message")).contains(before, pipeline.incarnation());
        var global = client.stats().getJsonObject("global_metrics");
        assertThat(global.getString("incarnation_uuid"))
                .isEqualTo(pipeline.incarnation())
                .isNotEqualTo(before);
        assertThat(global.getInt("start_time")).isEqualTo(global.getInt("initial_start_time"));
        String again = client.written("users", "[{\"insert\":{\"id\":1}}]");
        assertThat(CompletionToken.parse(again).count()).isEqualTo(1);
    }

    @Test
    void aRequestInsideAProcessThatIsKilledGetsNoAnswerOfItsOwnAndHasNoEffect() {
        pipeline.pause();
        var blocked = client.postLater("/ingress/users?" + PipelineClient.ARRAY, "[{\"insert\":{\"id\":1}}]");
        PipelineClient.await(() -> pipeline.ingressRequests("users") == 1);
        pipeline.restartEmpty();
        assertThat(PipelineClient.json(blocked.join()).getString("error_code"))
                .isEqualTo("PipelineInteractionUnreachable");
        client.written("users", "[]");
        assertThat(count()).isZero();
    }

    @Test
    void aKilledPipelineStaysDownAndSaysWhy() {
        pipeline.kill();
        var refused = client.array("users", "[]");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).contains("5");
        assertThat(PipelineClient.json(refused).getString("error_code")).isEqualTo("PipelineInteractionNotDeployed");
        var status = PipelineClient.json(client.get("?selector=status"));
        assertThat(status.getString("deployment_status")).isEqualTo("Stopped");
        assertThat(status.getJsonObject("deployment_error").getString("error_code"))
                .isEqualTo("RunnerCheckError");
    }

    @Test
    void heldCompletionsShowRowsWithoutCompletingThem() {
        pipeline.holdCompletions();
        String token = PipelineClient.json(client.array("users", "[{\"insert\":{\"id\":1}}]"))
                .getString("token");
        PipelineClient.await(() -> count() == 1);
        assertThat(client.completion(token).getString("status")).isEqualTo("inprogress");
        PipelineClient.await(() -> client.global().getInt("total_processed_records") == 1);
        assertThat(client.global().getInt("total_completed_records")).isZero();
        pipeline.releaseCompletions();
        client.awaitComplete(token);
    }
}
