package tidemark.sink;

import io.helidon.common.tls.Tls;
import io.helidon.webclient.api.ConnectionKey;
import io.helidon.webclient.api.TcpClientConnection;
import io.helidon.webclient.api.WebClient;
import io.helidon.webclient.http1.Http1Client;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.LongSupplier;

/**
 * Keeps connections between requests, but not for long. Thread safe.
 *
 * <p>A POST on a connection that the server is just closing has an unknown outcome, which costs the session and the
 * ghost wait; a new connection costs a round trip. So a connection is used again only within {@link #REUSE_WITHIN},
 * well below what servers wait: the pipeline 30 s (feldera.md §1.6), the API server's library 5 s by default.
 *
 * <p>Nobody reads from a connection that is kept. Helidon's own cache (4.3.0) has one watched, and offers it before
 * that begins: the watcher then takes the first byte of the next reply, and what is left of it is no HTTP.
 */
final class KeptConnections implements AutoCloseable {
    private static final Duration REUSE_WITHIN = Duration.ofSeconds(2);

    private final WebClient client;
    private final ConnectionKey server;
    private final LongSupplier nanoClock;
    private final ConcurrentLinkedDeque<Idle> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    private record Idle(TcpClientConnection connection, long sinceNanos) {}

    KeptConnections(WebClient client, URI url, LongSupplier nanoClock) {
        this.client = client;
        this.nanoClock = nanoClock;
        var config = client.prototype();
        boolean secure = "https".equalsIgnoreCase(url.getScheme());
        int defaultPort = secure ? 443 : 80;
        this.server = ConnectionKey.create(
                url.getScheme(),
                url.getHost(),
                url.getPort() == -1 ? defaultPort : url.getPort(),
                secure ? config.tls() : Tls.builder().enabled(false).build(),
                config.dnsResolver(),
                config.dnsAddressLookup(),
                config.proxy());
    }

    /** Connected, the caller's alone, and to be released or closed by Helidon's response or by the caller. */
    TcpClientConnection take() {
        for (Idle last = idle.pollFirst(); last != null; last = idle.pollFirst()) {
            boolean fresh = nanoClock.getAsLong() - last.sinceNanos <= REUSE_WITHIN.toNanos();
            if (fresh && last.connection.isConnected()) return last.connection;
            last.connection.closeResource();
        }
        return TcpClientConnection.create(client, server, List.of(Http1Client.PROTOCOL_ID), this::keep, _ -> {})
                .connect();
    }

    private boolean keep(TcpClientConnection connection) {
        if (closed) return false;
        idle.addFirst(new Idle(connection, nanoClock.getAsLong()));
        return true;
    }

    @Override
    public void close() {
        closed = true;
        for (Idle last = idle.pollFirst(); last != null; last = idle.pollFirst()) last.connection.closeResource();
    }
}
