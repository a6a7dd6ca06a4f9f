package tidemark.app;

import java.util.ArrayList;
import java.util.List;

/** SQL as a person writes it into a case: statements with semicolons between them, and names of the run to fill in. */
final class SqlScript {
    private SqlScript() {}

    /** Its statements, in order. A semicolon between quotes ends nothing. */
    static List<String> statements(String script) {
        List<String> statements = new ArrayList<>();
        var statement = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < script.length(); i++) {
            char c = script.charAt(i);
            if (quote != 0) {
                if (c == quote) quote = 0;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == ';') {
                add(statements, statement);
                continue;
            }
            statement.append(c);
        }
        add(statements, statement);
        return statements;
    }

    private static void add(List<String> statements, StringBuilder statement) {
        String text = statement.toString().strip();
        if (!text.isEmpty()) statements.add(text);
        statement.setLength(0);
    }
}
