package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every fault as a client and as a server see it, byte by byte. */
@Timeout(60)
class FaultProxyTest {
    private static final String USERS = "/v0/pipelines/p/ingress/users?array=true";
    private static final RequestPattern INGRESS = RequestPattern.ingress("users");

    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private final TinyServer server = new TinyServer(exchange -> {
        bodies.add(exchange.body());
        exchange.reply("reply " + bodies.size());
    });
    private final FaultProxy proxy = FaultProxy.before(server.url());
    private final RawClient client = new RawClient(proxy.port());

    @AfterEach
    void close() {
        client.close();
        proxy.close();
        server.close();
    }

    private String answer() {
        String head = client.head();
        int length = Integer.parseInt(head.replaceFirst("(?s).*Content-Length: (\\d+).*", "$1"));
        return head.lines().findFirst().orElseThrow() + " | " + client.read(length);
    }

    @Test
    void aLostReplyTookEffectAndLeavesTheClientWithoutAnAnswer() {
        proxy.injectOnce(INGRESS, new HttpFault.LostReply());
        client.post(USERS, "row");
        assertThat(client.rest()).isEqualTo("EOF");
        assertThat(bodies).containsExactly("row");
    }

    @Test
    void aRequestThatIsResetInItsBodyNeverArrivesWhole() {
        proxy.injectOnce(INGRESS, new HttpFault.ResetInRequest(1000));
        client.post(USERS, "row");
        assertThat(client.rest()).isEqualTo("RST");
        PipelineClient.await(() -> !server.ends.isEmpty());
        assertThat(server.ends).containsExactly(TinyServer.End.RESET);
        assertThat(bodies).isEmpty();
    }

    @Test
    void aReplyThatIsResetInItsBodyTookEffectAndIsNeverWhole() {
        proxy.injectOnce(INGRESS, new HttpFault.ResetInReply(4));
        client.post(USERS, "row");
        assertThat(client.head()).startsWith("HTTP/1.1 200 OK");
        assertThat(client.rest()).isEqualTo("repl" + "RST");
        assertThat(bodies).containsExactly("row");
        try (RawClient again = new RawClient(proxy.port())) {
            proxy.injectOnce(INGRESS, new HttpFault.ResetInReply(1000));
            again.post(USERS, "row").head();
            assertThat(again.rest()).isEqualTo("reply " + "RST");
        }
    }

    @Test
    void anInjectedAnswerKeepsTheConnectionAndTheServerSeesNothing() {
        proxy.injectOnce(INGRESS, HttpFault.error(503, "PipelineInteractionUnreachable", Duration.ofSeconds(7)));
        proxy.injectOnce(INGRESS, HttpFault.error(429, "TooManyRequests"));
        client.post(USERS, "first");
        assertThat(client.head()).startsWith("HTTP/1.1 503 ").contains("Retry-After: 7\n");
        client.read(
                HttpFault.error(503, "PipelineInteractionUnreachable").body().length());
        client.post(USERS, "second");
        assertThat(answer())
                .startsWith("HTTP/1.1 429 ")
                .contains("\"error_code\":\"TooManyRequests\"")
                .doesNotContain("Retry-After");
        client.post(USERS, "third");
        assertThat(answer()).endsWith("| reply 1");
        assertThat(bodies).containsExactly("third");
    }

    @Test
    void withheldCompletionsSayInProgressUntilTheyAreCleared() {
        Injection withheld = proxy.inject(RequestPattern.completionStatus(), HttpFault.withheldCompletion());
        for (int i = 0; i < 3; i++) {
            client.get("/v0/pipelines/p/completion_status?token=t");
            assertThat(answer()).endsWith("{\"status\":\"inprogress\",\"step\":null}");
        }
        withheld.clear();
        client.get("/v0/pipelines/p/completion_status?token=t");
        assertThat(answer()).endsWith("| reply 1");
        assertThat(withheld.hits()).isEqualTo(3);
    }

    @Test
    void aDuplicateIsDeliveredTwiceAndAnsweredOnce() {
        proxy.injectOnce(INGRESS, new HttpFault.DuplicateDelivery());
        client.post(USERS, "row");
        assertThat(answer()).endsWith("| reply 2");
        client.post(USERS, "next");
        assertThat(answer()).endsWith("| reply 3");
        assertThat(bodies).containsExactly("row", "row", "next");
    }

    @Test
    void aBlackHoleKeepsTheConnectionAndNothingComesOutOfIt() {
        Injection hole = proxy.inject(RequestPattern.any(), new HttpFault.BlackHole());
        client.post(USERS, "row");
        PipelineClient.await(() -> proxy.counts("ingress/users").seen() == 1);
        assertThat(client.isSilentFor(Duration.ofMillis(200))).isTrue();
        hole.clear();
        try (RawClient again = new RawClient(proxy.port())) {
            again.post(USERS, "later");
            assertThat(again.head()).startsWith("HTTP/1.1 200 OK");
        }
        assertThat(bodies).containsExactly("later");
        assertThat(proxy.counts("ingress/users")).isEqualTo(new RequestCounts(2, 0, 1));
    }

