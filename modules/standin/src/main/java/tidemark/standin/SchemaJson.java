package tidemark.standin;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import java.util.List;
import java.util.Optional;

/** {@code program_info.schema} (feldera.md 6). Views are left out, so there are no outputs. */
final class SchemaJson {
    /** What the SQL compiler writes for a length or precision that is not limited. */
    private static final int UNLIMITED = -1;

    private SchemaJson() {}

    static JsonObject of(List<TableDefinition> tables) {
        JsonArrayBuilder inputs = Json.createArrayBuilder();
        tables.forEach(table -> inputs.add(relation(table)));
        return Json.createObjectBuilder()
                .add("inputs", inputs)
                .add("outputs", JsonValue.EMPTY_JSON_ARRAY)
                .build();
    }

    private static JsonObjectBuilder relation(TableDefinition table) {
        JsonArrayBuilder fields = Json.createArrayBuilder();
        table.columns().forEach(column -> fields.add(field(column)));
        JsonObjectBuilder properties = Json.createObjectBuilder();
        table.properties()
                .forEach((key, value) ->
                        properties.add(key, Json.createObjectBuilder().add("value", value)));
        JsonObjectBuilder relation = named(table.name())
                .add("fields", fields)
                .add("materialized", table.materialized())
                .add("properties", properties);
        if (!table.keyed()) {
            return relation.addNull("primary_key");
        }
        JsonArrayBuilder key = Json.createArrayBuilder();
        table.key().forEach(at -> key.add(table.columns().get(at).name().text()));
        return relation.add("primary_key", key);
    }

    private static JsonObjectBuilder named(SqlName name) {
        return Json.createObjectBuilder().add("name", name.text()).add("case_sensitive", name.caseSensitive());
    }

    private static JsonObjectBuilder field(TableDefinition.Column column) {
        JsonObjectBuilder field = named(column.name()).add("columntype", type(column.type()));
        add(field, "lateness", column.lateness());
        add(field, "default", column.defaultText());
        add(field, "watermark", column.watermark());
        return field.add("unused", false);
    }

    private static void add(JsonObjectBuilder json, String name, Optional<String> sql) {
        sql.ifPresentOrElse(text -> json.add(name, text), () -> json.addNull(name));
    }

    private static JsonObjectBuilder type(SqlType.Nullable column) {
        JsonObjectBuilder json = Json.createObjectBuilder()
                .add("type", column.type().schemaName())
                .add("nullable", column.nullable());
        switch (column.type()) {
            case SqlType.Decimal(int precision, int scale) ->
                json.add("precision", precision).add("scale", scale);
            case SqlType.Characters characters ->
                json.add("precision", characters.length().orElse(UNLIMITED));
            case SqlType.Binary binary -> json.add("precision", binary.length().orElse(UNLIMITED));
            case SqlType.Array(SqlType.Nullable element) -> json.add("component", type(element));
            case SqlType.Mapping(SqlType.Nullable key, SqlType.Nullable value) ->
                json.add("key", type(key)).add("value", type(value));
            case SqlType.Row(List<SqlType.Field> fields) -> json.add("fields", fields(fields));
            case SqlType.Timestamp _, SqlType.TimestampTz _, SqlType.Time _ -> json.add("precision", 0);
            case SqlType.Bool _,
                    SqlType.Width _,
                    SqlType.Real _,
                    SqlType.DoublePrecision _,
                    SqlType.Date _,
                    SqlType.Uuid _,
                    SqlType.Variant _ -> {}
        }
        return json;
    }

    private static JsonArrayBuilder fields(List<SqlType.Field> fields) {
        JsonArrayBuilder json = Json.createArrayBuilder();
        fields.forEach(field -> json.add(named(field.name()).add("columntype", type(field.type()))));
        return json;
    }
}
