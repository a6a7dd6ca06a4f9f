package tidemark.app;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One mapping of a case file, read key by key. What nobody asked for is an error: a misspelt key would otherwise be an
 * expectation that is never checked.
 */
final class CaseFields {
    private final String where;
    private final JsonObject object;
    private final Set<String> taken = new HashSet<>();

    /** @param where for messages */
    CaseFields(String where, JsonValue value) {
        if (!(value instanceof JsonObject mapping)) throw new IllegalArgumentException(where + ": not a mapping");
        this.where = where;
        this.object = mapping;
    }

    /** YAML's tree as JSON's, in which null is a value. */
    static JsonValue json(Object yaml) {
        return switch (yaml) {
            case Map<?, ?> map -> {
                JsonObjectBuilder object = Json.createObjectBuilder();
                map.forEach((key, value) -> object.add(key.toString(), json(value)));
                yield object.build();
            }
            case List<?> list -> {
                JsonArrayBuilder array = Json.createArrayBuilder();
                list.forEach(element -> array.add(json(element)));
                yield array.build();
            }
            case Boolean truth -> truth ? JsonValue.TRUE : JsonValue.FALSE;
            case Integer number -> Json.createValue(number);
            case Long number -> Json.createValue(number);
            case Double number -> Json.createValue(number);
            case String text -> Json.createValue(text);
            case null -> JsonValue.NULL;
            default -> throw new IllegalArgumentException("a value of " + yaml.getClass());
        };
    }

    Set<String> names() {
        return object.keySet();
    }

    Optional<JsonValue> value(String key) {
        taken.add(key);
        return Optional.ofNullable(object.get(key));
    }

    JsonValue required(String key) {
        return value(key).orElseThrow(() -> new IllegalArgumentException(where + ": no " + key));
    }

    Optional<String> text(String key) {
        return value(key).map(CaseFields::asText);
    }

    String text(String key, String otherwise) {
        return text(key).orElse(otherwise);
    }

    boolean flag(String key, boolean otherwise) {
        return value(key).map(value -> value.equals(JsonValue.TRUE)).orElse(otherwise);
    }

    long number(String key) {
        return ((JsonNumber) required(key)).longValueExact();
    }

    Optional<Duration> seconds(String key) {
        return value(key).map(CaseFields::asDuration);
    }

    List<JsonValue> list(String key) {
        return value(key).map(value -> List.copyOf((JsonArray) value)).orElse(List.of());
    }

    /** @return values as text; those that are null are absent */
    Map<String, Optional<String>> texts(String key) {
        Map<String, Optional<String>> texts = new TreeMap<>();
        value(key)
                .map(JsonValue::asJsonObject)
                .ifPresent(mapping -> mapping.forEach((name, value) ->
                        texts.put(name, value.equals(JsonValue.NULL) ? Optional.empty() : Optional.of(asText(value)))));
        return texts;
    }

    /** Fails when there is a key that nobody has asked for. */
    void requireNothingElse() {
        Set<String> unknown = new TreeSet<>(object.keySet());
        unknown.removeAll(taken);
        if (!unknown.isEmpty()) throw new IllegalArgumentException("%s: nobody knows %s".formatted(where, unknown));
    }

    static String asText(JsonValue value) {
        return value instanceof JsonString string ? string.getString() : value.toString();
    }

    static Duration asDuration(JsonValue seconds) {
        return Duration.ofMillis(Math.round(((JsonNumber) seconds).doubleValue() * 1000));
    }
}
