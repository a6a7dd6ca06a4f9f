package tidemark.standin;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One condition of a WHERE, with its constants read as values of the column's type. */
final class RowFilter {
    private final QueryStatement.Condition condition;
    private final SqlType type;
    private final int position;
    private final List<SortValue> constants;

    RowFilter(QueryStatement.Condition condition, SqlType type, int position) {
        this.condition = condition;
        this.type = type;
        this.position = position;
        this.constants = switch (condition) {
            case QueryStatement.Compared compared ->
                compared.anyOf().stream().map(this::constant).toList();
            case QueryStatement.Missing _ -> List.of();
        };
    }

    /** A number is compared as it is; other constants are first brought into the column's stored form. */
    private SortValue constant(String json) {
        if (isNumeric() && JsonCursor.isDigit(json.charAt(json.length() - 1))) {
            return new SortValue.Exact(new BigDecimal(json));
        }
        byte[] bytes = storedForm(json).getBytes(StandardCharsets.UTF_8);
        return SortValue.of(type, bytes, 0, bytes.length);
    }

    private boolean isNumeric() {
        return type instanceof SqlType.Width
                || type instanceof SqlType.Decimal
                || type instanceof SqlType.Real
                || type instanceof SqlType.DoublePrecision;
    }

    private String storedForm(String json) {
        try {
            return SqlLiteral.stored(json, new SqlType.Nullable(type, true));
        } catch (ValueRefused refused) {
            throw ApiError.adHocQuery("Error during planning: cannot compare " + type.schemaName()
                    + " with that constant: " + refused.description());
        }
    }

    boolean passes(byte[] row, int[] bounds) {
        SortValue value = SortValue.of(type, row, bounds[position], bounds[position + 1] - 1);
        boolean missing = value instanceof SortValue.Null;
        return switch (condition) {
            case QueryStatement.Missing(SqlName _, boolean negated) -> missing != negated;
            case QueryStatement.Compared(SqlName _, QueryStatement.Comparison comparison, List<String> _) ->
                !missing && constants.stream().anyMatch(constant -> holds(comparison, value, constant));
        };
    }

    private static boolean holds(QueryStatement.Comparison comparison, SortValue value, SortValue constant) {
        if (constant instanceof SortValue.Null) {
            return false; // comparing with NULL is never true
        }
        int difference = value.compareTo(constant);
        return switch (comparison) {
            case EQUAL -> difference == 0;
            case UNEQUAL -> difference != 0;
            case LESS -> difference < 0;
            case LESS_OR_EQUAL -> difference <= 0;
            case GREATER -> difference > 0;
            case GREATER_OR_EQUAL -> difference >= 0;
        };
    }
}
