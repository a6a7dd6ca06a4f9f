package tidemark.replication;

import tidemark.decode.RelationName;

/** Identifiers and literals as PostgreSQL reads them, for the places where no parameter can be bound. */
final class SqlText {
    private SqlText() {}

    static String identifier(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    static String name(RelationName name) {
        return identifier(name.schema()) + '.' + identifier(name.table());
    }

    /** For {@code standard_conforming_strings = on}, and for the replication grammar, which knows no other. */
    static String literal(String text) {
        return '\'' + text.replace("'", "''") + '\'';
    }
}
