package tidemark.sink;

import jakarta.json.bind.annotation.JsonbProperty;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** {@code GET /v0/pipelines/{name}} (feldera.md §6). See {@link ReplyJson} for the form of its records. */
final class PipelineJson {
    private PipelineJson() {}

    /** @param programInfo absent until the SQL is compiled */
    public record Pipeline(
            @JsonbProperty("program_status") Optional<String> programStatus,
            @JsonbProperty("deployment_status") Optional<String> deploymentStatus,
            @JsonbProperty("platform_version") Optional<String> platformVersion,
            @JsonbProperty("program_info") Optional<ProgramInfo> programInfo) {
        PipelineStatus status() {
            return new PipelineStatus(
                    programStatus.orElse(""), deploymentStatus.orElse(""), platformVersion.orElse(""));
        }

        Optional<List<FelderaTable>> tables() {
            return programInfo
                    .flatMap(ProgramInfo::schema)
                    .map(schema -> schema.inputs().orElse(List.of()).stream()
                            .map(Relation::table)
                            .toList());
        }

        /** The compiler's verdict on the program; a new program is a person's work. */
        boolean compilationFailed() {
            return programStatus.orElse("").endsWith("Error");
        }
    }

    public record ProgramInfo(Optional<Schema> schema) {}

    public record Schema(Optional<List<Relation>> inputs) {}

    public record Relation(
            Optional<String> name,
            @JsonbProperty("case_sensitive") Optional<Boolean> caseSensitive,
            Optional<List<Field>> fields,
            @JsonbProperty("primary_key") Optional<List<String>> primaryKey,
            Optional<Boolean> materialized,
            Optional<Map<String, Property>> properties) {
        FelderaTable table() {
            List<FelderaTable.Column> columns =
                    fields.orElse(List.of()).stream().map(Field::column).toList();
            List<String> key = primaryKey.orElse(List.of()).stream()
                    .map(column -> canonical(column, columns))
                    .toList();
            return new FelderaTable(
                    felderaName(name, caseSensitive),
                    columns,
                    key,
                    isQueryable(columns, key),
                    isTrue("append_only"),
                    property("connectors").isPresent());
        }

        /**
         * The flag echoes the table's property only: a keyed table is materialized all the same, but for LATENESS on a
         * column of its key (§6).
         */
        private boolean isQueryable(List<FelderaTable.Column> columns, List<String> key) {
            boolean late = columns.stream()
                    .filter(column -> column.lateness().isPresent())
                    .anyMatch(column -> key.contains(column.name().text()));
            return materialized.orElse(false) || (!key.isEmpty() && !late);
        }

        private boolean isTrue(String property) {
            return property(property).map("true"::equalsIgnoreCase).orElse(false);
        }

        private Optional<String> property(String property) {
            return properties.map(all -> all.get(property)).flatMap(Property::value);
        }

        /** The schema spells key columns as the program did; canonical is lower case unless the column was quoted. */
        private static String canonical(String keyColumn, List<FelderaTable.Column> columns) {
            boolean quoted = columns.stream()
                    .map(FelderaTable.Column::name)
                    .anyMatch(column -> column.caseSensitive() && column.text().equals(keyColumn));
            return quoted ? keyColumn : keyColumn.toLowerCase(Locale.ROOT);
        }
    }

    public record Property(Optional<String> value) {}

    public record Field(
            Optional<String> name,
            @JsonbProperty("case_sensitive") Optional<Boolean> caseSensitive,
            @JsonbProperty("columntype") Optional<Type> type,
            @JsonbProperty("default") Optional<String> defaultValue,
            Optional<String> lateness,
            Optional<String> watermark) {
        FelderaTable.Column column() {
            Type declared = type.orElseGet(Type::untold);
            return new FelderaTable.Column(
                    felderaName(name, caseSensitive), declared.columnType(), defaultValue, lateness, watermark);
        }

        /** Of a ROW. */
        FelderaTable.Field field() {
            return new FelderaTable.Field(
                    felderaName(name, caseSensitive),
                    type.orElseGet(Type::untold).columnType());
        }
    }

    public record Type(
            Optional<String> type,
            Optional<Boolean> nullable,
            Optional<Long> precision,
            Optional<Long> scale,
            Optional<Type> component,
            Optional<List<Field>> fields,
            Optional<Type> key,
            Optional<Type> value) {
        static Type untold() {
            return new Type(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }

        /** Feldera writes -1 for an unlimited precision. */
        FelderaTable.ColumnType columnType() {
            return new FelderaTable.ColumnType(
                    type.orElse("").toUpperCase(Locale.ROOT),
                    nullable.orElse(false),
                    precision.filter(digits -> digits >= 0),
                    scale,
                    parts());
        }

        private FelderaTable.Parts parts() {
            if (component.isPresent()) {
                return new FelderaTable.Parts.Component(component.get().columnType());
            }
            if (key.isPresent() && value.isPresent()) {
                return new FelderaTable.Parts.Entries(
                        key.get().columnType(), value.get().columnType());
            }
            return fields.<FelderaTable.Parts>map(all -> new FelderaTable.Parts.Fields(
                            all.stream().map(Field::field).toList()))
                    .orElseGet(FelderaTable.Parts.None::new);
        }
    }

    private static FelderaName felderaName(Optional<String> name, Optional<Boolean> caseSensitive) {
        return new FelderaName(name.orElse(""), caseSensitive.orElse(false));
    }
}
