package tidemark.standin;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Stands between an HTTP/1.1 client and Feldera, passes everything on as it came, and spoils what a test tells it to:
 * faults are injected at run time for the requests that match a pattern, once, so many times, or until cleared.
 *
 * <p>Requests and replies are streamed, of any size, over connections that are kept alive; each client connection has
 * one of its own to the server, made at its first request. When the server does not accept it, the client is reset: a
 * proxy has accepted by then, so that only {@link #refuse} shows what a server that is not there looks like. Not passed
 * on are TLS and other protocols than HTTP/1.
 *
 * <p>Listens on loopback. Thread safe.
 */
public final class FaultProxy implements AutoCloseable {
    private final InetSocketAddress server;
    private final FaultRules rules = new FaultRules();
    private final RequestLedger ledger = new RequestLedger();
    private final Set<ProxyPeer> clients = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ProxyListener listener;

    private FaultProxy(InetSocketAddress server) {
        this.server = server;
        this.listener = new ProxyListener(this::accept);
    }

    /** @param server {@code http://host:port} */
    public static FaultProxy before(URI server) {
        if (!"http".equals(server.getScheme()) || server.getPort() < 0) {
            throw new IllegalArgumentException("not http://host:port: " + server);
        }
        return new FaultProxy(new InetSocketAddress(server.getHost(), server.getPort()));
    }

    /** Where it listens. */
    public int port() {
        return listener.port();
    }

    /** What the client takes for the server. */
    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /** Spoils every such request until it is cleared. */
    public Injection inject(RequestPattern where, HttpFault fault) {
        return inject(where, fault, OptionalLong.empty());
    }

    /** Spoils the next such request. */
    public Injection injectOnce(RequestPattern where, HttpFault fault) {
        return inject(where, fault, OptionalLong.of(1));
    }

    /** Spoils the next so many such requests. */
    public Injection inject(long times, RequestPattern where, HttpFault fault) {
        return inject(where, fault, OptionalLong.of(times));
    }

    private Injection inject(RequestPattern where, HttpFault fault, OptionalLong times) {
        var injection = new Injection(where, fault, times);
        rules.add(injection);
        return injection;
    }

    /** No further request is spoilt; those that suffer already go on doing so. */
    public void clear() {
        rules.clear();
    }

    /** What came for one route, see {@link RequestPattern}: {@code ingress/users}. */
    public RequestCounts counts(String route) {
        return ledger.of(route);
    }

    /** By route. */
    public Map<String, RequestCounts> counts() {
        return ledger.all();
    }

    /** Client connections that are open now. */
    public int connections() {
        return clients.size();
    }

    /** Resets all connections of clients, whatever is under way on them. */
    public void cut() {
        clients.forEach(ProxyPeer::reset);
    }

    /** New connections are refused from now on, as by a server that is not there; those that are open go on. */
    public void refuse() {
        listener.refuse();
    }

    /** New connections are accepted again. */
    public void resume() {
        listener.resume();
    }

    private void accept(SocketChannel channel) {
        try {
            var client = new ProxyPeer(channel);
            clients.add(client);
            Thread.ofVirtual().name("fault-proxy-request").start(() -> {
                new ProxyConnection(client, server, rules, ledger, this::pause).run();
                clients.remove(client);
            });
        } catch (IOException _) {
            // the client left before it said anything
        }
    }

    private void pause(Duration time) throws IOException {
        try {
            boolean over = closed.await(time.toNanos(), TimeUnit.NANOSECONDS);
            if (over) throw new IOException("the proxy is closed");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /** Ends all connections. */
    @Override
    public void close() {
        closed.countDown();
        listener.close();
        cut();
    }
}
