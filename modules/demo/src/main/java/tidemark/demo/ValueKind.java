package tidemark.demo;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonReaderFactory;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How PostgreSQL's text of a value and Feldera's answer for it are compared, decided by the type of the Feldera column.
 *
 * <p>Both sides are brought into one canonical text that is equal exactly when the values are: 1.50 and 1.5, two
 * spellings of one moment, two orders of a JSON object's members. Written independently of the service's encoder on
 * purpose.
 */
enum ValueKind {
    BOOLEAN,
    /** Integers and decimals, exact. */
    NUMBER,
    REAL,
    DOUBLE,
    TEXT,
    DATE,
    TIME,
    /** A moment in UTC or without a zone, to the microsecond. */
    TIMESTAMP,
    BINARY,
    /** VARIANT: a string that holds JSON. */
    JSON,
    /** Of text and numbers: in the order of its elements, null ones included. */
    ARRAY;

    private static final JsonReaderFactory READERS = Json.createReaderFactory(Map.of());
    private static final int LAST_YEAR = 9999;

    /** Empty for types whose values the demo cannot compare: MAP, ROW, INTERVAL. */
    static Optional<ValueKind> ofFelderaType(String type) {
        return switch (type.toUpperCase(Locale.ROOT)) {
            case "BOOLEAN" -> Optional.of(BOOLEAN);
            case "TINYINT",
                    "SMALLINT",
                    "INTEGER",
                    "BIGINT",
                    "UTINYINT",
                    "USMALLINT",
                    "UINTEGER",
                    "UBIGINT",
                    "DECIMAL" -> Optional.of(NUMBER);
            case "REAL" -> Optional.of(REAL);
            case "DOUBLE" -> Optional.of(DOUBLE);
            case "CHAR", "VARCHAR", "UUID" -> Optional.of(TEXT);
            case "DATE" -> Optional.of(DATE);
            case "TIME" -> Optional.of(TIME);
            case "TIMESTAMP", "TIMESTAMP_TZ" -> Optional.of(TIMESTAMP);
            case "BINARY", "VARBINARY" -> Optional.of(BINARY);
            case "VARIANT" -> Optional.of(JSON);
            case "ARRAY" -> Optional.of(ARRAY);
            default -> Optional.empty();
        };
    }

    /** @param text as PostgreSQL's output function prints it under the options of {@link SourceDatabase} */
    Cell ofPostgres(String text) {
        return switch (this) {
            case BOOLEAN -> new Cell.Value(text.equals("t") ? "true" : text.equals("f") ? "false" : text);
            case NUMBER -> isFinite(text) ? number(text) : new Cell.Unrepresentable();
            case REAL -> real(text);
            case DOUBLE -> doublePrecision(text);
            case TEXT -> new Cell.Value(text);
            case DATE, TIME, TIMESTAMP -> temporal(text);
            case BINARY -> new Cell.Value(text.startsWith("\\x") ? text.substring(2) : text);
            case JSON -> text.strip().equals("null") ? new Cell.Unrepresentable() : json(text);
            case ARRAY -> json(text);
        };
    }

    /** @param text a JSON string's content, or the literal as it stands in the answer */
    Cell ofFeldera(String text) {
        return switch (this) {
            case BOOLEAN, TEXT, BINARY -> new Cell.Value(text);
            case NUMBER -> number(text);
            case REAL -> real(text);
            case DOUBLE -> doublePrecision(text);
            case DATE, TIME, TIMESTAMP -> temporal(text);
            case JSON, ARRAY -> json(text);
        };
    }

    /** What PostgreSQL is asked for: the column, an array as the JSON that Feldera answers with. */
    String expression(String quotedColumn) {
        return switch (this) {
            case ARRAY -> "array_to_json(" + quotedColumn + ")";
            case BOOLEAN, NUMBER, REAL, DOUBLE, TEXT, DATE, TIME, TIMESTAMP, BINARY, JSON -> quotedColumn;
        };
    }

