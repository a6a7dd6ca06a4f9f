package tidemark.delivery;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReaderFactory;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * When what {@code /query} answers is the value that was expected, decided by the Feldera type. Members of an object
 * have no order, and zero no sign, as the JSON library knows none; everything else is equal to the last digit, or as
 * near as the type says.
 */
enum Likeness {
    EXACT {
        @Override
        boolean alike(JsonNumber expected, JsonNumber found) {
            return expected.bigDecimalValue().compareTo(found.bigDecimalValue()) == 0;
        }
    },
    SINGLE {
        @Override
        boolean alike(JsonNumber expected, JsonNumber found) {
            return Float.parseFloat(expected.toString()) == Float.parseFloat(found.toString());
        }
    },
    /**
     * Feldera makes a number of its first 19 or 20 digits and multiplies or divides it by a power of ten, or by two of
     * them ({@link ColumnEncoding#LAST_BITS}): five roundings, of less than a unit in the last place each.
     */
    DOUBLE {
        @Override
        boolean alike(JsonNumber expected, JsonNumber found) {
            double value = Double.parseDouble(expected.toString());
            double stored = Double.parseDouble(found.toString());
            return Math.abs(stored - value) <= 5 * Math.ulp(value);
        }
    },
    /** What is in a VARIANT: numbers of 38 digits and no more than 255 after the point. */
    DOCUMENT {
        @Override
        boolean alike(JsonNumber expected, JsonNumber found) {
            BigDecimal kept = expected.bigDecimalValue().round(KEPT).stripTrailingZeros();
            return (kept.scale() > SCALE_MAX ? BigDecimal.ZERO : kept).compareTo(found.bigDecimalValue()) == 0;
        }
    },
    /** A string that holds a JSON document, or an array of them. */
    VARIANT {
        @Override
        boolean alike(JsonNumber expected, JsonNumber found) {
            return false;
        }

        @Override
        boolean alike(JsonValue expected, JsonValue found) {
            return found instanceof JsonString document
                    ? DOCUMENT.alike(expected, json(document.getString()))
                    : super.alike(expected, found);
        }
    };

    private static final MathContext KEPT = new MathContext(38, RoundingMode.HALF_EVEN);
    private static final int SCALE_MAX = 255;
    private static final JsonReaderFactory READERS = Json.createReaderFactory(Map.of());

    abstract boolean alike(JsonNumber expected, JsonNumber found);

    /** @param expected JSON, as the SQL of a {@link Target} made it */
    boolean accepts(String expected, JsonValue found) {
        return alike(json(expected), found);
    }

    boolean alike(JsonValue expected, JsonValue found) {
        return switch (expected) {
            case JsonNumber number -> found instanceof JsonNumber other && alike(number, other);
            case JsonArray array -> found instanceof JsonArray other && allAlike(array, other);
            case JsonObject object -> found instanceof JsonObject other && allAlike(object, other);
            default -> expected.equals(found);
        };
    }

    private boolean allAlike(JsonArray expected, JsonArray found) {
        return expected.size() == found.size()
                && IntStream.range(0, expected.size()).allMatch(i -> alike(expected.get(i), found.get(i)));
    }

    private boolean allAlike(JsonObject expected, JsonObject found) {
        return expected.keySet().equals(found.keySet())
                && expected.entrySet().stream()
                        .allMatch(member -> alike(
                                member.getValue(), found.getOrDefault(member.getKey(), JsonValue.EMPTY_JSON_OBJECT)));
    }

    private static JsonValue json(String text) {
        try (var reader = READERS.createReader(new StringReader(text))) {
            return reader.readValue();
        }
    }
}
