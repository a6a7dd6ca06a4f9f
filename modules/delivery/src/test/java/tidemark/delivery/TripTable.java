package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table of several types' values, by the same name at both ends: a row has one value of each type, as often as the
 * type has targets. A table per type would be more of them than a pipeline has connections.
 */
record TripTable(String name, List<TypeTrip> types) {
    private static final int TYPES = 8;

    static List<TripTable> of(List<TypeTrip> types) {
        List<TripTable> tables = new ArrayList<>();
        for (int from = 0; from < types.size(); from += TYPES) {
            tables.add(
                    new TripTable("trip" + tables.size(), types.subList(from, Math.min(types.size(), from + TYPES))));
        }
        return List.copyOf(tables);
    }

    String create() {
        return "CREATE TABLE %s (id int PRIMARY KEY, %s)"
                .formatted(name, columns(type -> type.columns().stream().map(column -> column + " " + type.type())));
    }

    /** From where each type's values were made. */
    String fill() {
        String first = types.getFirst().name();
        String made = types.stream()
                .skip(1)
                .map(type -> "JOIN made.%1$s ON made.%1$s.g = made.%2$s.g".formatted(type.name(), first))
                .collect(Collectors.joining(" "));
        return "INSERT INTO %s SELECT made.%s.g, %s FROM made.%s %s"
                .formatted(
                        name,
                        first,
                        columns(type -> type.columns().stream().map(_ -> "made." + type.name() + ".v")),
                        first,
                        made);
    }

    /** Every row once more, under another key. */
    String repeat(int values) {
        return "INSERT INTO %1$s SELECT id + %3$d, %2$s FROM %1$s"
                .formatted(name, columns(type -> type.columns().stream()), values);
    }

    String forget(int values) {
        return "DELETE FROM %s WHERE id > %d".formatted(name, values);
    }

    String inFeldera() {
        return inFeldera(" PRIMARY KEY");
    }

    String keylessInFeldera() {
        return inFeldera("");
    }

    private String inFeldera(String key) {
        return "CREATE TABLE %s (id INTEGER NOT NULL%s, %s) WITH ('materialized' = 'true');\n"
                .formatted(
                        name,
                        key,
                        columns(type -> IntStream.range(0, type.targets().size())
                                .mapToObj(i -> type.column(i) + " "
                                        + type.targets().get(i).feldera())));
    }

    private interface Columns {
        Stream<String> of(TypeTrip type);
    }

    private String columns(Columns columns) {
        return types.stream().flatMap(columns::of).collect(Collectors.joining(", "));
    }
}
