package tidemark.standin;

import java.util.Map;
import java.util.Optional;

/** Statements that {@code /query} plans and does not do, in the words of the recorded exchange 06. */
final class RefusedStatement {
    private static final Map<String, String> UNPLANNED = Map.of(
            "CREATE TABLE", "Error during planning: DDL not supported: CreateMemoryTable",
            "DROP TABLE", "Error during planning: DDL not supported: DropTable",
            "SHOW TABLES", "Error during planning: SHOW TABLES is not supported unless information_schema is enabled",
            "SHOW COLUMNS", "Error during planning: SHOW COLUMNS is not supported unless information_schema is enabled",
            "SET", "This feature is not implemented: Unsupported logical plan: Statement(SetVariable)");

    private RefusedStatement() {}

    /** Why this statement is not done; empty when it may be. */
    static Optional<String> reason(SqlText text) {
        for (Map.Entry<String, String> one : UNPLANNED.entrySet()) {
            if (text.takeWords(one.getKey().split(" ", -1))) {
                return Optional.of(one.getValue());
            }
        }
        if (text.takeWords("DELETE", "FROM")) {
            return Optional.of(writing("DELETE", text));
        }
        if (text.takeWords("TRUNCATE", "TABLE")) {
            return Optional.of(writing("TRUNCATE", text));
        }
        return text.takeWords("UPDATE") ? Optional.of(writing("UPDATE", text)) : Optional.empty();
    }

    private static String writing(String operation, SqlText text) {
        return operation + " operation on table '" + text.expectName().text()
                + "'\ncaused by\nThis feature is not implemented: " + operation + " not supported for Base table";
    }
}
