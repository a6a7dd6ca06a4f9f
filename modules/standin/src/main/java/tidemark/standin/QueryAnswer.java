package tidemark.standin;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A query on its way out: planned, with its rows copied from between two steps, and written line by line. What cannot
 * be planned is an {@link ApiError}; what goes wrong later is a last line in a 200 (feldera.md 4).
 */
final class QueryAnswer {
    private static final int FLUSH_BYTES = 64 * 1024;
    private static final String NEGATIVE_WEIGHT =
            "Execution error: Unexpected record with negative weight encountered while processing ad-hoc query.";
    private static final String LEAP_SECOND = "Cast error: Failed to convert 86400000000000 to temporal for Time64(ns)";

    private final QueryStatement query;
    private final TableContent table;
    private final Optional<StoredRow[]> rows;
    private final List<RowFilter> filters;
    private final int[] bounds;
    private final Optional<Faults.BrokenQuery> broken;

    private QueryAnswer(
            QueryStatement query, TableContent table, Optional<StoredRow[]> rows, Optional<Faults.BrokenQuery> broken) {
        this.broken = broken;
        this.query = query;
        this.table = table;
        this.rows = rows;
        this.filters = query.conditions().stream()
                .map(condition -> new RowFilter(condition, typeOf(condition.column()), positionOf(condition.column())))
                .toList();
        this.bounds = new int[table.layout().columns() + 1];
    }

    static QueryAnswer plan(QueryStatement query, Map<String, TableContent> tables) {
        TableContent table = table(query.table(), tables);
        TableDefinition definition = table.definition();
        if (!definition.queryable()) {
            throw ApiError.adHocQuery("Execution error: Tried to SELECT from a non-materialized source. Make sure `"
                    + definition.name().text()
                    + "` is configured as materialized: use `with ('materialized' = 'true')` for tables, or `create"
                    + " materialized view` for views");
        }
        query.columns().forEach(selected -> column(definition, selected.column()));
        query.conditions().forEach(condition -> requireComparable(definition, condition.column()));
        query.order().forEach(ordering -> requireComparable(definition, ordering.column()));
        return new QueryAnswer(query, table, table.store().rows(), Optional.empty());
    }

    static TableContent table(SqlName name, Map<String, TableContent> tables) {
        return Optional.ofNullable(tables.get(name.text()))
                .orElseThrow(() -> ApiError.adHocQuery(
                        "Error during planning: table 'datafusion.public." + name.text() + "' not found"));
    }

    /** The same answer, that breaks off. */
    QueryAnswer breaking(Optional<Faults.BrokenQuery> fault) {
        return new QueryAnswer(query, table, rows, fault);
    }

    private static void requireComparable(TableDefinition table, SqlName name) {
        SqlType type = table.columns().get(column(table, name)).type().type();
        if (type instanceof SqlType.Array || type instanceof SqlType.Mapping || type instanceof SqlType.Row) {
            throw ApiError.adHocQuery(
                    "This feature is not implemented: the stand-in does not compare " + type.schemaName() + " values");
        }
    }

    private static int column(TableDefinition table, SqlName name) {
        return table.columnNamed(name).orElseThrow(() -> {
            List<String> valid = table.columns().stream()
                    .map(column -> table.name().text() + '.' + quoted(column.name()))
                    .toList();
            return ApiError.adHocQuery("Schema error: No field named " + quoted(name) + ". Valid fields are "
                    + String.join(", ", valid) + '.');
        });
    }

    private static String quoted(SqlName name) {
        boolean plain = name.text().matches("[a-z_][a-z0-9_]*");
        return plain ? name.text() : '"' + name.text() + '"';
    }

    /** Writes NDJSON. The rows were copied: the circuit goes on meanwhile. */
    void write(OutputStream out) throws IOException {
        var lines = new ByteWriter(FLUSH_BYTES + 4096);
        try {
            StoredRow[] selected = selected();
            if (query.count().isPresent()) {
                lines.put("{\"" + query.count().get() + "\":" + selected.length + "}\n");
            } else {
                writeRows(selected, lines, out);
                query.countBehind().ifPresent(name -> putCount(name, selected.length, lines));
            }
        } catch (RuntimeFault fault) {
            lines.put("{\"error\":\"" + fault.getMessage() + "\"}");
        }
        out.write(lines.buffer(), 0, lines.length());
    }

