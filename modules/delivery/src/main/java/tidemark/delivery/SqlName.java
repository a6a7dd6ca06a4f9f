package tidemark.delivery;

import java.util.regex.Pattern;
import tidemark.decode.RelationName;

/**
 * PostgreSQL names as SQL takes them, so that a remedy can be pasted: quoted where folding or parsing would change
 * them.
 */
final class SqlName {
    private static final Pattern PLAIN = Pattern.compile("[a-z_][a-z0-9_]*");

    private SqlName() {}

    static String of(String name) {
        return PLAIN.matcher(name).matches() ? name : "\"" + name.replace("\"", "\"\"") + "\"";
    }

    static String of(RelationName name) {
        return of(name.schema()) + "." + of(name.table());
    }
}
