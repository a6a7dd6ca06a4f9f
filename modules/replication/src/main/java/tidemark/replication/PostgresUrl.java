package tidemark.replication;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;
import tidemark.replication.SourceFailure.Kind;

/**
 * One server and one database, parsed from {@code postgresql://host[:port]/database} or its {@code jdbc:} form.
 *
 * <p>Credentials and parameters inside the URL are refused: URLs end up in logs, and a driver parameter could undo what
 * this module relies on. So are several hosts: the walsender and the copying sessions must meet the same server. No
 * message repeats the text, since it may hold a password.
 */
record PostgresUrl(String host, int port, String database) {
    private static final int DEFAULT_PORT = 5432;

    static PostgresUrl parse(String text) {
        String rest = Stream.of("jdbc:postgresql://", "postgresql://")
                .filter(text::startsWith)
                .map(scheme -> text.substring(scheme.length()))
                .findFirst()
                .orElseThrow(() -> refused("does not begin with postgresql:// or jdbc:postgresql://"));
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        if (authority.contains("@"))
            throw refused("contains credentials", "use postgres.user and postgres.password-file");
        if (rest.contains("?")) {
            throw refused(
                    "contains parameters", "use the postgres.* settings; other driver parameters are not supported");
        }
        if (authority.contains(",")) throw refused("names several hosts", "name the one server to replicate from");
        if (slash < 0 || slash == rest.length() - 1) throw refused("names no database");
        return at(authority, decoded(rest.substring(slash + 1)));
    }

    private static PostgresUrl at(String authority, String database) {
        int colon = authority.lastIndexOf(':');
        boolean hasPort = colon > authority.lastIndexOf(']'); // colons inside [::1] are the address's own
        String host = hasPort ? authority.substring(0, colon) : authority;
        if (host.isEmpty()) throw refused("names no host");
        return new PostgresUrl(host, hasPort ? port(authority.substring(colon + 1)) : DEFAULT_PORT, database);
    }

    private static int port(String digits) {
        return Optional.of(digits)
                .filter(text -> text.matches("[0-9]{1,5}"))
                .map(Integer::parseInt)
                .filter(port -> port > 0 && port < 65_536)
                .orElseThrow(() -> refused("has a port that is not a number from 1 to 65535"));
    }

    private static String decoded(String database) {
        try {
            return URLDecoder.decode(database.replace("+", "%2B"), StandardCharsets.UTF_8); // + is no space in a path
        } catch (IllegalArgumentException _) {
            throw refused("has a broken percent escape in the database name");
        }
    }

    String jdbc() {
        // Not %d: in some locales that prints other digits.
        return "jdbc:postgresql://%s:%s/%s".formatted(host, port, URLEncoder.encode(database, StandardCharsets.UTF_8));
    }

    private static SourceFailure refused(String why) {
        return refused(why, "write it as postgresql://host:5432/database");
    }

    private static SourceFailure refused(String why, String remedy) {
        return new SourceFailure(Kind.MISCONFIGURED, "read postgres.url: it " + why, remedy);
    }
}
