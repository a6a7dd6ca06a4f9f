package tidemark.standin;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;

/**
 * A stored value in the form in which SQL compares it: numbers by value, text by its bytes (COLLATE "C", feldera.md
 * 19), dates by time. Values of one column only ever meet their like.
 */
sealed interface SortValue extends Comparable<SortValue> {
    record Null() implements SortValue {}

    record Whole(long value) implements SortValue {}

    record Exact(BigDecimal value) implements SortValue {}

    record Floating(double value) implements SortValue {}

    record Text(byte[] utf8) implements SortValue {}

    /** Reads the value of a row that stands in {@code row[start, end)}. */
    static SortValue of(SqlType type, byte[] row, int start, int end) {
        if (end - start == 4 && row[start] == 'n') {
            return new Null();
        }
        return switch (type) {
            case SqlType.Width _ -> new Whole(whole(row, start, end));
            case SqlType.Decimal _ -> new Exact(new BigDecimal(ascii(row, start, end)));
            case SqlType.Real _, SqlType.DoublePrecision _ -> new Floating(Double.parseDouble(ascii(row, start, end)));
            case SqlType.Bool _ -> new Whole(row[start] == 't' ? 1 : 0);
            case SqlType.Date _ ->
                new Whole(LocalDate.parse(ascii(row, start + 1, end - 1)).toEpochDay());
            case SqlType.Timestamp _ -> moment(ascii(row, start + 1, end - 1));
            case SqlType.TimestampTz _ -> moment(ascii(row, start + 1, end - 2));
            case SqlType.Time _, SqlType.Uuid _, SqlType.Characters _, SqlType.Binary _, SqlType.Variant _ ->
                new Text(utf8(row, start, end));
            case SqlType.Array _, SqlType.Mapping _, SqlType.Row _ ->
                throw new IllegalStateException("a query was planned that compares " + type.schemaName());
        };
    }

    private static String ascii(byte[] row, int start, int end) {
        return new String(row, start, end - start, StandardCharsets.ISO_8859_1);
    }

    private static long whole(byte[] row, int start, int end) {
        boolean negative = row[start] == '-';
        long value = 0;
        for (int i = negative ? start + 1 : start; i < end; i++) {
            value = value * 10 - (row[i] - '0'); // downwards: the least long has no positive
        }
        return negative ? value : -value;
    }

    private static Exact moment(String text) {
        Instant moment = LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
        return new Exact(BigDecimal.valueOf(moment.getEpochSecond()).add(BigDecimal.valueOf(moment.getNano(), 9)));
    }

    private static byte[] utf8(byte[] row, int start, int end) {
        var string = new JsonCursor(row, start, end);
        string.readString();
        return string.isEscaped()
                ? string.decodeString().copy()
                : Arrays.copyOfRange(row, string.rawStart(), string.rawEnd());
    }

    /** Orders values that are not null. */
    @Override
    default int compareTo(SortValue other) {
        if (this instanceof Whole a && other instanceof Whole b) {
            return Long.compare(a.value(), b.value());
        }
        if (this instanceof Text a && other instanceof Text b) {
            return Arrays.compareUnsigned(a.utf8(), b.utf8());
        }
        if (this instanceof Floating a && other instanceof Floating b) {
            return Double.compare(a.value(), b.value());
        }
        return exact(this).compareTo(exact(other));
    }

    private static BigDecimal exact(SortValue value) {
        return switch (value) {
            case Exact(BigDecimal number) -> number;
            case Whole(long number) -> BigDecimal.valueOf(number);
            case Floating(double number) -> new BigDecimal(number);
            case Null _, Text _ -> throw new IllegalStateException("no number: " + value);
        };
    }
}
