package tidemark.sink;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An input table as {@code program_info.schema} declares it.
 *
 * @param primaryKey canonical column names, empty for a keyless table
 * @param queryable whether {@code /query} can read it
 * @param fed it has connectors in the program, which write to it as well
 */
public record FelderaTable(
        FelderaName name,
        List<Column> columns,
        List<String> primaryKey,
        boolean queryable,
        boolean appendOnly,
        boolean fed) {

    /**
     * The SQL text of what a column is declared with.
     *
     * @param lateness by which a row may be older than the newest, and beyond which Feldera drops it (feldera.md 10.24)
     * @param watermark by which Feldera holds a row back until newer ones come
     */
    public record Column(
            FelderaName name,
            ColumnType type,
            Optional<String> defaultValue,
            Optional<String> lateness,
            Optional<String> watermark) {
        /** With nothing but a name and a type. */
        public static Column of(FelderaName name, ColumnType type) {
            return new Column(name, type, Optional.empty(), Optional.empty(), Optional.empty());
        }
    }

    /**
     * @param type Feldera's type string: BOOLEAN, INTEGER, DECIMAL, VARCHAR, TIMESTAMP, TIMESTAMP_TZ, VARIANT, ARRAY,
     *     MAP, STRUCT, …
     * @param precision of DECIMAL and of character types, empty when unlimited or meaningless
     */
    public record ColumnType(
            String type, boolean nullable, Optional<Long> precision, Optional<Long> scale, Parts parts) {
        /** As a program declares it, but for NOT NULL: {@code DECIMAL(10, 2) ARRAY}. */
        public String declared() {
            return switch (parts) {
                case Parts.None _ -> type + modifier();
                case Parts.Component(ColumnType component) -> component.declared() + " " + type;
                case Parts.Entries(ColumnType key, ColumnType value) ->
                    "%s<%s, %s>".formatted(type, key.declared(), value.declared());
                case Parts.Fields(List<Field> fields) ->
                    fields.stream()
                            .map(field -> field.name() + " " + field.type().declared())
                            .collect(Collectors.joining(", ", "ROW(", ")"));
            };
        }

        private String modifier() {
            // Feldera writes a precision of 0 for times, which no program declares.
            return precision
                    .filter(digits -> digits > 0)
                    .map(digits -> scale.map(after -> "(%d, %d)".formatted(digits, after))
                            .orElseGet(() -> "(%d)".formatted(digits)))
                    .orElse("");
        }
    }

    /** What a type is made of. */
    public sealed interface Parts {
        record None() implements Parts {}

        /** The elements of an ARRAY. */
        record Component(ColumnType type) implements Parts {}

        /** The keys and values of a MAP. */
        record Entries(ColumnType key, ColumnType value) implements Parts {}

        /** The fields of a ROW, whose type string is STRUCT. */
        record Fields(List<Field> fields) implements Parts {}
    }

    /** One field of a ROW. */
    public record Field(FelderaName name, ColumnType type) {}
}
