package tidemark.standin;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalLong;

/** What one request's body had wrong: all of it counted, the last thousand told (feldera.md 1.5). */
final class ParseErrors {
    private static final int TOLD_MAX = 1000;

    /** One error; {@code event} counts from the endpoint's first, {@code field} and {@code suggestion} may be empty. */
    private record One(
            String description, OptionalLong event, String field, String fragment, String suggestion, String tag) {
        String told() {
            String number = event.isPresent() ? " (event #" + event.getAsLong() + ")" : "";
            return "\n    Parse error" + number + ": " + description + "\nInvalid fragment: '" + fragment + "'"
                    + (suggestion.isEmpty() ? "" : "\n" + suggestion);
        }

        JsonObjectBuilder json() {
            JsonObjectBuilder json = Json.createObjectBuilder().add("description", description);
            event.ifPresentOrElse(number -> json.add("event_number", number), () -> json.addNull("event_number"));
            return json.add("field", orNull(field))
                    .addNull("invalid_bytes")
                    .add("invalid_text", fragment)
                    .add("suggestion", orNull(suggestion))
                    .add("tag", tag);
        }

        private static JsonValue orNull(String text) {
            return text.isEmpty() ? JsonValue.NULL : Json.createValue(text);
        }
    }

    private final ArrayDeque<One> last = new ArrayDeque<>();
    private long count;

    boolean isEmpty() {
        return count == 0;
    }

    long count() {
        return count;
    }

    /** A row or an update that is good JSON and wrong otherwise. */
    void event(String description, long event, String field, String fragment, String suggestion) {
        add(new One(description, OptionalLong.of(event), field, fragment, suggestion, "text_event_err"));
    }

    /** A piece of the body that is no JSON, or no list of updates. */
    void envelope(String description, String fragment, String suggestion) {
        add(new One(description, OptionalLong.empty(), "", fragment, suggestion, "text_envelope_err"));
    }

    private void add(One error) {
        count++;
        last.addLast(error);
        if (last.size() > TOLD_MAX) {
            last.removeFirst();
        }
    }

    /** Of those that are told. */
    Optional<String> first() {
        return last.stream().findFirst().map(One::description);
    }

    JsonArray json() {
        var errors = Json.createArrayBuilder();
        last.forEach(error -> errors.add(error.json()));
        return errors.build();
    }

    ApiError toApiError() {
        var message = new StringBuilder("Errors parsing input data (" + count + " errors):");
        last.forEach(error -> message.append(error.told()));
        return new ApiError(
                400,
                "ParseErrors",
                message.toString(),
                Json.createObjectBuilder()
                        .add("errors", json())
                        .add("num_errors", count)
                        .build());
    }
}
