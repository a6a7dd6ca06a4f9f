package tidemark.standin;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One {@code CREATE TABLE} of the program.
 *
 * @param key positions of the primary key's columns, in key order; empty for a keyless table
 * @param properties of the WITH clause
 */
record TableDefinition(SqlName name, List<Column> columns, List<Integer> key, Map<String, String> properties) {

    /**
     * @param defaultText the DEFAULT's SQL
     * @param defaultValue the same as stored text
     */
    record Column(
            SqlName name,
            SqlType.Nullable type,
            Optional<String> defaultText,
            Optional<String> defaultValue,
            Optional<String> lateness,
            Optional<String> watermark) {
        Column notNull() {
            return new Column(
                    name, new SqlType.Nullable(type.type(), false), defaultText, defaultValue, lateness, watermark);
        }

        /** The column's name as a JSON key with its colon. */
        byte[] label() {
            byte[] utf8 = name.text().getBytes(StandardCharsets.UTF_8);
            var label = new ByteWriter(utf8.length + 3);
            label.putJsonString(utf8, 0, utf8.length);
            label.put(':');
            return label.copy();
        }
    }

    boolean keyed() {
        return !key.isEmpty();
    }

    boolean materialized() {
        return "true".equalsIgnoreCase(properties.getOrDefault("materialized", "false"));
    }

    /**
     * A keyed table is queryable without being declared materialized, except with LATENESS on a key column (feldera.md
     * 6).
     */
    boolean queryable() {
        return materialized()
                || (keyed()
                        && key.stream()
                                .noneMatch(at -> columns.get(at).lateness().isPresent()));
    }

    Optional<Integer> columnNamed(SqlName wanted) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().text().equals(wanted.text())) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }
}
