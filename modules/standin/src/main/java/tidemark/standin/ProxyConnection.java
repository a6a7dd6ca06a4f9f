package tidemark.standin;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * One client's connection and the one to the server that belongs to it, request after request. Without a fault it is
 * transparent: what one side ends, orderly or by reset, ends the same way on the other side, also while the other side
 * is waited for. Only a connection that the server has closed between two requests is replaced.
 *
 * <p>Owned by the thread of {@link #run}, which forwards requests; replies have a {@link ReplyRelay}.
 */
final class ProxyConnection {
    private static final HttpHead CONTINUE = new HttpHead(List.of("HTTP/1.1 100 Continue"));
    private static final Duration FOR_EVER = Duration.ofDays(10_000);

    private final ProxyPeer client;
    private final InetSocketAddress address;
    private final FaultRules rules;
    private final RequestLedger ledger;
    private final BodySink.Pause pause;
    private Optional<ProxyPeer> connected = Optional.empty();

    /** A request as it is to be forwarded; its body may have been read before. */
    private record Request(HttpHead head, BodyFraming framing, InputStream body) {}

    ProxyConnection(
            ProxyPeer client, InetSocketAddress address, FaultRules rules, RequestLedger ledger, BodySink.Pause pause) {
        this.client = client;
        this.address = address;
        this.rules = rules;
        this.ledger = ledger;
        this.pause = pause;
    }

    void run() {
        try {
            boolean goesOn = true;
            while (goesOn && client.awaitByte()) {
                goesOn = exchange(HttpHead.read(client.in()).requireRequest());
            }
        } catch (IOException _) {
            client.reset();
            connected.ifPresent(ProxyPeer::reset);
        } finally {
            client.close();
            connected.ifPresent(ProxyPeer::close);
        }
    }

    /** Whether another request may follow. */
    private boolean exchange(HttpHead head) throws IOException {
        FaultRules.Suffering suffering = rules.take(head);
        String route = RequestPattern.routeOf(head.target());
        Optional<HttpFault.Outcome> outcome = suffering.outcome();
        if (outcome.filter(HttpFault.BlackHole.class::isInstance).isPresent()) {
            ledger.held(route);
            pause.of(FOR_EVER);
        }
        RequestLedger.Flight flight = ledger.begin(route);
        try {
            Duration latency = suffering.latency(Direction.TO_SERVER);
            boolean twice = outcome.filter(HttpFault.DuplicateDelivery.class::isInstance)
                    .isPresent();
            Request request = twice || latency.isPositive() ? received(head) : streamed(head);
            pause.of(latency);
            if (outcome.isPresent() && outcome.get() instanceof HttpFault.Answer answer) {
                return answer(request, answer, suffering, flight);
            }
            if (twice) {
                deliver(request);
                request.body().reset();
            }
            return forward(request, suffering, flight);
        } finally {
            flight.end();
        }
    }

    private Request streamed(HttpHead head) throws IOException {
        return new Request(head, BodyFraming.ofRequest(head), client.in());
    }

    /** With its body in memory, framed as it came; its client need not wait for the server to ask for it. */
    private Request received(HttpHead head) throws IOException {
        if (head.expectsContinue()) client.send(CONTINUE);
        BodyFraming framing = BodyFraming.ofRequest(head);
        var body = new ByteArrayOutputStream();
        framing.copy(client.in(), BodySink.to(body));
        return new Request(head.without("Expect"), framing, new ByteArrayInputStream(body.toByteArray()));
    }

    private ProxyPeer server() throws IOException {
        if (connected.isPresent() && connected.get().hasEnded()) {
            connected.get().close();
            connected = Optional.empty();
        }
        if (connected.isEmpty()) connected = Optional.of(ProxyPeer.connect(address));
        return connected.get();
    }

    /** Sends the request and reads the reply, for nobody. */
    private void deliver(Request request) throws IOException {
        ProxyPeer server = server();
        server.send(request.head());
        request.framing().copy(request.body(), BodySink.to(server.out()));
        HttpHead reply = HttpHead.read(server.in());
        BodyFraming.ofReply(request.head().method(), reply).copy(server.in(), BodySink.nowhere());
        if (!reply.keepsAlive()) server.close();
    }

    private boolean forward(Request request, FaultRules.Suffering suffering, RequestLedger.Flight flight)
            throws IOException {
        ProxyPeer server = server();
        var reply = new FutureTask<>(new ReplyRelay(request.head(), server, client, suffering, flight, pause));
        Thread.ofVirtual().name("fault-proxy-reply").start(reply);
        OptionalLong cut = suffering
                .outcome()
                .filter(HttpFault.ResetInRequest.class::isInstance)
                .map(HttpFault.ResetInRequest.class::cast)
                .map(reset -> OptionalLong.of(reset.afterBytes()))
                .orElse(OptionalLong.empty());
        OptionalLong bytesPerSecond = suffering.bytesPerSecond(Direction.TO_SERVER);
        try {
            server.send(request.head());
            request.framing().copy(request.body(), new BodySink(server.out(), pause, bytesPerSecond, cut));
        } catch (BodySink.Broken _) {
            result(reply); // the server takes no more, and may have said why
            return false;
        } catch (BodySink.Cut _) {
            flight.end();
            client.reset();
            server.reset();
            result(reply);
            return false;
        } catch (EOFException left) {
            server.close();
            result(reply);
            throw left;
        } catch (IOException left) {
            server.reset();
            result(reply);
            throw left;
        }
        return await(reply, server);
    }

    /** Listens to the client meanwhile: it may leave, and how it leaves means something to the server. */
    private boolean await(FutureTask<Boolean> reply, ProxyPeer server) throws IOException {
        boolean more;
        try {
            more = client.awaitByte();
        } catch (IOException left) {
            server.reset();
            result(reply);
            throw left;
        }
        if (!more) server.endOutput();
        return result(reply) && more;
    }

    private static boolean result(FutureTask<Boolean> reply) throws IOException {
        try {
            return reply.get();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean answer(
            Request request, HttpFault.Answer answer, FaultRules.Suffering suffering, RequestLedger.Flight flight)
            throws IOException {
        boolean goesOn = request.head().keepsAlive() && !request.head().expectsContinue();
        if (goesOn) request.framing().copy(request.body(), BodySink.nowhere());
        pause.of(suffering.latency(Direction.TO_CLIENT));
        flight.end();
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        HttpHead head = new HttpHead(List.of("HTTP/1.1 " + answer.status() + " Injected"))
                .with("Content-Type", "application/json")
                .with("Content-Length", Integer.toString(body.length))
                .with("Connection", goesOn ? "keep-alive" : "close");
        OptionalLong retryAfter = answer.retryAfterSeconds();
        client.send(retryAfter.isPresent() ? head.with("Retry-After", Long.toString(retryAfter.getAsLong())) : head);
        BodySink sink = BodySink.to(client.out());
        sink.content(body, body.length);
        sink.end();
        return goesOn;
    }
}
