package tidemark.replication;

/** Identifiers and literals as PostgreSQL reads them, for the places where no parameter can be bound. */
final class SqlText {
    private SqlText() {}

    static String identifier(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** For {@code standard_conforming_strings = on}, and for the replication grammar, which knows no other. */
    static String literal(String text) {
        return '\'' + text.replace("'", "''") + '\'';
    }
}
