package tidemark.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Where the HTTP server is to listen. */
record ServerAddress(String host, int port) {
    /** Below it a port needs privileges that a container rarely has. */
    private static final int FIRST_UNPRIVILEGED = 1024;

    private static final int ANY = 0;

    /**
     * Tried before Helidon does, which meets a port in use with a stack trace and goes on without its server. Whoever
     * takes the port between the two is still found: Helidon then has none.
     */
    void requireFree() {
        if (!canListenOn(ANY)) {
            throw new StartFailure.NotListening(
                    "%s (server.host) is not an address of this machine".formatted(host),
                    "set server.host to one that is, or to 0.0.0.0 for all of them");
        }
        if (canListenOn(port)) return;
        String privileges = port < FIRST_UNPRIVILEGED ? ", or needs privileges" : "";
        throw new StartFailure.NotListening(
                "port %d (server.port) is in use%s".formatted(port, privileges),
                "stop what listens there, or set server.port to a free port");
    }

    private boolean canListenOn(int tried) {
        try (var socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), tried));
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
