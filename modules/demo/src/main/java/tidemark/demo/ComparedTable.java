package tidemark.demo;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tidemark.delivery.ExitCode;

/**
 * Which columns of a table are compared with which, and in what order both sides are read.
 *
 * @param columns of the Feldera table, in its order
 * @param key indexes into {@code columns}, in the order of Feldera's primary key
 * @param notCompared columns that the proof says nothing about, each with the reason
 */
record ComparedTable(
        String postgres, String feldera, List<Column> columns, List<Integer> key, List<String> notCompared) {

    /**
     * @param source PostgreSQL's expression: the column, or NULL where PostgreSQL has none and Feldera must hold null
     * @param policy what a PostgreSQL value is once it is stored in the Feldera column
     */
    record Column(String source, String feldera, ValueKind kind, UnaryOperator<Cell> policy) {
        Cell ofPostgres(String text) {
            return policy.apply(kind.ofPostgres(text));
        }
    }

    /** By the policy that the service states. */
    static ComparedTable of(String postgres, List<SourceDatabase.Column> source, Pipeline.Table destination) {
        return of(postgres, source, destination, new StoragePolicy.Stated());
    }

    /**
     * @param postgres {@code schema.table}, for messages and, quoted, for the query
     * @throws DemoFailure {@link ExitCode#CONFIGURATION} when there is no key to compare by
     */
    static ComparedTable of(
            String postgres, List<SourceDatabase.Column> source, Pipeline.Table destination, StoragePolicy policy) {
        List<Column> columns = new ArrayList<>();
        List<String> notCompared = new ArrayList<>();
        Set<String> used = new HashSet<>();
        for (Pipeline.Column column : destination.columns()) {
            Optional<SourceDatabase.Column> from = match(source, column.name());
            from.ifPresent(found -> used.add(found.name()));
            Optional<ValueKind> kind = ValueKind.ofFelderaType(column.type());
            if (kind.isEmpty()) {
                notCompared.add("%s (%s)".formatted(column.name(), column.type()));
                continue;
            }
            columns.add(new Column(
                    from.map(found -> kind.get().expression(quoted(found.name())))
                            .orElse("NULL"),
                    column.name(),
                    kind.get(),
                    policy.of(column, kind.get())));
            from.filter(found -> policy.cuts(found, column))
                    .ifPresent(_ ->
                            notCompared.add("%s (digits after the first %d)".formatted(column.name(), column.scale())));
        }
        source.stream()
                .map(SourceDatabase.Column::name)
                .filter(name -> !used.contains(name))
                .forEach(name -> notCompared.add(name + " (not in Feldera)"));
        List<Integer> key = destination.primaryKey().stream()
                .map(name -> indexOf(columns, name, postgres))
                .toList();
        if (key.isEmpty()) throw noKey(postgres);
        return new ComparedTable(postgres, destination.name(), columns, key, notCompared);
    }

    /** For {@code COPY … TO STDOUT}: every row, in key order. */
    String postgresQuery() {
        int dot = postgres.indexOf('.');
        return "SELECT %s FROM %s.%s ORDER BY %s"
                .formatted(
                        columns.stream().map(Column::source).collect(Collectors.joining(", ")),
                        quoted(postgres.substring(0, dot)),
                        quoted(postgres.substring(dot + 1)),
                        keyColumns(column -> column.kind().sortKey(column.source())));
    }

    String felderaQuery() {
        return "select %s from %s order by %s"
                .formatted(
                        columns.stream().map(column -> quoted(column.feldera())).collect(Collectors.joining(", ")),
                        quoted(feldera),
                        keyColumns(column -> quoted(column.feldera())));
    }

    /** Negative, zero or positive as the first row's key sorts before, at or after the second's. */
    int compareKeys(List<Cell> a, List<Cell> b) {
        for (int index : key) {
            int order = columns.get(index)
                    .kind()
                    .order()
                    .compare(a.get(index).asKey(), b.get(index).asKey());
            if (order != 0) return order;
        }
        return 0;
    }

    String describeKey(List<Cell> row) {
        return key.stream()
                .map(index ->
                        columns.get(index).feldera() + "=" + row.get(index).asKey())
                .collect(Collectors.joining(", "));
    }

    /** Names of the columns in which Feldera's row is not what PostgreSQL's should have become. */
    List<String> differingColumns(List<Cell> postgresRow, List<Cell> felderaRow) {
        return IntStream.range(0, columns.size())
                .filter(i -> !postgresRow.get(i).isMirroredBy(felderaRow.get(i)))
                .mapToObj(i -> columns.get(i).feldera())
                .toList();
    }

    private String keyColumns(Function<Column, String> expression) {
        return key.stream().map(columns::get).map(expression).collect(Collectors.joining(", "));
    }

    /** The column of the same name; without one, the only one that differs by case. */
    private static Optional<SourceDatabase.Column> match(List<SourceDatabase.Column> source, String feldera) {
        List<SourceDatabase.Column> folded = source.stream()
                .filter(column -> fold(column.name()).equals(fold(feldera)))
                .toList();
        return folded.size() == 1
                ? Optional.of(folded.getFirst())
                : folded.stream()
                        .filter(column -> column.name().equals(feldera))
                        .findFirst();
    }

    private static int indexOf(List<Column> columns, String keyColumn, String table) {
        return IntStream.range(0, columns.size())
                .filter(i -> fold(columns.get(i).feldera()).equals(fold(keyColumn)))
                .filter(i -> !columns.get(i).source().equals("NULL"))
                .findFirst()
                .orElseThrow(() -> noKey(table));
    }

    private static DemoFailure noKey(String table) {
        return new DemoFailure(
                ExitCode.CONFIGURATION,
                "%s has no primary key in Feldera by which it could be compared".formatted(table));
    }

    private static String fold(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
