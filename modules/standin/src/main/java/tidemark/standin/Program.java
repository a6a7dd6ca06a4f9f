package tidemark.standin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tables of a pipeline's SQL program. Views, types and functions are accepted and left out: the stand-in keeps
 * tables and computes nothing.
 */
final class Program {
    private static final Set<String> COLUMN_WORDS =
            Set.of("NOT", "NULL", "PRIMARY", "DEFAULT", "LATENESS", "WATERMARK", "FOREIGN", "REFERENCES", "INTERNED");

    private final SqlText text;
    private final List<TableDefinition> tables = new ArrayList<>();

    private Program(String sql) {
        text = new SqlText(sql);
    }

    /** Throws {@link SqlRefused}. */
    static List<TableDefinition> tables(String sql) {
        var program = new Program(sql);
        program.readStatements();
        return List.copyOf(program.tables);
    }

    private void readStatements() {
        while (!text.atEnd()) {
            if (text.takeSymbol(";")) {
                continue;
            }
            if (text.takeWords("CREATE", "TABLE")) {
                readTable();
            } else if (text.takeWords("CREATE")) {
                readIgnored();
            } else {
                throw text.expected("CREATE");
            }
        }
    }

    private void readIgnored() {
        Set<String> kinds = Set.of("VIEW", "MATERIALIZED", "LOCAL", "TYPE", "FUNCTION", "AGGREGATE", "LINEAR", "INDEX");
        if (!kinds.contains(text.peek().text().toUpperCase(Locale.ROOT))) {
            throw text.expected("TABLE or VIEW");
        }
        while (!text.atEnd() && !text.peek().isSymbol(";")) {
            text.take();
        }
    }

    private void readTable() {
        SqlText.Token at = text.peek();
        SqlName name = text.expectName();
        if (tables.stream().anyMatch(table -> table.name().text().equals(name.text()))) {
            throw new SqlRefused("Duplicate declaration: '" + name.text() + "' already exists", at);
        }
        text.expectSymbol("(");
        List<TableDefinition.Column> columns = new ArrayList<>();
        List<SqlName> key = new ArrayList<>();
        do {
            if (text.takeWords("PRIMARY", "KEY")) {
                key.addAll(names());
            } else if (text.takeWords("FOREIGN", "KEY")) {
                names();
                readReference();
            } else {
                columns.add(column(key));
            }
        } while (text.takeSymbol(","));
        text.expectSymbol(")");
        Map<String, String> properties = text.takeWords("WITH") ? properties() : Map.of();
        if (!text.atEnd()) {
            text.expectSymbol(";");
        }
        tables.add(table(at, name, columns, key, properties));
    }

    /** Key columns are NOT NULL whether they say so or not. */
    private static TableDefinition table(
            SqlText.Token at,
            SqlName name,
            List<TableDefinition.Column> columns,
            List<SqlName> keyNames,
            Map<String, String> properties) {
        Set<String> seen = new HashSet<>();
        for (TableDefinition.Column column : columns) {
            if (!seen.add(column.name().text())) {
                throw new SqlRefused("Column '" + column.name().text() + "' already declared", at);
            }
        }
        var keyless = new TableDefinition(name, columns, List.of(), properties);
        List<Integer> key = new ArrayList<>();
        for (SqlName keyName : keyNames) {
            key.add(keyless.columnNamed(keyName)
                    .orElseThrow(() ->
                            new SqlRefused("Key field '" + keyName.text() + "' does not correspond to a column", at)));
        }
        List<TableDefinition.Column> declared = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            TableDefinition.Column column = columns.get(i);
            declared.add(key.contains(i) ? column.notNull() : column);
        }
        return new TableDefinition(name, List.copyOf(declared), List.copyOf(key), properties);
    }

    private List<SqlName> names() {
        List<SqlName> names = new ArrayList<>();
        text.expectSymbol("(");
        do {
            names.add(text.expectName());
        } while (text.takeSymbol(","));
        text.expectSymbol(")");
        return names;
    }

    private void readReference() {
        text.expectWord("REFERENCES");
        text.expectName();
        if (text.peek().isSymbol("(")) {
            names();
        }
    }

    private Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        text.expectSymbol("(");
        do {
            String name = text.expectString();
            text.expectSymbol("=");
            properties.put(name, text.expectString());
        } while (text.takeSymbol(","));
        text.expectSymbol(")");
        return properties;
    }

    private TableDefinition.Column column(List<SqlName> key) {
        SqlName name = text.expectName();
        SqlType type = SqlTypeText.read(text);
        boolean nullable = true;
        Optional<String> defaultText = Optional.empty();
        Optional<String> defaultValue = Optional.empty();
        Optional<String> lateness = Optional.empty();
        Optional<String> watermark = Optional.empty();
        while (!text.peek().isSymbol(",") && !text.peek().isSymbol(")")) {
            SqlText.Token at = text.peek();
            if (text.takeWords("NOT", "NULL")) {
                nullable = false;
            } else if (text.takeWords("PRIMARY", "KEY")) {
                key.add(name);
            } else if (text.takeWords("DEFAULT")) {
                defaultText = Optional.of(expression());
                defaultValue = Optional.of(SqlLiteral.stored(defaultText.get(), new SqlType.Nullable(type, true), at));
            } else if (text.takeWords("LATENESS")) {
                String sql = expression();
                if (Lateness.allowance(sql, type).isEmpty()) {
                    throw new SqlRefused(
                            "LATENESS " + sql + " is not a number or an INTERVAL of seconds to days that fits the"
                                    + " column's type (the stand-in takes no other)",
                            at);
                }
                lateness = Optional.of(sql);
            } else if (text.takeWords("WATERMARK")) {
                watermark = Optional.of(expression());
            } else if (text.takeWords("FOREIGN", "KEY")) {
                readReference();
            } else if (!text.takeWords("NULL") && !text.takeWords("INTERNED")) {
                throw text.expected("a column constraint");
            }
        }
        return new TableDefinition.Column(
                name, new SqlType.Nullable(type, nullable), defaultText, defaultValue, lateness, watermark);
    }

    /** Everything up to the next constraint, comma or closing parenthesis. */
    private String expression() {
        SqlText.Token first = text.peek();
        int depth = 0;
        while (!text.atEnd()) {
            SqlText.Token token = text.peek();
            boolean ends = token.isSymbol(",")
                    || token.isSymbol(")")
                    || (token.kind() == SqlText.Kind.WORD
                            && !token.equals(first)
                            && COLUMN_WORDS.contains(token.text().toUpperCase(Locale.ROOT)));
            if (depth == 0 && ends) {
                break;
            }
            depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
            text.take();
        }
        if (text.peek().equals(first)) {
            throw text.expected("an expression");
        }
        return text.source(first, text.peek());
    }
}
