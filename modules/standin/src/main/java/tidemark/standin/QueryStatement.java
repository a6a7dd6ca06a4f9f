package tidemark.standin;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The part of ad-hoc SQL that the stand-in answers: {@code SELECT *|columns|count(*) FROM table [WHERE column op
 * constant AND …] [ORDER BY columns] [LIMIT n]}, and rows with their number behind them, {@code SELECT columns,
 * CAST(NULL AS BIGINT) AS name FROM table UNION ALL SELECT NULL AS alias, …, count(*) FROM table ORDER BY name NULLS
 * FIRST, columns}. Anything else is refused, and says that it is the stand-in's refusal.
 *
 * @param columns empty for {@code *}
 * @param count the name of the result column of {@code count(*)}, when that is what was asked
 * @param countBehind the name of the last column of all, which is null but in a last row that has the number of rows in
 *     it and nothing else
 */
record QueryStatement(
        SqlName table,
        List<Selected> columns,
        Optional<String> count,
        Optional<String> countBehind,
        List<Condition> conditions,
        List<Ordering> order,
        Optional<Long> limit) {

    record Selected(SqlName column, String alias) {}

    enum Comparison {
        EQUAL,
        UNEQUAL,
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL
    }

    sealed interface Condition {
        SqlName column();
    }

    /** @param anyOf JSON constants, of which one must compare so */
    record Compared(SqlName column, Comparison comparison, List<String> anyOf) implements Condition {}

    record Missing(SqlName column, boolean negated) implements Condition {}

    record Ordering(SqlName column, boolean descending, boolean nullsFirst) {}

    static QueryStatement parse(String sql) {
        try {
            var text = new SqlText(sql);
            if (text.atEnd()) {
                throw ApiError.adHocQuery("no SQL statements were provided");
            }
            RefusedStatement.reason(text).ifPresent(reason -> {
                throw ApiError.adHocQuery(reason);
            });
            if (!text.takeWords("SELECT")) {
                SqlText.Token found = text.peek();
                throw ApiError.adHocQuery("sql parser error: Expected: an SQL statement, found: " + found.text()
                        + " at Line: " + found.line() + ", Column: " + found.column());
            }
            QueryStatement query = select(text);
            text.takeSymbol(";");
            if (!text.atEnd()) {
                throw text.expected("the end of the statement");
            }
            return query;
        } catch (SqlRefused refused) {
            throw beyond(refused);
        }
    }

    static ApiError beyond(SqlRefused refused) {
        return ApiError.adHocQuery("This feature is not implemented: the stand-in's SQL stops at Line: "
                + refused.line() + ", Column: " + refused.column() + ": " + refused.description());
    }

    private static QueryStatement select(SqlText text) {
        Optional<String> count = Optional.empty();
        Optional<String> countBehind = Optional.empty();
        List<Selected> columns = new ArrayList<>();
        if (text.takeWords("COUNT")) {
            expectStarred(text);
            count = Optional.of(alias(text).orElse("count(*)"));
        } else if (!text.takeSymbol("*")) {
            do {
                countBehind = nullColumn(text);
                if (countBehind.isEmpty()) columns.add(column(text));
            } while (countBehind.isEmpty() && text.takeSymbol(","));
        }
        text.expectWord("FROM");
        SqlName table = text.expectName();
        if (countBehind.isPresent()) {
            List<Ordering> order = countedOrderings(text, table, columns.size(), countBehind.get());
            return new QueryStatement(table, columns, count, countBehind, List.of(), order, Optional.empty());
        }
        List<Condition> conditions = new ArrayList<>();
        if (text.takeWords("WHERE")) {
            do {
                condition(text, conditions);
            } while (text.takeWords("AND"));
        }
        List<Ordering> order = text.takeWords("ORDER", "BY") ? orderings(text) : List.of();
        Optional<Long> limit = text.takeWords("LIMIT") ? Optional.of((long) text.expectInteger()) : Optional.empty();
        return new QueryStatement(
                table, List.copyOf(columns), count, countBehind, List.copyOf(conditions), order, limit);
    }

    private static Selected column(SqlText text) {
        SqlName column = text.expectName();
        return new Selected(column, alias(text).orElse(column.text()));
    }

    private static void expectStarred(SqlText text) {
        text.expectSymbol("(");
        text.expectSymbol("*");
        text.expectSymbol(")");
    }

    private static Optional<String> nullColumn(SqlText text) {
        if (!text.takeWords("CAST")) return Optional.empty();
        text.expectSymbol("(");
        text.expectWord("NULL");
        text.expectWord("AS");
        text.expectWord("BIGINT");
        text.expectSymbol(")");
        text.expectWord("AS");
        return Optional.of(text.expectName().text());
    }

    /** What follows the first table of rows with their number behind them. */
    private static List<Ordering> countedOrderings(SqlText text, SqlName table, int columns, String count) {
        text.expectWord("UNION");
        text.expectWord("ALL");
        text.expectWord("SELECT");
        for (int i = 0; i < columns; i++) {
            text.expectWord("NULL");
            if (alias(text).isEmpty()) throw text.expected("an alias: two columns NULL have the same name");
            text.expectSymbol(",");
        }
        text.expectWord("COUNT");
        expectStarred(text);
        text.expectWord("FROM");
        if (!text.expectName().equals(table)) throw text.expected("the same table again");
        text.expectWord("ORDER");
        text.expectWord("BY");
        List<Ordering> order = orderings(text);
        Ordering first = order.getFirst();
        boolean countIsLast = first.column().text().equals(count) && first.nullsFirst() && !first.descending();
        if (!countIsLast) throw text.expected("ORDER BY the null column, NULLS FIRST");
        return List.copyOf(order.subList(1, order.size()));
    }

    private static Optional<String> alias(SqlText text) {
        return text.takeWords("AS") ? Optional.of(text.expectName().text()) : Optional.empty();
    }

    private static void condition(SqlText text, List<Condition> conditions) {
        SqlName column = text.expectName();
        if (text.takeWords("IS")) {
            boolean negated = text.takeWords("NOT");
            text.expectWord("NULL");
            conditions.add(new Missing(column, negated));
        } else if (text.takeWords("BETWEEN")) {
            conditions.add(new Compared(column, Comparison.GREATER_OR_EQUAL, List.of(SqlLiteral.json(text))));
            text.expectWord("AND");
            conditions.add(new Compared(column, Comparison.LESS_OR_EQUAL, List.of(SqlLiteral.json(text))));
        } else if (text.takeWords("IN")) {
            List<String> constants = new ArrayList<>();
            text.expectSymbol("(");
            do {
                constants.add(SqlLiteral.json(text));
            } while (text.takeSymbol(","));
            text.expectSymbol(")");
            conditions.add(new Compared(column, Comparison.EQUAL, constants));
        } else {
            Comparison comparison = comparison(text);
            conditions.add(new Compared(column, comparison, List.of(SqlLiteral.json(text))));
        }
    }

    private static Comparison comparison(SqlText text) {
        SqlText.Token token = text.peek();
        if (token.kind() != SqlText.Kind.SYMBOL) {
            throw text.expected("a comparison");
        }
        text.take();
        return switch (token.text()) {
            case "=" -> Comparison.EQUAL;
            case "<>", "!=" -> Comparison.UNEQUAL;
            case "<" -> Comparison.LESS;
            case "<=" -> Comparison.LESS_OR_EQUAL;
            case ">" -> Comparison.GREATER;
            case ">=" -> Comparison.GREATER_OR_EQUAL;
            default -> throw new SqlRefused("Unknown operator " + token.text(), token);
        };
    }

    /** DataFusion puts nulls last when ascending and first when descending. */
    private static List<Ordering> orderings(SqlText text) {
        List<Ordering> order = new ArrayList<>();
        do {
            SqlName column = text.expectName();
            boolean descending = text.takeWords("DESC");
            if (!descending) {
                text.takeWords("ASC");
            }
            boolean nullsFirst = descending;
            if (text.takeWords("NULLS", "FIRST")) {
                nullsFirst = true;
            } else if (text.takeWords("NULLS", "LAST")) {
                nullsFirst = false;
            }
            order.add(new Ordering(column, descending, nullsFirst));
        } while (text.takeSymbol(","));
        return List.copyOf(order);
    }
}
