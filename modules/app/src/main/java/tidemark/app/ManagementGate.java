package tidemark.app;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Who may ask the service to do something, or for the keys of rows: whoever has the token, or, where there is none, a
 * program on the same machine. What a proxy passes on, or a page in a browser sends, is not from there, whatever its
 * connection looks like.
 */
final class ManagementGate {
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final List<String> OF_A_PROXY_OR_A_PAGE = List.of("forwarded", "via", "origin", "referer");
    private static final List<String> BEGIN_OF_THEM = List.of("x-forwarded", "x-real-", "x-envoy-", "sec-fetch-");
    /** A name may be made to mean this machine by whoever serves a page (DNS rebinding). */
    private static final Pattern LITERAL_HOST =
            Pattern.compile("(localhost|[0-9.]+|\\[[0-9a-f:.]+])(:[0-9]+)?", Pattern.CASE_INSENSITIVE);

    record Closed(int status, String why, String remedy) {}

    /**
     * @param headers by their names in lower case
     * @param peer where the request comes from
     * @param local where it came to
     */
    record Visit(Map<String, String> headers, SocketAddress peer, SocketAddress local) {
        Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
        }
    }

    private final Optional<ManagementToken> token;

    ManagementGate(Optional<ManagementToken> token) {
        this.token = token;
    }

    /** Empty if it is open. */
    Optional<Closed> closedTo(Visit visit) {
        if (token.isPresent()) {
            return token.get().isIn(visit.header("authorization").orElse(""))
                    ? Optional.empty()
                    : Optional.of(new Closed(
                            UNAUTHORIZED,
                            "this needs the service's management.token",
                            "send Authorization: Bearer, followed by the token"));
        }
        return isFromHere(visit)
                ? Optional.empty()
                : Optional.of(new Closed(
                        FORBIDDEN,
                        "the service has no management.token, so this is for programs on its own machine",
                        "set management.token or management.token-file and start the service again"));
    }

    private static boolean isFromHere(Visit visit) {
        return isHere(visit.peer(), visit.local())
                && visit.headers().keySet().stream().noneMatch(ManagementGate::isOfAProxyOrAPage)
                && visit.header("host")
                        .filter(host -> LITERAL_HOST.matcher(host).matches())
                        .isPresent();
    }

    private static boolean isOfAProxyOrAPage(String header) {
        return OF_A_PROXY_OR_A_PAGE.contains(header) || BEGIN_OF_THEM.stream().anyMatch(header::startsWith);
    }

    /** Not the rest of 127.0.0.0/8, from which the proxies of a mesh connect. */
    private static boolean isHere(SocketAddress peer, SocketAddress local) {
        if (!(peer instanceof InetSocketAddress from) || from.isUnresolved()) return false;
        String address = from.getAddress().getHostAddress();
        boolean sameAddress = local instanceof InetSocketAddress to
                && !to.isUnresolved()
                && to.getAddress().equals(from.getAddress())
                && !from.getAddress().isLoopbackAddress();
        return sameAddress || address.equals("127.0.0.1") || from.getAddress().equals(InetAddress.ofLiteral("::1"));
    }
}
