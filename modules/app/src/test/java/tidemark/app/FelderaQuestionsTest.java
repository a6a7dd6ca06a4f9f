package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.helidon.microprofile.testing.AddBean;
import io.helidon.microprofile.testing.AddConfig;
import io.helidon.microprofile.testing.junit5.HelidonTest;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidemark.replication.TestPostgres;
import tidemark.sink.Completion;
import tidemark.sink.CompletionToken;
import tidemark.sink.FelderaClient;
import tidemark.sink.FelderaName;
import tidemark.sink.FelderaSettings;
import tidemark.sink.IngressReply;
import tidemark.sink.SinkFailure;
import tidemark.sink.TableBody;

/** The annotations as the container applies them, over the real client and real HTTP. */
@HelidonTest
@AddBean(KnownWiring.class)
@AddConfig(key = "postgres.url", value = "postgresql://localhost:1/shop")
@AddConfig(key = "postgres.user", value = "replicator")
@AddConfig(key = "feldera.url", value = "http://localhost:1")
@AddConfig(key = "feldera.pipeline", value = "shop")
@AddConfig(key = "tables", value = "users")
@AddConfig(key = "metrics.enabled", value = "false")
@AddConfig(key = "Retry/delay", value = "1")
@AddConfig(key = "Retry/jitter", value = "0")
@AddConfig(key = "tidemark.app.FelderaQuestions/stats/Timeout/value", value = "2000")
@AddConfig(key = "tidemark.app.FelderaQuestions/stats/Retry/maxDuration", value = "1")
@AddConfig(key = "tidemark.app.FelderaQuestions/pipeline/CircuitBreaker/delay", value = "3600000")
@AddConfig(key = "tidemark.app.FelderaQuestions/tables/CircuitBreaker/delay", value = "1")
class FelderaQuestionsTest {
    private static final CompletionToken TOKEN = new CompletionToken("token", Optional.empty());
    private static final String NOT_DEPLOYED =
            "{\"message\":\"no\",\"error_code\":\"PipelineInteractionNotDeployed\",\"details\":{}}";

    private static final String UNAUTHORIZED = "{\"message\":\"who?\",\"error_code\":\"Unauthorized\",\"details\":{}}";

    /** @param status 0 for no answer at all */
    private record Reply(int status, String body) {}

    private final Queue<Reply> replies = new ArrayDeque<>();
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private CountDownLatch over = new CountDownLatch(1);

    @Inject
    private FelderaQuestions questions;

    private WebServer server;
    private PatientDestination feldera;

    @BeforeEach
    void listen() {
        // Helidon runs all tests on one instance
        requests.clear();
        replies.clear();
        over = new CountDownLatch(1);
        server = WebServer.builder()
                .host("localhost")
                .port(0)
                .routing(routing -> routing.any(this::answer))
                .build()
                .start();
        var settings = new FelderaSettings(
                URI.create("http://localhost:" + server.port()),
                "shop",
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(5),
                Duration.ofSeconds(9),
                Duration.ofSeconds(9));
        feldera = new PatientDestination(new FelderaClient(settings), questions);
    }

    @AfterEach
    void close() {
        over.countDown();
        server.stop();
    }

    @Test
    void aQuestionIsAskedAgainAfterAFailureThatPasses() {
        replies.addAll(List.of(new Reply(503, NOT_DEPLOYED), new Reply(200, "{\"status\":\"complete\"}")));
        assertThat(feldera.completion(TOKEN)).isInstanceOf(Completion.Complete.class);
        assertThat(requests).hasSize(2);
    }

    /** The core takes over from there, with its own backoff. */
    @Test
    void aQuestionIsGivenUpAfterAFewAttemptsWithTheFailureItself() {
        for (int i = 0; i < 10; i++) replies.add(new Reply(503, NOT_DEPLOYED));
        var failure = catchThrowableOfType(SinkFailure.class, () -> feldera.completion(TOKEN));
        assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.TRANSIENT);
        assertThat(failure.problem().status()).isEqualTo(503);
        assertThat(requests).hasSize(4);
    }

    @Test
    void aQuestionIsNotAskedAgainWhenThatCannotHelp() {
        replies.add(new Reply(401, UNAUTHORIZED));
        var failure = catchThrowableOfType(SinkFailure.class, () -> feldera.tables());
        assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.CREDENTIALS);
        assertThat(requests).hasSize(1);
    }

    @Test
    void aSilentFelderaIsATransientFailureInTime() {
        replies.add(new Reply(0, ""));
        var failure = catchThrowableOfType(SinkFailure.class, () -> feldera.stats());
        assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.TRANSIENT);
        assertThat(requests)
                .as("no attempt begins after the time that MicroProfile Config gives")
                .hasSize(1);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    /** What a session asks next then ends it at once, and not after two more time-outs that a stop would wait for. */
    @Test
    void aFelderaThatAnsweredNothingTwiceIsLeftAloneForAMoment() {
        for (int i = 0; i < 8; i++) replies.add(new Reply(503, NOT_DEPLOYED));
        for (int i = 0; i < 2; i++) assertThatThrownBy(() -> feldera.pipeline()).isInstanceOf(SinkFailure.class);
        assertThat(requests).hasSize(8);
        var failure = catchThrowableOfType(SinkFailure.class, () -> feldera.pipeline());
        assertThat(requests).hasSize(8);
        assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.TRANSIENT);
        assertThat(failure)
                .as("the reason stays in sight while nothing is asked")
                .hasMessageContaining("not asked")
                .hasMessageContaining("HTTP 503 PipelineInteractionNotDeployed");
    }

    @Test
    void aFelderaThatIsBackIsAskedAgain() {
        for (int i = 0; i < 8; i++) replies.add(new Reply(503, NOT_DEPLOYED));
        for (int i = 0; i < 2; i++) assertThatThrownBy(() -> feldera.tables()).isInstanceOf(SinkFailure.class);
        for (int i = 0; i < 10; i++) replies.add(new Reply(401, UNAUTHORIZED));
        TestPostgres.await("an answer", () -> {
            var failure = catchThrowableOfType(SinkFailure.class, () -> feldera.tables());
            return failure.kind() == SinkFailure.Kind.CREDENTIALS;
        });
        assertThat(requests).as("one answer closes it").hasSize(9);
    }

    /** The first of two may still take effect. */
    @Test
    void aPostIsNeverSentTwice() {
        replies.addAll(List.of(new Reply(503, NOT_DEPLOYED), new Reply(200, "{\"token\":\"again\"}")));
        IngressReply reply = feldera.post(TableBody.empty(new FelderaName("users", false)));
        assertThat(reply).isNotInstanceOf(IngressReply.Accepted.class);
        assertThat(requests).hasSize(1);
    }

    private void answer(ServerRequest request, ServerResponse response) throws InterruptedException {
        requests.add(request.path().path());
        if (request.content().hasEntity()) request.content().consume();
        Reply reply = next();
        if (reply.status() == 0) over.await();
        response.status(reply.status() == 0 ? 500 : reply.status()).send(reply.body());
    }

    private synchronized Reply next() {
        return replies.remove();
    }
}
