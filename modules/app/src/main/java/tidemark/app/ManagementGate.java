package tidemark.app;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;

/**
 * Who may ask the service to do something, or for the keys of rows: whoever has the token, or, where there is none, a
 * client on the same machine.
 */
final class ManagementGate {
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    record Closed(int status, String why, String remedy) {}

    private final Optional<ManagementToken> token;

    ManagementGate(Optional<ManagementToken> token) {
        this.token = token;
    }

    /**
     * Empty if it is open.
     *
     * @param authorization as the request has it, empty for none
     */
    Optional<Closed> closedTo(String authorization, SocketAddress peer) {
        if (token.isPresent()) {
            return token.get().isIn(authorization)
                    ? Optional.empty()
                    : Optional.of(new Closed(
                            UNAUTHORIZED,
                            "this needs the service's management.token",
                            "send Authorization: Bearer, followed by the token"));
        }
        return isHere(peer)
                ? Optional.empty()
                : Optional.of(new Closed(
                        FORBIDDEN,
                        "the service has no management.token, so this is for clients on its own machine",
                        "set management.token or management.token-file and start the service again"));
    }

    private static boolean isHere(SocketAddress peer) {
        return peer instanceof InetSocketAddress inet
                && !inet.isUnresolved()
                && inet.getAddress().isLoopbackAddress();
    }
}