    /** A ghost: what has left the client arrives, however long it takes. */
    @Test
    void aLateRequestArrivesAfterItsClientHasLeft() {
        proxy.injectOnce(INGRESS, new HttpFault.Latency(Direction.TO_SERVER, Duration.ofSeconds(3)));
        client.post(USERS, "ghost");
        PipelineClient.await(() -> proxy.counts("ingress/users").inFlight() == 1);
        client.reset();
        assertThat(bodies).isEmpty();
        PipelineClient.await(() -> !bodies.isEmpty());
        assertThat(bodies).containsExactly("ghost");
    }

    @Test
    void aLateReplyBelongsToARequestThatTookEffect() {
        proxy.injectOnce(INGRESS, new HttpFault.Latency(Direction.TO_CLIENT, Duration.ofMillis(300)));
        long begun = System.nanoTime();
        client.post(USERS, "row");
        PipelineClient.await(() -> !bodies.isEmpty());
        assertThat(answer()).endsWith("| reply 1");
        assertThat(System.nanoTime() - begun)
                .isGreaterThanOrEqualTo(Duration.ofMillis(300).toNanos());
    }

    @Test
    void slowBodiesArriveWholeAndNoFasterThanTold() {
        proxy.injectOnce(INGRESS, new HttpFault.SlowBody(Direction.TO_SERVER, 1000));
        proxy.injectOnce(INGRESS, new HttpFault.SlowBody(Direction.TO_CLIENT, 35));
        long begun = System.nanoTime();
        client.post(USERS, "x".repeat(300));
        assertThat(answer()).endsWith("| reply 1");
        assertThat(bodies).containsExactly("x".repeat(300));
        // 300 bytes at 1000 and 7 at 35 per second; less one millisecond for divisions
        assertThat(System.nanoTime() - begun)
                .isGreaterThanOrEqualTo(Duration.ofMillis(499).toNanos());
    }

    @Test
    void faultsAreSpentOnWhatTheyMatchAndOutcomesOneByOne() {
        proxy.inject(2, RequestPattern.ingress("*"), HttpFault.error(503, "A"));
        Injection second = proxy.injectOnce(INGRESS, HttpFault.error(409, "B"));
        client.get("/v0/pipelines/p/stats");
        assertThat(answer()).endsWith("| reply 1");
        client.post("/v0/pipelines/p/ingress/items", "");
        assertThat(answer()).startsWith("HTTP/1.1 503");
        client.post(USERS, "");
        assertThat(answer()).startsWith("HTTP/1.1 503");
        assertThat(second.hits()).isZero();
        client.post(USERS, "");
        assertThat(answer()).startsWith("HTTP/1.1 409");
        client.post(USERS, "");
        assertThat(answer()).endsWith("| reply 2");
        proxy.inject(RequestPattern.any(), HttpFault.error(500, "C"));
        proxy.clear();
        client.get("/v0/pipelines/p");
        assertThat(answer()).endsWith("| reply 3");
    }

    @Test
    void countsSeenAndTheMostInFlightPerTable() {
        var release = new CountDownLatch(1);
        try (TinyServer slow = new TinyServer(exchange -> {
                    exchange.body();
                    awaitReleased(release);
                    exchange.reply("done");
                });
                FaultProxy counting = FaultProxy.before(slow.url());
                RawClient one = new RawClient(counting.port());
                RawClient two = new RawClient(counting.port());
                RawClient other = new RawClient(counting.port())) {
            one.post(USERS, "1");
            two.post(USERS, "2");
            other.post("/v0/pipelines/p/ingress/items", "3");
            PipelineClient.await(() -> counting.counts("ingress/users").inFlight() == 2
                    && counting.counts("ingress/items").inFlight() == 1);
            release.countDown();
            List.of(one, two, other).forEach(RawClient::head);
            assertThat(counting.counts().toString())
                    .isEqualTo("{ingress/items=RequestCounts[seen=1, inFlight=0, maxInFlight=1], "
                            + "ingress/users=RequestCounts[seen=2, inFlight=0, maxInFlight=2]}");
        }
    }

    private static void awaitReleased(CountDownLatch release) {
        try {
            release.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void refusedConnectionsAreRefusedByTheKernelAndOpenOnesGoOn() {
        client.post(USERS, "before");
        answer();
        proxy.refuse();
        assertThatThrownBy(() -> new RawClient(proxy.port()))
                .isInstanceOf(UncheckedIOException.class)
                .hasCauseInstanceOf(ConnectException.class);
        client.post(USERS, "during");
        assertThat(answer()).endsWith("| reply 2");
        proxy.resume();
        try (RawClient again = new RawClient(proxy.port())) {
            again.post(USERS, "after");
            assertThat(again.head()).startsWith("HTTP/1.1 200 OK");
        }
    }

    @Test
    void cutResetsBothSides() {
        client.post(USERS, "row");
        answer();
        proxy.cut();
        assertThat(client.rest()).isEqualTo("RST");
        PipelineClient.await(() -> !server.ends.isEmpty());
        assertThat(server.ends).containsExactly(TinyServer.End.RESET);
        PipelineClient.await(() -> proxy.connections() == 0);
    }
}
