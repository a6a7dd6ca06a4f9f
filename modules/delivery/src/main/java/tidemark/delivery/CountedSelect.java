package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tidemark.sink.FelderaName;
import tidemark.sink.FelderaTable;

/**
 * Rows of one Feldera table, some of its columns, with their number behind them in the same query (docs/adr/0011): both
 * are of one snapshot, and an answer that ends early lacks it. {@link CountedRows} reads the answer.
 *
 * @param columns in the order in which they are answered
 * @param order columns by which the rows are sorted, each one that Feldera can sort by; nulls last
 */
record CountedSelect(FelderaTable table, List<FelderaName> columns, List<FelderaName> order) {
    private static final String ROW_COUNT = "row count";

    /** No column's, in any case. */
    private String countName() {
        String name = ROW_COUNT;
        while (has(name)) name += "_";
        return name;
    }

    private boolean has(String name) {
        return table.columns().stream().anyMatch(column -> column.name().text().equalsIgnoreCase(name));
    }

    /**
     * Two columns named NULL are one too many for older DataFusions; the aliases of the second half mean nothing.
     * Planned as two sorted inputs that are merged (seen in DataFusion 46, 50 and 55).
     */
    String sql() {
        String count = quoted(countName());
        String from = quoted(table.name().text());
        String nulls = IntStream.range(0, columns.size())
                .mapToObj(column -> "null as c" + column)
                .collect(Collectors.joining(", "));
        String sorted =
                order.stream().map(column -> ", " + quoted(column.text())).collect(Collectors.joining());
        return ("select %s, cast(null as bigint) as %s from %s"
                        + " union all select %s, count(*) from %s order by %s nulls first%s")
                .formatted(
                        columns.stream().map(column -> quoted(column.text())).collect(Collectors.joining(", ")),
                        count,
                        from,
                        nulls,
                        from,
                        count,
                        sorted);
    }

    /** The member that has the number of rows, in quotes. */
    byte[] countKey() {
        return ('"' + countName() + '"').getBytes(StandardCharsets.UTF_8);
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
