package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonString;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Strings come out as their own beginnings, everything else as it was, whatever is cut where. */
class ClippedJsonProperties {
    private static final String[] PIECES = {
        "a", "é", "€", "😀", "\\\"", "\\\\", "\\n", "\\u00e9", "\\u20ac", "{", "]", ","
    };
    private static final long SEED = 20261129;

    @Test
    void everyClippedStringIsTheBeginningOfTheString() throws Exception {
        Random random = new Random(SEED);
        for (int round = 0; round < 500; round++) {
            StringBuilder text = new StringBuilder("[1");
            for (int strings = random.nextInt(5); strings > 0; strings--) {
                text.append(",\"");
                for (int pieces = random.nextInt(30); pieces > 0; pieces--)
                    text.append(PIECES[random.nextInt(PIECES.length)]);
                text.append("\",{\"k\":null}");
            }
            String json = text.append(']').toString();
            int longest = random.nextInt(40);

            JsonArray whole = parse(json.getBytes(StandardCharsets.UTF_8));
            byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
            JsonArray clipped = parse(new ClippedJson(new ByteArrayInputStream(bytes), longest).readAllBytes());

            assertThat(beginnings(whole, clipped))
                    .as("seed %d round %d longest %d json %s", SEED, round, longest, json)
                    .isEqualTo(clipped);
        }
    }

    /**
     * Of {@code whole}, with every string as long as its counterpart. Keys are shorter than any bound that matters
     * here.
     */
    private static JsonArray beginnings(JsonArray whole, JsonArray clipped) {
        JsonArrayBuilder expected = Json.createArrayBuilder();
        for (int i = 0; i < whole.size(); i++) {
            if (whole.get(i) instanceof JsonString text) {
                expected.add(text.getString().substring(0, clipped.getString(i).length()));
            } else {
                expected.add(clipped.get(i));
            }
        }
        return expected.build();
    }

    private static JsonArray parse(byte[] json) {
        try (var reader = Json.createReader(new ByteArrayInputStream(json))) {
            return reader.readArray();
        }
    }
}
