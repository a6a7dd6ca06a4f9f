package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Without a fault the proxy is not there: HTTP/1.1 as it comes, while it comes. */
@Timeout(60)
class FaultProxyHttpTest {
    private static final String USERS = "/v0/pipelines/p/ingress/users";

    @Test
    void connectionsAreKeptAliveOnBothSides() {
        try (TinyServer server = TinyServer.echo();
                FaultProxy proxy = FaultProxy.before(server.url());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 5; i++) {
                client.post(USERS, "body " + i).head();
                assertThat(client.read(6)).isEqualTo("body " + i);
            }
            assertThat(server.connectionOfRequest).containsExactly(0, 0, 0, 0, 0);
            client.leave();
            PipelineClient.await(() -> server.ends.equals(List.of(TinyServer.End.ORDERLY)));
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() {
        try (TinyServer server = TinyServer.echo();
                FaultProxy proxy = FaultProxy.before(server.url());
                RawClient client = new RawClient(proxy.port())) {
            String one = "POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\n1";
            String two = "POST / HTTP/1.1\r\ncontent-length: 1\r\n\r\n2";
            client.send(one + two);
            client.head();
            assertThat(client.read(1)).isEqualTo("1");
            client.head();
            assertThat(client.read(1)).isEqualTo("2");
        }
    }

    @Test
    void aConnectionThatTheServerClosedBetweenRequestsIsReplaced() {
        try (TinyServer server = new TinyServer(exchange -> {
                    exchange.reply("ok");
                    exchange.socket().close();
                });
                FaultProxy proxy = FaultProxy.before(server.url());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").head();
            client.read(2);
            PipelineClient.await(() -> server.ends.size() == 1);
            client.get("/b").head();
            assertThat(client.read(2)).isEqualTo("ok");
            assertThat(server.connectionOfRequest).containsExactly(0, 1);
        }
    }

    @Test
    void aChunkedReplyArrivesChunkByChunkAsItWasFramed() {
        var release = new CountDownLatch(1);
        try (TinyServer server = new TinyServer(exchange -> {
                    exchange.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n");
                    await(release);
                    exchange.write("A\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n");
                });
                FaultProxy proxy = FaultProxy.before(server.url());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/v0/pipelines/p/query?sql=x").head();
            assertThat(client.read(10)).isEqualTo("3;x=y\r\nabc"); // while the server still waits
            release.countDown();
            assertThat(client.read(34)).isEqualTo("\r\nA\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n");
        }
    }

    @Test
    void aChunkedRequestArrivesAsItWasFramed() {
        var received = new CopyOnWriteArrayList<String>();
        String body = "5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n";
        try (TinyServer server = new TinyServer(exchange -> {
                    received.add(new String(exchange.in().readNBytes(body.length()), StandardCharsets.UTF_8));
                    exchange.reply("ok");
                });
                FaultProxy proxy = FaultProxy.before(server.url());
                RawClient client = new RawClient(proxy.port())) {
            proxy.inject(1, RequestPattern.any(), new HttpFault.DuplicateDelivery());
            client.send("POST " + USERS + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + body);
            client.head();
            assertThat(client.read(2)).isEqualTo("ok");
            assertThat(received).containsExactly(body, body);
        }
    }

    @Test
    void aReplyWithoutALengthEndsWithItsConnection() {
        try (TinyServer server = new TinyServer(exchange -> {
                    exchange.write("HTTP/1.1 200 OK\r\n\r\nuntil the end");
                    exchange.socket().close();
                });
                FaultProxy proxy = FaultProxy.before(server.url());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/").head();
            assertThat(client.rest()).isEqualTo("until the end" + "EOF");
        }
    }

    @Test
    void aReplyToHeadHasNoBodyWhateverItsLengthSays() {
        try (TinyServer server =
                        new TinyServer(exchange -> exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n"));
                FaultProxy proxy = FaultProxy.before(server.url());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 2; i++) {
                client.send("HEAD / HTTP/1.1\r\n\r\n");
                assertThat(client.head()).contains("Content-Length: 7");
            }
        }
    }

    @Test
    void whoAsksBeforeSendingABodyIsToldToContinueByTheServer() {
        try (TinyServer server = new TinyServer(exchange -> {
                    exchange.write("HTTP/1.1 100 Continue\r\n\r\n");
                    exchange.reply(exchange.body());
                });
                FaultProxy proxy = FaultProxy.before(server.url());
                RawClient client = new RawClient(proxy.port())) {
            String head = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n";
            for (int i = 0; i < 2; i++) {
                client.send(head);
                assertThat(client.head()).startsWith("HTTP/1.1 100");
                client.send("body");
                assertThat(client.head()).startsWith("HTTP/1.1 200");
                assertThat(client.read(4)).isEqualTo("body");
            }
            proxy.injectOnce(RequestPattern.any(), HttpFault.error(503, "X"));
            client.send(head);
            assertThat(client.head()).startsWith("HTTP/1.1 503").contains("Connection: close");
        }
    }

    @Test
    void whoAsksAndIsRefusedGetsTheRefusalAndAnEnd() {
        try (TinyServer server = new TinyServer(exchange -> exchange.reply("no"));
                FaultProxy proxy = FaultProxy.before(server.url());
                RawClient client = new RawClient(proxy.port())) {
            client.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            client.head();
            assertThat(client.rest()).isEqualTo("no" + "EOF");
        }
    }

    /** A refusal before the body was read is worth more than the broken upload. */
    @Test
    void anEarlyRefusalReachesAClientThatIsStillSending() {
        try (TinyServer server = new TinyServer(
                        exchange -> exchange.write("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig"));
                FaultProxy proxy = FaultProxy.before(server.url());
                RawClient client = new RawClient(proxy.port())) {
            client.send("POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\nonly the beginning");
            assertThat(client.head()).startsWith("HTTP/1.1 413");
            assertThat(client.read(3)).isEqualTo("big");
        }
    }

    /** How a client leaves means something to a pipeline that is reached directly (counters.md, ghosts). */
    @Test
    void aClientThatLeavesWhileItWaitsIsSeenLeavingTheSameWay() {
        try (TinyServer server = new TinyServer(TinyServer.Exchange::body);
                FaultProxy proxy = FaultProxy.before(server.url())) {
            RawClient resetting = new RawClient(proxy.port()).post(USERS, "a");
            PipelineClient.await(() -> server.connectionOfRequest.size() == 1);
            resetting.reset();
            PipelineClient.await(() -> server.ends.equals(List.of(TinyServer.End.RESET)));
            PipelineClient.await(() -> proxy.counts("ingress/users").inFlight() == 0);
            RawClient closing = new RawClient(proxy.port()).post(USERS, "b");
            PipelineClient.await(() -> server.connectionOfRequest.size() == 2);
            closing.close();
            PipelineClient.await(() -> server.ends.equals(List.of(TinyServer.End.RESET, TinyServer.End.ORDERLY)));
            PipelineClient.await(() -> proxy.counts("ingress/users").equals(new RequestCounts(2, 0, 1)));
        }
    }

    @Test
    void aServerThatResetsOrLeavesIsSeenDoingSo() {
        try (TinyServer server = new TinyServer(exchange -> {
                    if (exchange.line().contains("reset")) exchange.socket().setSoLinger(true, 0);
                    exchange.socket().close();
                });
                FaultProxy proxy = FaultProxy.before(server.url());
                RawClient one = new RawClient(proxy.port());
                RawClient two = new RawClient(proxy.port())) {
            assertThat(one.get("/reset").rest()).isEqualTo("RST");
            assertThat(two.get("/leave").rest()).isEqualTo("EOF");
        }
    }

    @Test
    void whatIsNotHttpAndAServerThatIsNotThereEndInAReset() {
        try (TinyServer server = TinyServer.echo();
                FaultProxy proxy = FaultProxy.before(server.url());
                RawClient garbage = new RawClient(proxy.port());
                RawClient late = new RawClient(proxy.port())) {
            assertThat(garbage.send("\u0016\u0003\u0001 no http\n\n").rest()).isEqualTo("RST");
            server.stop();
            assertThat(late.get("/").rest()).isEqualTo("RST");
        }
    }

    /** Two implementations of HTTP that are not ours. */
    @Test
    void theStandinServesAnHttpClientThroughIt() {
        try (FelderaStandin standin = FelderaStandin.start(StandinSettings.defaults());
                FaultProxy proxy = FaultProxy.before(URI.create(standin.url()))) {
            standin.deploy(
                    "p", "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, s VARCHAR) WITH ('materialized' = 'true');");
            PipelineClient client = new PipelineClient(proxy.url(), "p");
            String wide = "x".repeat(3_000_000);
            client.written("t", "[{\"insert\":{\"id\":1,\"s\":\"" + wide + "\"}}]");
            proxy.inject(RequestPattern.ingress("t"), new HttpFault.DuplicateDelivery());
            client.written("t", "[{\"insert\":{\"id\":2,\"s\":\"\"}}]");
            assertThat(client.rows("SELECT * FROM t ORDER BY id"))
                    .containsExactly("{\"id\":1,\"s\":\"" + wide + "\"}", "{\"id\":2,\"s\":\"\"}");
            assertThat(proxy.counts("ingress/t").seen()).isEqualTo(2);
            assertThat(standin.pipeline("p").ingressRequests("t")).isEqualTo(3);
        }
    }

    private static void await(CountDownLatch release) throws IOException {
        try {
            if (!release.await(20, TimeUnit.SECONDS)) throw new IOException("never released");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
