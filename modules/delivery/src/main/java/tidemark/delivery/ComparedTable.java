package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tidemark.delivery.ColumnMatch.Bound;
import tidemark.replication.SortColumn;
import tidemark.replication.SortColumn.Order;
import tidemark.sink.FelderaName;
import tidemark.sink.FelderaTable;

/**
 * How one table is read from both ends so that its rows can be compared as they come: which columns, in which form, and
 * the order, that of Feldera's key. A table without key is compared as a multiset, by all its columns.
 */
final class ComparedTable {
    /**
     * @param jsonKey as {@link RowEncoder} writes it and Feldera answers it, without the colon
     * @param encoded what fills it; empty for a column that PostgreSQL lacks, which is null
     */
    record Column(FelderaName name, byte[] jsonKey, ComparableForm form, Optional<Bound> encoded) {}

    private final TablePlan plan;
    private final List<Column> columns;
    private final boolean keyed;
    private final int[] key;

    private ComparedTable(TablePlan plan, List<Column> columns, int[] key) {
        this.plan = plan;
        this.columns = columns;
        this.keyed = !plan.feldera().primaryKey().isEmpty();
        this.key = key;
    }

    /** @throws RowRefused if its key cannot be sorted alike at both ends */
    static ComparedTable of(TablePlan plan) {
        var match = ColumnMatch.of(plan.label(), SourceColumn.of(plan.shape()), plan.feldera());
        if (!match.problems().isEmpty()) throw new RowRefused(match.problems().getFirst());
        List<Column> columns = new ArrayList<>();
        match.bound().forEach(bound -> columns.add(column(plan, bound.target(), Optional.of(bound))));
        match.absent().forEach(absent -> columns.add(column(plan, absent, Optional.empty())));
        int[] key = plan.feldera().primaryKey().isEmpty()
                ? IntStream.range(0, columns.size()).toArray()
                : plan.feldera().primaryKey().stream()
                        .mapToInt(name -> position(columns, name))
                        .toArray();
        for (int position : key) requireSortable(plan, columns.get(position));
        return new ComparedTable(plan, List.copyOf(columns), key);
    }

    private static Column column(TablePlan plan, FelderaTable.Column target, Optional<Bound> bound) {
        String jsonKey = ColumnWriter.jsonKey(target.name().text());
        return new Column(
                target.name(),
                jsonKey.substring(0, jsonKey.length() - 1).getBytes(StandardCharsets.UTF_8),
                ComparableForm.of(target.type())
                        .orElseThrow(
                                () -> cannotCompare(plan, target.name(), "its type has no form to be compared in")),
                bound);
    }

    private static int position(List<Column> columns, String name) {
        return IntStream.range(0, columns.size())
                .filter(position -> columns.get(position).name().text().equals(name))
                .findFirst()
                .orElseThrow(() -> new InvariantViolation("column %s was not matched".formatted(name)));
    }

    private static void requireSortable(TablePlan plan, Column column) {
        if (column.form().isSortable()) return;
        throw cannotCompare(
                plan,
                column.name(),
                plan.feldera().primaryKey().isEmpty()
                        ? "the table has no key, and Feldera and PostgreSQL do not sort this type alike"
                        : "it is in the key, and Feldera and PostgreSQL do not sort its type alike");
    }

    private static RowRefused cannotCompare(TablePlan plan, FelderaName column, String why) {
        return new RowRefused(new Finding(
                plan.label() + " column " + column, why, "leave the table out, or give Feldera's another key"));
    }

    TablePlan plan() {
        return plan;
    }

    List<Column> columns() {
        return columns;
    }

    /** Where these columns are in a {@link ComparedRow}. */
    int[] positions(List<FelderaName> names) {
        return names.stream().mapToInt(name -> position(columns, name.text())).toArray();
    }

    /** Two rows with one key cannot be. */
    boolean isKeyed() {
        return keyed;
    }

    /** What PostgreSQL sorts by. */
    List<SortColumn> sourceOrder() {
        List<SortColumn> order = new ArrayList<>();
        for (int position : key) {
            columns.get(position)
                    .encoded()
                    .ifPresent(bound -> order.add(new SortColumn(bound.source().position(), order(bound))));
        }
        return List.copyOf(order);
    }

    private static Order order(Bound bound) {
        return switch (bound.target().type().type()) {
            case "CHAR", "VARCHAR" -> Order.TEXT;
            default -> Order.VALUE;
        };
    }

    /** What Feldera is asked. */
    CountedSelect query() {
        return new CountedSelect(
                plan.feldera(),
                columns.stream().map(Column::name).toList(),
                IntStream.of(key)
                        .mapToObj(position -> columns.get(position).name())
                        .toList());
    }

    /** Negative, zero or positive as the first row's key sorts before, at or after the second's. */
    int compareKeys(ComparedRow a, ComparedRow b) {
        for (int position : key) {
            if (columns.get(position).form().isSame(a, b, position)) continue;
            return a.compare(b, position);
        }
        return 0;
    }

    /** Of two rows with one key, the columns in which they are not the same. */
    List<String> differingColumns(ComparedRow a, ComparedRow b) {
        return IntStream.range(0, columns.size())
                .filter(position -> !columns.get(position).form().isSame(a, b, position))
                .mapToObj(position -> columns.get(position).name().text())
                .toList();
    }

    boolean isSame(ComparedRow a, ComparedRow b) {
        for (int position = 0; position < columns.size(); position++) {
            if (!columns.get(position).form().isSame(a, b, position)) return false;
        }
        return true;
    }

    /** Of rows as PostgreSQL has them; of a table without key by all columns. */
    KeyHash keyHash() {
        return new KeyHash(IntStream.of(key)
                .mapToObj(position -> columns.get(position).encoded())
                .flatMap(Optional::stream)
                .map(bound -> bound.source().position())
                .toList());
    }

    /** The same of a row of either end, where PostgreSQL prints the values as JSON does. */
    String keyMd5(ComparedRow row) {
        return KeyHash.of(
                IntStream.of(key).mapToObj(row::text).flatMap(Optional::stream).toList());
    }

    /** A row's key for people, as JSON; of a table without key what tells rows apart without their values. */
    String describeKey(ComparedRow row) {
        if (!keyed) return "row with md5=" + keyMd5(row);
        return IntStream.of(key)
                .mapToObj(position -> columns.get(position).name().text() + "=" + row.json(position))
                .collect(Collectors.joining(", "));
    }
}
