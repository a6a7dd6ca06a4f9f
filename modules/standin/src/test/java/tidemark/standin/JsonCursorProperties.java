package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The reader of ingress bodies agrees with a JSON parser that others wrote about what is JSON and what is not. */
class JsonCursorProperties {
    private static final long SEED = 20261129;
    private static final String ALPHABET = "{}[]\",:\\ntrufalse0123456789.-+eE u";

    @Test
    void acceptsWhatParssonAcceptsAndNothingElse() {
        var random = new Random(SEED);
        for (int i = 0; i < 10_000; i++) {
            String document = mutated(random, document(random, 0));
            assertThat(isAccepted(document))
                    .as("seed %d, round %d: %s", SEED, i, document)
                    .isEqualTo(isAcceptedByParsson(document));
        }
    }

    private static boolean isAccepted(String document) {
        try {
            JsonCursor in = JsonCursor.over(document);
            in.skipValue();
            return in.peek() < 0;
        } catch (MalformedJson _) {
            return false;
        }
    }

    private static boolean isAcceptedByParsson(String document) {
        try (var parser = Json.createParser(new StringReader(document))) {
            boolean any = false;
            while (parser.hasNext()) {
                parser.next();
                any = true;
            }
            return any;
        } catch (JsonException _) {
            return false;
        }
    }

    private static String document(Random random, int depth) {
        return switch (random.nextInt(depth > 3 ? 5 : 7)) {
            case 0 -> String.valueOf(random.nextInt());
            case 1 -> String.valueOf(random.nextDouble() * Math.pow(10, random.nextInt(40) - 20));
            case 2 -> "\"" + "a\\n\\u00e9\\\"b".repeat(random.nextInt(3)) + "\"";
            case 3 -> random.nextBoolean() ? "true" : "false";
            case 4 -> "null";
            case 5 -> "[" + document(random, depth + 1) + ", " + document(random, depth + 1) + "]";
            default -> "{\"k\":" + document(random, depth + 1) + ",\"l\" : " + document(random, depth + 1) + "}";
        };
    }

    private static String mutated(Random random, String document) {
        byte[] bytes = document.getBytes(StandardCharsets.US_ASCII);
        for (int i = random.nextInt(3); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) ALPHABET.charAt(random.nextInt(ALPHABET.length()));
        }
        int end = random.nextInt(4) == 0 ? random.nextInt(bytes.length) + 1 : bytes.length;
        return new String(bytes, 0, end, StandardCharsets.US_ASCII);
    }
}