    private void writeRows(StoredRow[] selected, ByteWriter lines, OutputStream out) throws IOException {
        List<QueryStatement.Selected> columns = columns();
        byte[] rowEnd = query.countBehind()
                .map(name -> ("," + quotedLabel(name) + "null}\n").getBytes(StandardCharsets.UTF_8))
                .orElseGet(() -> "}\n".getBytes(StandardCharsets.UTF_8));
        int[] positions = columns.stream()
                .mapToInt(one -> table.layout().positionOf(column(table.definition(), one.column())))
                .toArray();
        List<byte[]> labels = columns.stream().map(one -> label(one.alias())).toList();
        boolean[] times = new boolean[positions.length];
        for (int i = 0; i < positions.length; i++) {
            times[i] = typeOf(columns.get(i).column()) instanceof SqlType.Time;
        }
        int left = broken.map(Faults.BrokenQuery::rows).orElse(Integer.MAX_VALUE);
        for (StoredRow row : selected) {
            if (left-- == 0) {
                throw new RuntimeFault(broken.map(Faults.BrokenQuery::error).orElseThrow());
            }
            int lineStart = lines.length();
            table.layout().locate(row.text(), bounds);
            for (int i = 0; i < positions.length; i++) {
                int start = bounds[positions[i]];
                int end = bounds[positions[i] + 1] - 1;
                if (times[i] && TimeCodec.isUnreadable(row.text(), start, end)) {
                    lines.truncate(lineStart);
                    throw new RuntimeFault(LEAP_SECOND);
                }
                lines.put(i == 0 ? '{' : ',');
                lines.put(labels.get(i));
                lines.put(row.text(), start, end);
            }
            lines.put(rowEnd);
            if (lines.length() >= FLUSH_BYTES) {
                out.write(lines.buffer(), 0, lines.length());
                lines.clear();
            }
        }
    }

    private List<QueryStatement.Selected> columns() {
        return query.columns().isEmpty()
                ? table.definition().columns().stream()
                        .map(column -> new QueryStatement.Selected(
                                column.name(), column.name().text()))
                        .toList()
                : query.columns();
    }

    private void putCount(String name, int rows, ByteWriter lines) {
        lines.put('{');
        for (QueryStatement.Selected column : columns()) {
            lines.put(label(column.alias()));
            lines.put("null,");
        }
        lines.put(label(name));
        lines.put(rows + "}\n");
    }

    private static String quotedLabel(String name) {
        return new String(label(name), StandardCharsets.UTF_8);
    }

    private static byte[] label(String name) {
        return new TableDefinition.Column(
                        SqlName.quoted(name),
                        new SqlType.Nullable(new SqlType.Bool(), true),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty())
                .label();
    }

    private SqlType typeOf(SqlName name) {
        return table.definition()
                .columns()
                .get(column(table.definition(), name))
                .type()
                .type();
    }

    private StoredRow[] selected() {
        StoredRow[] all = rows.orElseThrow(() -> new RuntimeFault(NEGATIVE_WEIGHT));
        StoredRow[] kept = all;
        if (!filters.isEmpty()) {
            kept = Arrays.stream(all).filter(this::passes).toArray(StoredRow[]::new);
        }
        if (!query.order().isEmpty()) {
            kept = sorted(kept);
        }
        long limit = query.limit().orElse(Long.MAX_VALUE);
        return limit < kept.length ? Arrays.copyOf(kept, (int) limit) : kept;
    }

    private int positionOf(SqlName name) {
        return table.layout().positionOf(column(table.definition(), name));
    }

    private boolean passes(StoredRow row) {
        table.layout().locate(row.text(), bounds);
        for (RowFilter filter : filters) {
            if (!filter.passes(row.text(), bounds)) {
                return false;
            }
        }
        return true;
    }

    private record Sortable(StoredRow row, SortValue[] values) {}

    private StoredRow[] sorted(StoredRow[] unsorted) {
        List<QueryStatement.Ordering> order = query.order();
        int[] positions =
                order.stream().mapToInt(one -> positionOf(one.column())).toArray();
        List<SqlType> types = order.stream().map(one -> typeOf(one.column())).toList();
        List<Sortable> sortable = new ArrayList<>(unsorted.length);
        for (StoredRow row : unsorted) {
            table.layout().locate(row.text(), bounds);
            SortValue[] values = new SortValue[positions.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = SortValue.of(types.get(i), row.text(), bounds[positions[i]], bounds[positions[i] + 1] - 1);
            }
            sortable.add(new Sortable(row, values));
        }
        sortable.sort(comparator(order));
        return sortable.stream().map(Sortable::row).toArray(StoredRow[]::new);
    }

    private static Comparator<Sortable> comparator(List<QueryStatement.Ordering> order) {
        return (a, b) -> {
            for (int i = 0; i < order.size(); i++) {
                int difference = compare(order.get(i), a.values()[i], b.values()[i]);
                if (difference != 0) {
                    return difference;
                }
            }
            return 0;
        };
    }

    private static int compare(QueryStatement.Ordering ordering, SortValue a, SortValue b) {
        boolean aNull = a instanceof SortValue.Null;
        boolean bNull = b instanceof SortValue.Null;
        if (aNull || bNull) {
            return aNull && bNull ? 0 : aNull == ordering.nullsFirst() ? -1 : 1;
        }
        return ordering.descending() ? b.compareTo(a) : a.compareTo(b);
    }

    /** Fails the query after its 200. */
    private static final class RuntimeFault extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RuntimeFault(String message) {
            super(message, null, false, false);
        }
    }
}
