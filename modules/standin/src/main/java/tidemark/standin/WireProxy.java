package tidemark.standin;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between a client and PostgreSQL (or any other server on loopback) and passes bytes on without looking at them,
 * TLS included, until a test spoils the connection: kills, refuses, stalls or loses it.
 *
 * <p>A stall is a congested network: nothing is lost, and everything held goes on at {@link #resume}, ends and resets
 * of the peers included. A black hole is a network that has forgotten the connection: nothing that is said after it
 * ever arrives, neither side hears that the other has ended, and only new connections work after {@link #resume}. The
 * kernel still acknowledges what fits into its buffers, so that TCP's own time-outs do not show.
 *
 * <p>Listens on loopback. Thread safe.
 */
public final class WireProxy implements AutoCloseable {
    private final InetSocketAddress server;
    private final WireGate gate = new WireGate();
    private final Set<WireLink> links = ConcurrentHashMap.newKeySet();
    private final AtomicLong accepted = new AtomicLong();
    private final Resets resets;
    private final ProxyListener listener;

    private WireProxy(InetSocketAddress server, Resets resets) {
        this.server = server;
        this.resets = resets;
        this.listener = new ProxyListener(this::accept);
    }

    /** @param port the server's, on loopback */
    public static WireProxy before(int port) {
        return before(port, new Resets(() -> {}));
    }

    /** @param resets learns which clients reset their connections */
    static WireProxy before(int port, Resets resets) {
        return new WireProxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), resets);
    }

    /** Where it listens. */
    public int port() {
        return listener.port();
    }

    /** Connections that neither the peers nor the proxy have ended; those in a black hole stay. */
    public int connections() {
        return links.size();
    }

    /** Connections that were ever accepted. */
    public long accepted() {
        return accepted.get();
    }

    /** Resets all connections on both sides. New ones are accepted. */
    public synchronized void kill() {
        links.forEach(link -> link.end(true));
    }

    /** New connections are refused from now on, as by a server that is not there; those that are open go on. */
    public void refuse() {
        listener.refuse();
    }

    /** Nothing is forwarded this way any more, also not on new connections. */
    public void stall(Direction direction) {
        gate.stall(EnumSet.of(direction));
    }

    /** Nothing is forwarded either way. */
    public void stall() {
        gate.stall(EnumSet.allOf(Direction.class));
    }

    /** All connections, and those made until {@link #resume}, are lost: they stay open and nothing comes through. */
    public synchronized void blackHole() {
        gate.blackHole();
        links.forEach(WireLink::lose);
    }

    /** Accepts, forwards what was stalled, and loses no new connection. */
    public void resume() {
        gate.open();
        listener.resume();
    }

    /** Under the lock, so that a fault takes hold of every connection that was accepted before it. */
    private synchronized void accept(SocketChannel client) {
        accepted.incrementAndGet();
        WireLink link = new WireLink(client, gate.pass(), resets);
        links.add(link);
        Thread.ofVirtual().name("wire-proxy-to-server").start(() -> {
            link.run(server);
            links.remove(link);
        });
    }

    /** Ends all connections. */
    @Override
    public void close() {
        listener.close();
        kill();
    }
}
