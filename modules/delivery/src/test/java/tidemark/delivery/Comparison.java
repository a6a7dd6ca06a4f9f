package tidemark.delivery;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compares the rows of one type with what PostgreSQL says they should be, row by row; then the counts of nulls. */
final class Comparison {
    private static final int FIRST_TARGET = 3;
    private static final int SHOWN = 200;
    private static final int TOLD = 10;

    private final TypeTrip type;
    private final int values;
    private final Map<Integer, JsonObject> rows;
    private final int[] nulled;
    private final List<String> differences = new ArrayList<>();

    /** @param rows of Feldera, by key */
    Comparison(TypeTrip type, int values, Map<Integer, JsonObject> rows) {
        this.type = type;
        this.values = values;
        this.rows = rows;
        this.nulled = new int[type.targets().size()];
    }

    /** @param expected a row of {@link TypeTrip#expectations} */
    void add(ResultSet expected) throws SQLException {
        int id = expected.getInt(1);
        for (int i = 0; i < nulled.length; i++) {
            int column = FIRST_TARGET + 2 * i;
            if (expected.getBoolean(column + 1)) nulled[i]++;
            compare(id, i, expected.getString(2), Optional.ofNullable(expected.getString(column)));
        }
    }

    private void compare(int id, int target, String text, Optional<String> expected) {
        JsonValue copied = found(id, target);
        JsonValue streamed = found(id + values, target);
        Likeness likeness = type.targets().get(target).likeness();
        boolean right = expected.map(json -> likeness.accepts(json, copied)).orElse(copied.equals(JsonValue.NULL));
        if (right && copied.equals(streamed)) return;
        tell("%s %s=%s into %s: expected %s, copied %s, streamed %s"
                .formatted(
                        type.name(),
                        id,
                        shown(text),
                        type.targets().get(target).feldera(),
                        shown(expected.orElse("null")),
                        shown(copied.toString()),
                        shown(streamed.toString())));
    }

    private void tell(String difference) {
        if (differences.size() < TOLD) differences.add(difference);
    }

    private JsonValue found(int id, int target) {
        return rows.getOrDefault(id, JsonValue.EMPTY_JSON_OBJECT).getOrDefault(type.column(target), JsonValue.FALSE);
    }

    private static String shown(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }

    /** @param counts of the connector: every value went twice */
    Outcome outcome(List<NulledValues.Count> counts, Duration took) {
        int sum = 0;
        for (int i = 0; i < nulled.length; i++) {
            sum += nulled[i];
            long counted = counted(counts, type.column(i));
            if (counted != 2L * nulled[i]) {
                tell("%s into %s: %s values had to become null, %s were counted"
                        .formatted(type.name(), type.targets().get(i).feldera(), 2 * nulled[i], counted));
            }
        }
        return new Outcome(type, values, sum, List.copyOf(differences), took);
    }

    private long counted(List<NulledValues.Count> counts, String column) {
        return counts.stream()
                .filter(count -> count.column().equals(column))
                .mapToLong(NulledValues.Count::values)
                .sum();
    }
}
