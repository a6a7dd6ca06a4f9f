package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over the wire, and what becomes of calls when the wire breaks. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FelderaClientTest {
    private static final QueryRows.Limits LIMITS = new QueryRows.Limits(16 << 20, Duration.ofSeconds(9));
    private static final FelderaName USERS = new FelderaName("users", false);
    private static final CompletionToken TOKEN = CompletionToken.read("eyJ1IjoiYSIsImUiOjAsImMiOjF9");
    private static final String TOKEN_REPLY = "{\"token\":\"eyJ1IjoiYSIsImUiOjAsImMiOjF9\"}";

    private final ScriptedServer server = new ScriptedServer();

    @AfterEach
    void closeServer() {
        server.close();
    }

    private FelderaClient client() {
        return new FelderaClient(server.settings());
    }

    private static FelderaSettings with(
            FelderaSettings s, UnaryOperator<Duration> question, UnaryOperator<Duration> post) {
        return new FelderaSettings(
                s.url(),
                s.pipeline(),
                s.apiKey(),
                s.caFile(),
                s.connectTimeout(),
                question.apply(s.questionTimeout()),
                post.apply(s.postTimeout()));
    }

    private static TableBody body(String json) {
        byte[] bytes = (json + "beyond the length").getBytes(StandardCharsets.UTF_8);
        return new TableBody(USERS, bytes, json.getBytes(StandardCharsets.UTF_8).length);
    }

    @Test
    void postsExactlyTheBytesOfTheArrayWithTheirLengthAndTheOneParameterSet() {
        server.thenOk(TOKEN_REPLY);
        try (FelderaClient client = client()) {
            assertThat(client.post(body("[{\"insert\":{\"id\":1,\"n\":\"é\"}}]")))
                    .isEqualTo(new IngressReply.Accepted(TOKEN));
        }
        ScriptedServer.Request request = server.request();
        assertThat(request.line())
                .startsWith("POST /v0/pipelines/p/ingress/users?")
                .endsWith(" HTTP/1.1");
        assertThat(request.parameters())
                .containsExactlyInAnyOrder("array=true", "format=json", "update_format=insert_delete");
        assertThat(request.text()).isEqualTo("[{\"insert\":{\"id\":1,\"n\":\"é\"}}]");
        assertThat(request.headers())
                .containsEntry("content-length", "30")
                .containsEntry("content-type", "application/json")
                .containsEntry("host", "127.0.0.1:" + server.port())
                .doesNotContainKeys("transfer-encoding", "expect", "authorization", "accept-encoding");
    }

    @Test
    void sendsALargeArrayWholeAndStillWithItsLength() {
        server.thenOk(TOKEN_REPLY);
        byte[] bytes = new byte[5_000_000];
        for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) ('a' + i % 23);
        try (FelderaClient client = client()) {
            assertThat(client.post(new TableBody(USERS, bytes, bytes.length)))
                    .isInstanceOf(IngressReply.Accepted.class);
        }
        ScriptedServer.Request request = server.request();
        assertThat(request.body()).isEqualTo(bytes);
        assertThat(request.headers()).containsEntry("content-length", "5000000").doesNotContainKey("transfer-encoding");
    }

    @ParameterizedTest
    @CsvSource({
        "users,   false, users",
        "USERS,   false, users",
        "Foo,     true,  %22Foo%22",
        "a b/c?d, true,  %22a%20b%2Fc%3Fd%22",
        "50%+;é,  true,  %2250%25%2B%3B%C3%A9%22",
        "..,      true,  %22..%22"
    })
    void aTableNameStaysOnePathSegment(String name, boolean caseSensitive, String segment) {
        server.thenOk(TOKEN_REPLY);
        try (FelderaClient client = client()) {
            client.post(TableBody.empty(new FelderaName(name, caseSensitive)));
        }
        assertThat(server.request().line()).startsWith("POST /v0/pipelines/p/ingress/" + segment + "?");
    }

    @ParameterizedTest
    @CsvSource({"'',/v0", "/,/v0", "/feldera,/feldera/v0", "/a/b/,/a/b/v0"})
    void theBaseMayHaveAPathAndATrailingSlash(String base, String path) {
        server.thenOk("{}").thenOk(TOKEN_REPLY);
        FelderaSettings settings = ScriptedServer.settings(URI.create(server.url() + base));
        try (FelderaClient client = new FelderaClient(settings)) {
            client.pipeline();
            client.post(TableBody.empty(USERS));
        }
        assertThat(server.request().line()).isEqualTo("GET " + path + "/pipelines/p?selector=status HTTP/1.1");
        assertThat(server.request().line()).startsWith("POST " + path + "/pipelines/p/ingress/users?");
    }

    @Test
    void everyRequestCarriesTheApiKeyAndNothingPrintsIt() {
        server.thenOk("{}").thenOk(TOKEN_REPLY).thenReply("HTTP/1.1 401 Unauthorized\n", "no");
        FelderaSettings s = server.settings();
        FelderaSettings withKey = new FelderaSettings(
                s.url(),
                s.pipeline(),
                Optional.of("apikey:s3cret"),
                s.caFile(),
                s.connectTimeout(),
                s.questionTimeout(),
                s.postTimeout());
        try (FelderaClient client = new FelderaClient(withKey)) {
            client.pipeline();
            client.post(TableBody.empty(USERS));
            assertThatThrownBy(client::stats).hasMessageNotContaining("s3cret");
        }
        for (int i = 0; i < 3; i++) {
            assertThat(server.request().headers()).containsEntry("authorization", "Bearer apikey:s3cret");
        }
        assertThat(withKey.toString()).doesNotContain("s3cret");
    }

    @Test
    void tokenAndSqlArePercentEncoded() {
        server.thenOk("{\"status\":\"complete\",\"step\":1}").thenChunked("HTTP/1.1 200 OK\n");
        try (FelderaClient client = client()) {
            client.completion(new CompletionToken("a+b/c=", Optional.empty()));
            client.query("select * from \"Foo\" where a=1&b > 'é+%'", LIMITS).close();
        }
        assertThat(server.request().line())
                .isEqualTo("GET /v0/pipelines/p/completion_status?token=a%2Bb%2Fc%3D HTTP/1.1");
        assertThat(server.request().parameters())
                .containsExactlyInAnyOrder(
                        "format=json",
                        "sql=select%20*%20from%20%22Foo%22%20where%20a%3D1%26b%20%3E%20%27%C3%A9%2B%25%27");
    }

    @Test
    void postsInQuickSuccessionShareAConnectionAndAnIdleOneIsNotTrusted() {
        server.thenOk(TOKEN_REPLY).thenOk(TOKEN_REPLY).thenOk(TOKEN_REPLY);
        AtomicLong nanos = new AtomicLong();
        try (FelderaClient client = new FelderaClient(server.settings(), nanos::get)) {
            client.post(TableBody.empty(USERS));
            client.post(TableBody.empty(USERS));
            nanos.addAndGet(Duration.ofSeconds(3).toNanos());
            client.post(TableBody.empty(USERS));
        }
        assertThat(List.of(server.request(), server.request(), server.request()))
                .extracting(ScriptedServer.Request::connection)
                .containsExactly(0, 0, 1);
    }

    /** As what is left of another reply would be; it may have rows in it. */
    @Test
    void whatIsNoHttpReplyIsAskedForAgainAndNotQuoted() {
        String rest = "{\"secret\":\"%s\"}".formatted("s".repeat(300));
        for (int i = 0; i < 2; i++) server.then(ScriptedServer.bytesThenClose(rest));
        server.thenOk("{\"program_status\":\"Success\",\"deployment_status\":\"Running\",\"platform_version\":\"1\"}");
        try (FelderaClient client = client()) {
            assertThatThrownBy(client::pipeline).isInstanceOfSatisfying(SinkFailure.class, failure -> {
                assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.TRANSIENT);
                assertThat(failure.problem().prefix()).contains("no HTTP reply").doesNotContain("secret", "73 65");
            });
            assertThat(client.post(TableBody.empty(USERS)))
                    .isInstanceOfSatisfying(
                            IngressReply.Unknown.class,
                            unknown -> assertThat(unknown.problem().kind()).isEqualTo(SinkFailure.Kind.TRANSIENT));
            assertThat(client.pipeline().isRunning()).isTrue();
        }
    }

    /** Recorded: feldera/15-manager-run; the API server streams its replies and names an encoding that is none. */
    @Test
    void readsTheApiServersStreamedReplies() {
        server.thenChunked("""
                HTTP/1.1 200 OK
                connection: close
                content-encoding: identity
                access-control-allow-credentials: true
                vary: Origin, Access-Control-Request-Method, Access-Control-Request-Headers
                content-type: application/json
                """, "{\"token\":\"eyJ1IjoiYSIs", "ImUiOjAsImMiOjF9\"}");
        try (FelderaClient client = client()) {
            assertThat(client.post(TableBody.empty(USERS))).isEqualTo(new IngressReply.Accepted(TOKEN));
        }
    }

    @Test
    void nothingWasSentIfNobodyListens() throws Exception {
        URI nowhere;
        try (ServerSocket free = new ServerSocket(0)) {
            nowhere = URI.create("http://127.0.0.1:" + free.getLocalPort());
        }
        try (FelderaClient client = new FelderaClient(ScriptedServer.settings(nowhere))) {
            assertThat(client.post(TableBody.empty(USERS)))
                    .isInstanceOfSatisfying(
                            IngressReply.NotNow.class,
                            notNow -> assertThat(notNow.problem().prefix()).contains("ConnectException"));
            assertThatThrownBy(client::stats)
                    .isInstanceOfSatisfying(
                            SinkFailure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.TRANSIENT));
        }
    }

    @Test
    void nothingWasSentIfTheHostIsNotKnown() {
        FelderaSettings unknown = ScriptedServer.settings(URI.create("http://feldera.invalid:8080"));
        try (FelderaClient client = new FelderaClient(unknown)) {
            assertThat(client.post(TableBody.empty(USERS))).isInstanceOf(IngressReply.NotNow.class);
        }
    }

    /** Every way in which a reply can break off: before it, in its head, in its body, in its chunks. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 20",
                "HTTP/1.1 200 OK\r\ncontent-le",
                "HTTP/1.1 200 OK\r\ncontent-length: 40\r\n\r\n{\"token\":\"eyJ1Ijoi",
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2c\r\n{\"token\":\"eyJ1I",
                "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 100\r\n\r\n{\"message\":\"m\",\"error_code\":\"Init"
            })
    void aReplyThatBreaksOffLeavesTheOutcomeUnknown(String raw) {
        server.then(ScriptedServer.bytesThenClose(raw)).then(ScriptedServer.bytesThenReset(raw));
        server.then(ScriptedServer.bytesThenClose(raw)).thenOk(TOKEN_REPLY);
        try (FelderaClient client = client()) {
            for (int i = 0; i < 2; i++) {
                assertThat(client.post(TableBody.empty(USERS)))
                        .isInstanceOfSatisfying(
                                IngressReply.Unknown.class,
                                unknown -> assertThat(unknown.problem().kind()).isEqualTo(SinkFailure.Kind.TRANSIENT));
            }
            assertThatThrownBy(client::stats)
                    .isInstanceOfSatisfying(
                            SinkFailure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.TRANSIENT));
            // and the broken connection is not used again
            assertThat(client.post(TableBody.empty(USERS))).isInstanceOf(IngressReply.Accepted.class);
        }
    }

    @Test
    void aPostThatIsNotAnsweredInTimeIsUnknown() {
        server.then(server.silence());
        FelderaSettings brief = with(server.settings(), question -> question, _ -> Duration.ofMillis(200));
        try (FelderaClient client = new FelderaClient(brief)) {
            assertThat(client.post(TableBody.empty(USERS))).isInstanceOf(IngressReply.Unknown.class);
        }
    }

    /**
     * A paused pipeline or a full queue stops reading in mid-body (feldera.md §1.6), and a blocked write has no
     * time-out.
     */
    @Test
    void aPostThatIsNotReadInTimeIsUnknown() {
        server.leavingBodiesUnread().then(server.silence());
        FelderaSettings brief = with(server.settings(), question -> question, _ -> Duration.ofMillis(300));
        byte[] bytes = new byte[32 << 20];
        try (FelderaClient client = new FelderaClient(brief)) {
            assertThat(client.post(new TableBody(USERS, bytes, bytes.length))).isInstanceOf(IngressReply.Unknown.class);
        }
    }

    /** A read time-out begins anew with every byte; the call's does not. */
    @Test
    void aDrippingReplyDoesNotStretchTheTimeOut() {
        CountDownLatch ended = new CountDownLatch(1);
        server.then(client -> {
            for (byte b : "HTTP/1.1 200 OK\r\n".repeat(1000).getBytes(StandardCharsets.US_ASCII)) {
                client.getOutputStream().write(b);
                if (ended.await(20, TimeUnit.MILLISECONDS)) return;
            }
        });
        FelderaSettings brief = with(server.settings(), _ -> Duration.ofMillis(300), post -> post);
        try (FelderaClient client = new FelderaClient(brief)) {
            assertThatThrownBy(client::stats)
                    .isInstanceOfSatisfying(
                            SinkFailure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.TRANSIENT));
        } finally {
            ended.countDown();
        }
    }

    @Test
    void aRefusalThatComesBeforeTheBodyWasReadIsHeard() {
        server.leavingBodiesUnread()
                .then(ScriptedServer.bytesThenClose(ScriptedServer.withLength(
                        "HTTP/1.1 503 Service Unavailable\nconnection: close\n",
                        "{\"message\":\"m\",\"error_code\":\"PipelineInteractionNotDeployed\"}")));
        byte[] bytes = new byte[32 << 20];
        try (FelderaClient client = client()) {
            assertThat(client.post(new TableBody(USERS, bytes, bytes.length))).isInstanceOf(IngressReply.NotNow.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInterruptEndsABlockedQuestion(boolean onAVirtualThread) throws Exception {
        server.then(server.silence());
        try (FelderaClient client = client()) {
            AtomicReference<Object> outcome = interrupted(onAVirtualThread, done -> {
                try {
                    done.accept(client.stats());
                } catch (SinkFailure failure) {
                    done.accept(failure);
                }
            });
            assertThat(outcome.get()).isInstanceOfSatisfying(SinkFailure.class, failure -> {
                assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.TRANSIENT);
                assertThat(failure.problem().prefix()).contains("Interrupt");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInterruptEndsABlockedPostWithAnUnknownOutcome(boolean onAVirtualThread) throws Exception {
        server.then(server.silence());
        try (FelderaClient client = client()) {
            AtomicReference<Object> outcome =
                    interrupted(onAVirtualThread, done -> done.accept(client.post(TableBody.empty(USERS))));
            assertThat(outcome.get()).isInstanceOf(IngressReply.Unknown.class);
        }
    }

    /** Runs {@code call}, interrupts it when its request has arrived, and tells what it gave back. */
    private AtomicReference<Object> interrupted(boolean virtual, Consumer<Consumer<Object>> call) throws Exception {
        AtomicReference<Object> outcome = new AtomicReference<>("nothing");
        AtomicReference<Boolean> statusKept = new AtomicReference<>(false);
        Runnable body = () -> {
            call.accept(outcome::set);
            statusKept.set(Thread.currentThread().isInterrupted());
        };
        Thread caller =
                virtual ? Thread.ofVirtual().start(body) : Thread.ofPlatform().start(body);
        server.request();
        caller.interrupt();
        assertThat(caller.join(Duration.ofSeconds(10))).isTrue();
        assertThat(statusKept.get()).isTrue();
        return outcome;
    }

    @Test
    void questionsGoOnWhileAPostIsUnderWay() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        server.then(client -> {
            answered.await();
            ScriptedServer.bytes(ScriptedServer.withLength("HTTP/1.1 200 OK\n", TOKEN_REPLY))
                    .to(client);
        });
        server.thenOk("{\"status\":\"inprogress\",\"step\":null}");
        try (FelderaClient client = client()) {
            AtomicReference<IngressReply> reply = new AtomicReference<>();
            Thread poster = Thread.ofVirtual().start(() -> reply.set(client.post(TableBody.empty(USERS))));
            server.request();
            assertThat(client.completion(TOKEN)).isEqualTo(new Completion.InProgress(false));
            answered.countDown();
            poster.join();
            assertThat(reply.get()).isInstanceOf(IngressReply.Accepted.class);
        }
    }
}