    /** The order of canonical texts in which both servers are asked to sort. */
    Comparator<String> order() {
        return switch (this) {
            case NUMBER, DATE, TIME, TIMESTAMP -> Comparator.comparing(BigDecimal::new);
            case REAL, DOUBLE -> Comparator.comparing(Double::valueOf);
            case BOOLEAN, TEXT, BINARY, JSON, ARRAY -> (a, b) -> Arrays.compare(codePoints(a), codePoints(b));
        };
    }

    /** An expression that makes PostgreSQL sort like Feldera, which sorts text by bytes. */
    String sortKey(String quotedColumn) {
        return switch (this) {
            case TEXT -> quotedColumn + "::text COLLATE \"C\"";
            case BOOLEAN, NUMBER, REAL, DOUBLE, DATE, TIME, TIMESTAMP, BINARY, JSON, ARRAY -> quotedColumn;
        };
    }

    private static int[] codePoints(String text) {
        return text.codePoints().toArray();
    }

    private static boolean isFinite(String text) {
        return !text.equals("NaN") && !text.endsWith("nfinity");
    }

    private static Cell number(String text) {
        return new Cell.Value(new BigDecimal(text).stripTrailingZeros().toPlainString());
    }

    private static Cell real(String text) {
        float value = Float.parseFloat(text);
        return Float.isFinite(value)
                ? new Cell.Value(Float.toString(value + 0.0f))
                : new Cell.Unrepresentable(); // -0 is 0
    }

    private static Cell doublePrecision(String text) {
        double value = Double.parseDouble(text);
        return Double.isFinite(value)
                ? new Cell.Value(Double.toString(value + 0.0))
                : new Cell.Unrepresentable(); // -0 is 0
    }

    private Cell temporal(String text) {
        if (text.endsWith("infinity") || text.endsWith(" BC") || text.startsWith("24:"))
            return new Cell.Unrepresentable();
        if (this != TIME && text.indexOf('-', 1) > 4)
            return new Cell.Unrepresentable(); // a year of five digits or more
        try {
            long canonical = switch (this) {
                case DATE -> LocalDate.parse(text).toEpochDay();
                case TIME -> LocalTime.parse(text).toNanoOfDay() / 1000;
                default -> micros(text);
            };
            return new Cell.Value(Long.toString(canonical));
        } catch (DateTimeException _) {
            return new Cell.Value("unreadable"); // differs from whatever the other side has, without telling the value
        }
    }

    /** {@code 2024-02-29 12:34:56.789+02}, with T for the space, Z or nothing for the offset. */
    private static long micros(String text) {
        int zone = Math.max(text.indexOf('+', 10), Math.max(text.indexOf('-', 10), text.indexOf('Z', 10)));
        String local = (zone < 0 ? text : text.substring(0, zone)).replace(' ', 'T');
        ZoneOffset offset = zone < 0 ? ZoneOffset.UTC : ZoneOffset.of(text.substring(zone));
        LocalDateTime moment = LocalDateTime.parse(local);
        if (moment.get(ChronoField.YEAR) > LAST_YEAR) throw new DateTimeException("year");
        return ChronoUnit.MICROS.between(LocalDateTime.of(1970, 1, 1, 0, 0), moment)
                - offset.getTotalSeconds() * 1_000_000L;
    }

    private static Cell json(String text) {
        try (JsonReader reader = READERS.createReader(new StringReader(text))) {
            return new Cell.Value(canonical(reader.readValue()));
        }
    }

    /** Members sorted, numbers by value; strings as the library prints them, one way for one string. */
    private static String canonical(JsonValue value) {
        return switch (value) {
            case JsonObject object ->
                new TreeMap<>(object)
                        .entrySet().stream()
                                .map(member -> Json.createValue(member.getKey()) + ":" + canonical(member.getValue()))
                                .collect(Collectors.joining(",", "{", "}"));
            case JsonArray array -> array.stream().map(ValueKind::canonical).collect(Collectors.joining(",", "[", "]"));
            case JsonNumber number ->
                number.bigDecimalValue().stripTrailingZeros().toString();
            default -> value.toString();
        };
    }
}
