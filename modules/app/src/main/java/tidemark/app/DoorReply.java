package tidemark.app;

import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One JSON object as the service answers it. What is not there, or not as it should be, is somebody else's answer.
 *
 * @param strange what is thrown then
 */
record DoorReply(JsonObject json, Supplier<Door.Shut> strange) {
    String text(String name) {
        return findText(name).orElseThrow(strange);
    }

    Optional<String> findText(String name) {
        return find(name, JsonString.class).map(JsonString::getString);
    }

    long number(String name) {
        return findNumber(name).orElseThrow(strange);
    }

    Optional<Long> findNumber(String name) {
        return find(name, JsonNumber.class).map(JsonNumber::longValue);
    }

    /** Whether it is true; what is not there is not. */
    boolean is(String name) {
        return JsonValue.TRUE.equals(json.get(name));
    }

    boolean has(String name) {
        return json.containsKey(name);
    }

    DoorReply object(String name) {
        return findObject(name).orElseThrow(strange);
    }

    Optional<DoorReply> findObject(String name) {
        return find(name, JsonObject.class).map(object -> new DoorReply(object, strange));
    }

    List<DoorReply> objects(String name) {
        return list(name, JsonObject.class).stream()
                .map(object -> new DoorReply(object, strange))
                .toList();
    }

    List<String> texts(String name) {
        return list(name, JsonString.class).stream().map(JsonString::getString).toList();
    }

    private <T extends JsonValue> List<T> list(String name, Class<T> of) {
        var array = find(name, JsonArray.class).orElseThrow(strange);
        if (!array.stream().allMatch(of::isInstance)) throw strange.get();
        return array.stream().map(of::cast).toList();
    }

    private <T extends JsonValue> Optional<T> find(String name, Class<T> of) {
        return Optional.ofNullable(json.get(name)).filter(of::isInstance).map(of::cast);
    }
}
