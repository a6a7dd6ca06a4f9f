package tidemark.standin;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which connections through a {@link WireProxy} were reset by their clients, by the port that the server sees them come
 * from. A connection that was merely closed is not among them. Thread safe.
 */
final class Resets {
    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();
    private final Runnable told;

    /** @param told runs after each reset */
    Resets(Runnable told) {
        this.told = told;
    }

    /** A new connection from this port, which an earlier one may have had. */
    void connected(int port) {
        ports.remove(port);
    }

    void reset(int port) {
        ports.add(port);
        told.run();
    }

    boolean includes(int port) {
        return ports.contains(port);
    }
}
