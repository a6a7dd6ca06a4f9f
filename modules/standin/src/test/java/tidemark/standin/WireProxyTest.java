package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every fault of the wire as both ends see it; the server here answers a line with a line. */
@Timeout(60)
class WireProxyTest {
    private static final Duration A_WHILE = Duration.ofMillis(200);

    private final List<String> received = new CopyOnWriteArrayList<>();
    private final TinyServer server = new TinyServer(exchange -> {
        received.add(exchange.line());
        exchange.write("re: " + exchange.line() + "\n");
    });
    private final WireProxy proxy = WireProxy.before(server.url().getPort());
    private final RawClient client = new RawClient(proxy.port());

    @AfterEach
    void close() {
        client.close();
        proxy.close();
        server.close();
    }

    private static void say(RawClient client, String line) {
        client.send(line + "\n\n"); // the empty line ends the headers, of which there are none
    }

    private void isAnswered(RawClient asking, String line) {
        say(asking, line);
        assertThat(asking.line()).isEqualTo("re: " + line);
    }

    @Test
    void passesBytesAndAnOrderlyEnd() {
        isAnswered(client, "x".repeat(1_000_000));
        assertThat(proxy.connections()).isEqualTo(1);
        client.close();
        PipelineClient.await(() -> server.ends.equals(List.of(TinyServer.End.ORDERLY)));
        PipelineClient.await(() -> proxy.connections() == 0);
        assertThat(proxy.accepted()).isEqualTo(1);
    }

    @Test
    void passesAReset() {
        isAnswered(client, "a");
        client.reset();
        PipelineClient.await(() -> server.ends.equals(List.of(TinyServer.End.RESET)));
    }

    @Test
    void killResetsBothSidesAndLetsNewOnesIn() {
        isAnswered(client, "a");
        proxy.kill();
        assertThat(client.rest()).isEqualTo("RST");
        PipelineClient.await(() -> server.ends.equals(List.of(TinyServer.End.RESET)));
        try (RawClient again = new RawClient(proxy.port())) {
            isAnswered(again, "b");
        }
    }

    @Test
    void refusesNewConnectionsAndKeepsOpenOnesUntilResumed() {
        isAnswered(client, "a");
        proxy.refuse();
        assertThatThrownBy(() -> new RawClient(proxy.port()))
                .isInstanceOf(UncheckedIOException.class)
                .hasCauseInstanceOf(ConnectException.class);
        isAnswered(client, "b");
        proxy.resume();
        try (RawClient again = new RawClient(proxy.port())) {
            isAnswered(again, "c");
        }
    }

    @Test
    void whatIsStalledTowardsTheServerArrivesWhenResumed() {
        isAnswered(client, "a");
        proxy.stall(Direction.TO_SERVER);
        say(client, "b");
        assertThat(client.isSilentFor(A_WHILE)).isTrue();
        assertThat(received).containsExactly("a");
        proxy.resume();
        assertThat(client.line()).isEqualTo("re: b");
    }

    @Test
    void whatIsStalledTowardsTheClientWasDoneByTheServer() {
        isAnswered(client, "a");
        proxy.stall(Direction.TO_CLIENT);
        say(client, "b");
        PipelineClient.await(() -> received.contains("b"));
        assertThat(client.isSilentFor(A_WHILE)).isTrue();
        proxy.resume();
        assertThat(client.line()).isEqualTo("re: b");
    }

    @Test
    void aStallHoldsBackTheNewsOfAnEndToo() {
        isAnswered(client, "a");
        proxy.stall();
        server.close();
        assertThat(client.isSilentFor(A_WHILE)).isTrue();
        proxy.resume();
        assertThat(client.rest()).isIn("EOF", "RST");
    }

    @Test
    void aBlackHoleSwallowsForEverAndOnlyNewConnectionsWorkWhenItIsLifted() {
        isAnswered(client, "a");
        proxy.blackHole();
        say(client, "lost");
        assertThat(client.isSilentFor(A_WHILE)).isTrue();
        try (RawClient during = new RawClient(proxy.port())) {
            say(during, "also lost");
            PipelineClient.await(() -> proxy.connections() == 2);
            assertThat(during.isSilentFor(A_WHILE)).isTrue();
            proxy.resume();
            assertThat(during.isSilentFor(A_WHILE)).isTrue();
        }
        assertThat(client.isSilentFor(A_WHILE)).isTrue();
        try (RawClient again = new RawClient(proxy.port())) {
            isAnswered(again, "b");
        }
        assertThat(received).containsExactly("a", "b");
    }
}
