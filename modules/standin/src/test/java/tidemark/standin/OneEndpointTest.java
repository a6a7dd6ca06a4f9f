package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is done to one endpoint alone: its pause, its own routes (recorded exchange 09), and how it comes to be. */
class OneEndpointTest {
    private final FelderaStandin standin = FelderaStandin.start(StandinSettings.defaults());
    private final StandinPipeline pipeline = standin.deploy("p", RecordedProgram.SQL);
    private final PipelineClient client = new PipelineClient(standin, "p");
    private final PipelineClient direct = PipelineClient.direct(standin, "p");

    @AfterEach
    void close() {
        standin.close();
    }

    private String name(String table) {
        return client.input(table).getString("endpoint_name");
    }

    private String connector(String table) {
        return "/tables/" + table + "/connectors/"
                + name(table).substring(name(table).indexOf('.') + 1);
    }

    @Test
    void aPausedEndpointBlocksAndTheOthersAndForceGoOn() {
        client.written("users", "[{\"insert\":{\"id\":1}}]");
        var paused = direct.get("/input_endpoints/" + name("users") + "/pause");
        assertThat(paused.statusCode()).isEqualTo(200);
        assertThat(paused.body()).isEmpty();
        assertThat(client.input("users").getBoolean("paused")).isTrue();
        assertThat(client.global().getString("state")).isEqualTo("Running");
        var blocked = client.postLater("/ingress/users?" + PipelineClient.ARRAY, "[{\"insert\":{\"id\":2}}]");
        PipelineClient.await(() -> pipeline.ingressRequests("users") == 2);
        client.written("items", "[]");
        assertThat(client.input("items").getBoolean("paused")).isFalse();
        client.awaitComplete(PipelineClient.token(
                client.post("/ingress/users?force=true&" + PipelineClient.ARRAY, "[{\"insert\":{\"id\":3}}]")));
        assertThat(blocked).isNotDone();
        direct.get("/input_endpoints/" + name("users") + "/start");
        client.awaitComplete(PipelineClient.token(blocked.join()));
        assertThat(client.rows("select id from users")).hasSize(3);
    }

    @Test
    void theApiServerKnowsAnEndpointByTheCanonicalNameOfItsTable() {
        client.written("users", "[]");
        assertThat(client.post(connector("users") + "/pause", "").statusCode()).isEqualTo(200);
        assertThat(client.input("users").getBoolean("paused")).isTrue();
        assertThat(client.post(connector("users") + "/start", "").statusCode()).isEqualTo(200);
        assertThat(client.input("users").getBoolean("paused")).isFalse();
        client.written("USERS", "[]");
        PipelineClient.assertError(client.post(connector("USERS") + "/pause", ""), 404, "UnknownInputEndpoint");
    }

    @Test
    void itsPauseIsTheControlApisToo() {
        client.written("users", "[]");
        pipeline.pauseEndpoint(name("users"));
        assertThat(client.input("users").getBoolean("paused")).isTrue();
        pipeline.startEndpoint(name("users"));
        client.written("users", "[{\"insert\":{\"id\":2}}]");
    }

    @Test
    void itsOwnRouteTellsTheErrorsThatStatsOnlyCounts() {
        client.lines("users", "{\"insert\":{\"id\":\"bad\"}}\n{\"insert\":{\"id\":1}}");
        assertThat(client.input("users")).doesNotContainKey("parse_errors");
        var own = PipelineClient.json(client.get(connector("users") + "/stats"));
        assertThat(own.getJsonObject("metrics").getInt("num_parse_errors")).isEqualTo(1);
        assertThat(own.getJsonArray("parse_errors").getJsonObject(0).getString("field"))
                .isEqualTo("id");
        assertThat(own.getJsonArray("transport_errors")).isEmpty();
        assertThat(direct.get("/input_endpoints/" + name("users") + "/stats").body())
                .isEqualTo(own.toString());
    }

    @Test
    void itsTokenIsTheOneThatAPostWouldGet() {
        String token = client.written("users", "[{\"insert\":{\"id\":1}}]");
        assertThat(PipelineClient.token(client.get(connector("users") + "/completion_token")))
                .isEqualTo(token);
    }

    /** feldera.md 1.3: check, then insert, without a lock in between. */
    @Test
    void ofTwoFirstRequestsAtATimeOneIsADuplicateAndCountsNothing() {
        pipeline.endpointCreationDelay(Duration.ofSeconds(3));
        List<HttpResponse<String>> both = Stream.of(1, 2)
                .map(id -> client.postLater(
                        "/ingress/users?" + PipelineClient.ARRAY, "[{\"insert\":{\"id\":" + id + "}}]"))
                .toList()
                .stream()
                .map(reply -> reply.join())
                .toList();
        assertThat(both).extracting(HttpResponse::statusCode).containsExactlyInAnyOrder(200, 400);
        HttpResponse<String> refused = both.get(0).statusCode() == 400 ? both.get(0) : both.get(1);
        PipelineClient.assertError(refused, 400, "ConfigError.DuplicateInputEndpoint");
        client.written("users", "[]");
        assertThat(client.metrics("users").getInt("total_records")).isEqualTo(1);
        assertThat(client.stats().getJsonArray("inputs")).hasSize(1);
    }
}
