package tidemark.standin;

import java.util.Locale;

/**
 * An SQL identifier: quoted ones keep their case, the others are lower-cased. {@code text} is always the canonical
 * form.
 */
record SqlName(String text, boolean caseSensitive) {
    static SqlName unquoted(String text) {
        return new SqlName(text.toLowerCase(Locale.ROOT), false);
    }

    static SqlName quoted(String text) {
        return new SqlName(text, true);
    }

    /**
     * As in the path of {@code /ingress/{table}}: surrounding double quotes make it case-sensitive (feldera.md 1.2).
     */
    static SqlName inPath(String spelling) {
        boolean quoted = spelling.length() >= 2 && spelling.startsWith("\"") && spelling.endsWith("\"");
        return quoted ? quoted(spelling.substring(1, spelling.length() - 1)) : unquoted(spelling);
    }
}
