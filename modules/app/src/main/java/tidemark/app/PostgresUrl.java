package tidemark.app;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code postgres.url} taken apart. Neither {@link #toString()} nor any reason for refusing a URL repeats it, because
 * people put passwords into it.
 *
 * @param jdbc {@code jdbc:postgresql://host:port/database}, without credentials
 */
record PostgresUrl(String jdbc, Optional<String> user, Optional<String> password) {
    private static final Pattern URL = Pattern.compile("(?:jdbc:)?postgres(?:ql)?://(?:([^/@]*)@)?"
            + "((?:\\[[0-9A-Fa-f:.]+]|[^/?#@\\s,:\\[\\]]+)(?::(\\d{1,5}))?)/([^/?#\\s]+)(\\?[^#]*)?");

    static Form<PostgresUrl> form() {
        return new Form<>(
                "URL", "postgresql://host:port/database or jdbc:postgresql://host:port/database", PostgresUrl::parse);
    }

    private static PostgresUrl parse(String text) {
        Matcher parts = URL.matcher(text);
        if (!parts.matches()) throw new Form.Unfit("is not a PostgreSQL URL with one host and a database");
        if (parts.group(5) != null) {
            throw new Form.Unfit(
                    "carries parameters, which have keys of their own: postgres.sslmode, postgres.user, …");
        }
        int port = Optional.ofNullable(parts.group(3)).map(Integer::parseInt).orElse(1);
        if (port < 1 || port > 65_535) throw new Form.Unfit("has a port that is not from 1 to 65535");
        String jdbc = "jdbc:postgresql://%s/%s".formatted(parts.group(2), parts.group(4));
        String[] credentials = Optional.ofNullable(parts.group(1)).orElse("").split(":", 2);
        return new PostgresUrl(
                jdbc, decoded(credentials[0]), credentials.length < 2 ? Optional.empty() : decoded(credentials[1]));
    }

    /** Percent-decoding as libpq does it: a plus sign stands for itself. */
    private static Optional<String> decoded(String text) {
        if (text.isEmpty()) return Optional.empty();
        try {
            return Optional.of(URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException _) {
            throw new Form.Unfit("has a user or password that is not percent-encoded");
        }
    }

    @Override
    public String toString() {
        return jdbc;
    }
}
