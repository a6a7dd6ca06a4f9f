package tidemark.sink;

import java.util.List;
import java.util.Optional;

/**
 * An input table as {@code program_info.schema} declares it.
 *
 * @param primaryKey canonical column names, empty for a keyless table
 */
public record FelderaTable(
        FelderaName name, List<Column> columns, List<String> primaryKey, boolean materialized, boolean appendOnly) {

    /** @param defaultValue the DEFAULT's SQL text */
    public record Column(FelderaName name, ColumnType type, Optional<String> defaultValue) {}

    /**
     * @param type Feldera's type string: BOOLEAN, INTEGER, DECIMAL, VARCHAR, TIMESTAMP, TIMESTAMP_TZ, VARIANT, ARRAY, …
     * @param precision of DECIMAL and of character types, empty when unlimited or meaningless
     * @param component the element type of an ARRAY
     */
    public record ColumnType(
            String type,
            boolean nullable,
            Optional<Long> precision,
            Optional<Long> scale,
            Optional<ColumnType> component) {}
}
