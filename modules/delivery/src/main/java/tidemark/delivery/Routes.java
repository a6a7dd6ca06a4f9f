package tidemark.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tidemark.decode.RelationName;
import tidemark.sink.FelderaName;

/**
 * Reads {@code tables}: routes separated by commas, each {@code [schema.]table[:felderaTable]}.
 *
 * <p>Names are written as in SQL. Unquoted ones are letters, digits, {@code _} and {@code $}, and are folded: to lower
 * case, as both PostgreSQL and Feldera do. Quoted ones are exact, with a doubled quote for a quote, and may hold
 * anything. A table without schema is in {@code public}. Without a Feldera name the table keeps PostgreSQL's, with its
 * quotes: {@code Users} goes into {@code users}, {@code "Users"} into {@code "Users"}. White space between the parts
 * means nothing.
 */
public final class Routes {
    private static final String DEFAULT_SCHEMA = "public";

    /** Every (table, parameters) endpoint holds one of Feldera's 100 API connections for ever (feldera.md 1.3). */
    private static final int API_CONNECTIONS = 100;

    private record Name(String text, boolean quoted) {}

    private final String text;
    private int at;

    private Routes(String text) {
        this.text = text;
    }

    /**
     * The routes in their order, empty for blank text. Whether they go together is for {@link #problems} to say.
     *
     * @throws IllegalArgumentException saying at which character (from 1) what was expected
     */
    public static List<TableRoute> parse(String text) {
        return text.isBlank() ? List.of() : new Routes(text).routes();
    }

    /** Why these cannot be replicated side by side, whatever the two ends hold; every reason at once. */
    public static List<Finding> problems(List<TableRoute> routes) {
        var problems = new ArrayList<Finding>();
        if (routes.size() > API_CONNECTIONS) {
            problems.add(new Finding(
                    "tables",
                    "%d tables are more than the %d API connections that Feldera has"
                            .formatted(routes.size(), API_CONNECTIONS),
                    "split them over several pipelines"));
        }
        Set<RelationName> sources = new HashSet<>();
        Map<String, RelationName> targets = new HashMap<>();
        for (TableRoute route : routes) {
            if (!sources.add(route.postgres())) {
                problems.add(new Finding(
                        "table " + route.postgres(), "it is configured twice", "leave one of the two out of tables"));
                continue;
            }
            RelationName other = targets.putIfAbsent(route.feldera().text(), route.postgres());
            if (other != null) {
                problems.add(new Finding(
                        "Feldera table " + route.feldera(),
                        "both %s and %s go into it".formatted(other, route.postgres()),
                        "give each a table of its own"));
            }
        }
        return List.copyOf(problems);
    }

    private List<TableRoute> routes() {
        var routes = new ArrayList<TableRoute>();
        do {
            routes.add(route());
        } while (skip(','));
        if (at < text.length()) throw unexpected("a comma before the next table");
        return List.copyOf(routes);
    }

    private TableRoute route() {
        Name first = name("a table name");
        Name table = first;
        String schema = DEFAULT_SCHEMA;
        if (skip('.')) {
            schema = first.text;
            table = name("a table name after the schema");
            if (peek('.')) throw unexpected("at most one dot, between schema and table");
        }
        Name feldera = skip(':') ? name("a Feldera table name") : table;
        if (peek('.')) throw unexpected("a Feldera table name without a schema");
        return new TableRoute(new RelationName(schema, table.text), new FelderaName(feldera.text, feldera.quoted));
    }

    private Name name(String expected) {
        skipSpace();
        int start = at;
        if (skip('"')) return new Name(quoted(start), true);
        while (at < text.length() && isNamePart(text.charAt(at), at == start)) at++;
        if (at == start) throw unexpected(expected + " (quote one that is not letters, digits and _)");
        String folded = fold(text.substring(start, at));
        skipSpace();
        return new Name(folded, false);
    }

    /** The rest of a name whose opening quote, at {@code start}, was read. */
    private String quoted(int start) {
        var name = new StringBuilder();
        while (true) {
            int quote = text.indexOf('"', at);
            if (quote < 0) throw error(start, "the quote that begins here is never closed");
            name.append(text, at, quote);
            at = quote + 1;
            if (at == text.length() || text.charAt(at) != '"') break;
            name.append('"');
            at++;
        }
        if (name.isEmpty()) throw error(start, "a name cannot be empty");
        skipSpace();
        return name.toString();
    }

    /** PostgreSQL, documentation 4.1.1; letters beyond ASCII count. */
    private static boolean isNamePart(char one, boolean first) {
        return Character.isLetter(one) || one == '_' || (!first && (Character.isDigit(one) || one == '$'));
    }

    /** PostgreSQL folds ASCII letters and leaves the others alone when the encoding has several bytes (scansup.c). */
    private static String fold(String name) {
        var folded = new StringBuilder(name);
        for (int i = 0; i < name.length(); i++) {
            char one = name.charAt(i);
            if (one >= 'A' && one <= 'Z') folded.setCharAt(i, (char) (one + ('a' - 'A')));
        }
        return folded.toString();
    }

    private boolean peek(char wanted) {
        return at < text.length() && text.charAt(at) == wanted;
    }

    private boolean skip(char wanted) {
        boolean found = peek(wanted);
        if (found) at++;
        return found;
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
    }

    private IllegalArgumentException unexpected(String expected) {
        String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
        return error(at, "expected %s, found %s".formatted(expected, found));
    }

    private static IllegalArgumentException error(int position, String reason) {
        return new IllegalArgumentException("character %d: %s".formatted(position + 1, reason));
    }
}
