package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What only a client sees that is connected to the pipeline's process itself: counters.md, recorded exchanges 16, 19.
 */
class DirectConnectionTest {
    private final FelderaStandin standin = FelderaStandin.start(StandinSettings.defaults());
    private final StandinPipeline pipeline = standin.deploy("p", RecordedProgram.SQL);
    private final PipelineClient client = new PipelineClient(standin, "p");
    private final int port = URI.create(standin.processUrl("p")).getPort();

    @AfterEach
    void close() {
        standin.close();
    }

    private static String ingress(String parameters) {
        return "/p/ingress/users?" + parameters;
    }

    private RawClient postedWhilePaused() {
        client.written("users", "[]");
        pipeline.pause();
        long before = pipeline.ingressRequests("users");
        var raw = new RawClient(port).post(ingress(PipelineClient.ARRAY), "[{\"insert\":{\"id\":7}}]");
        PipelineClient.await(() -> pipeline.ingressRequests("users") > before);
        return raw;
    }

    /** A later array of the same endpoint is taken after whatever was still to come of the ghost. */
    private List<String> usersAfterTheResume() {
        pipeline.resume();
        client.written("users", "[{\"insert\":{\"id\":8}}]");
        return client.rows("select id from users order by id");
    }

    /** Nobody wakes it for that afterwards. */
    @Test
    void aResetBeforeTheRequestWaitsWithdrawsIt() {
        client.written("users", "[]");
        pipeline.pause();
        pipeline.ingressDelay(Duration.ofSeconds(1));
        var raw = new RawClient(port).post(ingress(PipelineClient.ARRAY), "[{\"insert\":{\"id\":7}}]");
        PipelineClient.await(() -> pipeline.ingressRequests("users") == 2);
        raw.reset();
        PipelineClient.await(() -> pipeline.withdrawnRequests() == 1);
        pipeline.ingressDelay(Duration.ZERO);
        assertThat(usersAfterTheResume()).containsExactly("{\"id\":8}");
    }

    /** 24 of 24. */
    @Test
    void aResetWithdrawsARequestThatIsBlocked() {
        RawClient raw = postedWhilePaused();
        assertThat(raw.isSilentFor(Duration.ofMillis(50))).isTrue();
        raw.reset();
        PipelineClient.await(() -> pipeline.withdrawnRequests() == 1);
        assertThat(usersAfterTheResume()).containsExactly("{\"id\":8}");
        assertThat(client.metrics("users").getInt("total_records")).isEqualTo(1);
    }

    @Test
    void aCloseWithdrawsNothing() {
        postedWhilePaused().close();
        pipeline.resume();
        PipelineClient.await(() -> client.rows("select id from users").equals(List.of("{\"id\":7}")));
        assertThat(pipeline.withdrawnRequests()).isZero();
    }

    @Test
    void whatWasTakenBeforeTheResetStays() {
        client.written("users", "[]");
        var raw = new RawClient(port).post(ingress(PipelineClient.ARRAY), "[{\"insert\":{\"id\":7}}]");
        assertThat(raw.line()).isEqualTo("HTTP/1.1 200 OK");
        raw.reset();
        PipelineClient.await(() -> client.rows("select id from users").equals(List.of("{\"id\":7}")));
    }

    /** 40 of 40. */
    @Test
    void onOneConnectionRequestsKeepTheirOrderWithoutWaitingForAnswers() {
        client.written("users", "[]");
        pipeline.pause();
        var raw = new RawClient(port);
        for (int i = 0; i < 40; i++) {
            raw.post(ingress(PipelineClient.ARRAY), "[{\"insert\":{\"id\":1,\"name\":\"v" + i + "\"}}]");
        }
        pipeline.resume();
        PipelineClient.await(() -> client.metrics("users").getInt("total_records") == 40);
        client.written("users", "[]");
        assertThat(client.rows("select name from users")).containsExactly("{\"name\":\"v39\"}");
    }

    private static String head(String parameters, int length) {
        return "POST " + ingress(parameters) + " HTTP/1.1\r\nHost: h\r\nContent-Length: " + length + "\r\n\r\n";
    }

    @Test
    void linesOfABodyThatIsStillOnItsWayAreVisible() {
        String first = "{\"insert\":{\"id\":5001,\"name\":\"{\\\"\"}}\n{\"insert\":{\"id\":";
        String second = "5002}}\n";
        var raw = new RawClient(port).send(head(PipelineClient.LINES, first.length() + second.length()) + first);
        PipelineClient.await(() -> client.rows("select id from users").equals(List.of("{\"id\":5001}")));
        assertThat(client.metrics("users").getInt("total_records")).isEqualTo(1);
        raw.send(second);
        assertThat(raw.line()).isEqualTo("HTTP/1.1 200 OK");
        PipelineClient.await(() -> client.rows("select id from users").size() == 2);
    }

    @Test
    void withLinesSingleAPieceIsTheLinesThatAreThere() {
        String first = "{\"insert\":{\"id\":1}}\n{\"insert\":{\"id\":2}}\n{\"ins";
        String second = "ert\":{\"id\":3}}";
        String parameters = PipelineClient.LINES + "&lines=single";
        var raw = new RawClient(port).send(head(parameters, first.length() + second.length()) + first);
        PipelineClient.await(() -> client.rows("select id from users").size() == 2);
        raw.send(second);
        assertThat(raw.line()).isEqualTo("HTTP/1.1 200 OK");
        PipelineClient.await(() -> client.rows("select id from users").size() == 3);
    }

    @Test
    void anArrayThatIsStillOnItsWayIsNotThere() {
        client.written("users", "[]");
        String first = "[{\"insert\":{\"id\":5011}},";
        String second = "{\"insert\":{\"id\":5012}}]";
        var raw = new RawClient(port).send(head(PipelineClient.ARRAY, first.length() + second.length()) + first);
        PipelineClient.await(() -> pipeline.ingressRequests("users") == 2);
        client.written("users", "[{\"insert\":{\"id\":1}}]");
        assertThat(client.rows("select id from users")).containsExactly("{\"id\":1}");
        raw.send(second);
        assertThat(raw.line()).isEqualTo("HTTP/1.1 200 OK");
        PipelineClient.await(() -> client.rows("select id from users").size() == 3);
    }

    @Test
    void ofABodyThatBreaksOffWhatWasWholeStaysAndTheEndpointRemembersIt() {
        client.written("users", "[]");
        String part = "{\"insert\":{\"id\":1}}\n{\"insert\":{\"id\":2}";
        new RawClient(port).send(head(PipelineClient.LINES, 1000) + part).close();
        PipelineClient.await(() -> client.rows("select id from users").equals(List.of("{\"id\":1}")));
        PipelineClient.await(() -> client.stats().getJsonArray("inputs").stream()
                .anyMatch(input -> !input.asJsonObject().isNull("fatal_error")));
        client.written("users", "[{\"insert\":{\"id\":3}}]");
    }
}
