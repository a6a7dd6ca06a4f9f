package tidemark.standin;

import jakarta.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code INSERT INTO table [(columns)] VALUES (constants), …}, as {@code /query} takes it. A column that is not named
 * is null and not its DEFAULT, because DataFusion fills the row before Feldera sees it.
 *
 * @param columns in the order of the values; empty for all as declared
 * @param rows of JSON constants
 */
record InsertStatement(SqlName table, List<SqlName> columns, List<List<String>> rows) {
    /** Empty for any other statement. */
    static Optional<InsertStatement> parse(String sql) {
        try {
            var text = new SqlText(sql);
            return text.takeWords("INSERT", "INTO") ? Optional.of(parse(text)) : Optional.empty();
        } catch (SqlRefused refused) {
            throw QueryStatement.beyond(refused);
        }
    }

    private static InsertStatement parse(SqlText text) {
        SqlName table = text.expectName();
        List<SqlName> columns = new ArrayList<>();
        if (text.takeSymbol("(")) {
            do {
                columns.add(text.expectName());
            } while (text.takeSymbol(","));
            text.expectSymbol(")");
        }
        text.expectWord("VALUES");
        List<List<String>> rows = new ArrayList<>();
        do {
            rows.add(constants(text));
        } while (text.takeSymbol(","));
        text.takeSymbol(";");
        if (!text.atEnd()) {
            throw text.expected("the end of the statement");
        }
        return new InsertStatement(table, List.copyOf(columns), List.copyOf(rows));
    }

    private static List<String> constants(SqlText text) {
        List<String> constants = new ArrayList<>();
        text.expectSymbol("(");
        do {
            constants.add(SqlLiteral.json(text));
        } while (text.takeSymbol(","));
        text.expectSymbol(")");
        return constants;
    }

    /** The rows, checked; all of them or an error. */
    List<Change> changes(TableContent table) {
        List<SqlName> named = columns.isEmpty()
                ? table.definition().columns().stream()
                        .map(TableDefinition.Column::name)
                        .toList()
                : columns;
        EventReader reader = table.newReader();
        List<Change> changes = new ArrayList<>();
        var errors = new ParseErrors();
        for (List<String> row : rows) {
            String json = json(table.definition(), named, row);
            reader.read(JsonCursor.over(json), EventReader.Operation.INSERT, changes, errors);
        }
        errors.first().ifPresent(error -> {
            throw ApiError.adHocQuery("Arrow error: Cast error: " + error);
        });
        return changes;
    }

    private static String json(TableDefinition table, List<SqlName> named, List<String> row) {
        if (row.size() != named.size()) {
            throw ApiError.adHocQuery(
                    "Error during planning: Inserting " + row.size() + " values into " + named.size() + " columns");
        }
        List<String> members = new ArrayList<>();
        for (TableDefinition.Column column : table.columns()) {
            int place = named.indexOf(column.name());
            String value = place < 0 ? "null" : row.get(place);
            if (value.equals("null") && !column.type().nullable()) {
                throw ApiError.adHocQuery("Arrow error: Invalid argument error: Column '"
                        + (place < 0 ? column.name().text() : "column" + (place + 1))
                        + "' is declared as non-nullable but contains null values");
            }
            members.add(Json.createValue(column.name().text()).toString() + ':' + value);
        }
        return '{' + String.join(",", members) + '}';
    }
}
