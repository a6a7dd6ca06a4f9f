package tidemark.delivery;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A json or jsonb document for VARIANT, verbatim: PostgreSQL has checked that it is JSON. What PostgreSQL takes and
 * Feldera does not is found on the way, because one refused value costs the whole array:
 *
 * <ul>
 *   <li>text that is not UTF-8, as a database with encoding SQL_ASCII lets in,
 *   <li>a lone surrogate escape (measured; json keeps it as text, jsonb never lets it in),
 *   <li>a number of more than 38 digits before its point (1e400 measured; the bound is the i128 of Feldera's decimals),
 *   <li>more nesting than serde_json reads, which gives up at 128 levels of which our envelope takes some,
 *   <li>an object that begins with the key by which serde_json passes numbers on with all their digits, which Feldera's
 *       VARIANT has it do (serde_json, feature arbitrary_precision): it is read as a number, or not at all,
 *   <li>and a JSON null alone, which a nullable column would turn into SQL's.
 * </ul>
 *
 * @param nullable the column, so that JSON's null cannot be told from SQL's
 * @param maxDepth levels that the document may have here
 */
record JsonValue(boolean nullable, int maxDepth) implements ValueEncoder {
    /** A backslash, a u and four digits for one character. */
    private static final int ESCAPE_BYTES = 6;

    static final byte[] NUMBER_KEY = RowBytes.ascii("$serde_json::private::Number");
    static final String NUMBER_KEY_FIRST = "an object whose first key is $serde_json::private::Number";

    /** Of a document that is a column by itself. */
    static final int MAX_DEPTH = 120;

    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        int end = start + length;
        int depth = 0;
        int at = start;
        while (at < end) {
            switch (text[at]) {
                case '"' -> {
                    at = endOfString(text, at + 1, end);
                    if (at == end) return Fit.UNREPRESENTABLE;
                }
                case '{', '[' -> {
                    if (++depth > maxDepth) return Fit.UNREPRESENTABLE;
                    if (text[at] == '{' && isNumberKeyNext(text, at + 1, end)) return Fit.UNREPRESENTABLE;
                }
                case '}', ']' -> depth--;
                case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> {
                    int after = endOfNumber(text, at, end);
                    if (NumberText.integerDigits(text, at, after) > JsonNumberValue.MAX_INTEGER_DIGITS)
                        return Fit.UNREPRESENTABLE;
                    at = after - 1;
                }
                case 'n' -> {
                    if (depth == 0 && nullable) return Fit.UNREPRESENTABLE;
                }
                default -> {}
            }
            at++;
        }
        out.put(text, start, length);
        return Fit.WRITTEN;
    }

    /** A key with escapes in it is one without them to Feldera. */
    private static boolean isNumberKeyNext(byte[] text, int from, int end) {
        int at = from;
        while (at < end && text[at] <= ' ' && text[at] >= 0) at++;
        if (at == end || text[at] != '"') return false;
        int closing = endOfString(text, at + 1, end);
        int length = closing - at - 1;
        if (length < NUMBER_KEY.length) return false;
        if (length == NUMBER_KEY.length) return Arrays.equals(text, at + 1, closing, NUMBER_KEY, 0, length);
        if (closing == end || length > ESCAPE_BYTES * NUMBER_KEY.length) return false;
        var key = new ComparableBytes();
        var cursor = new JsonCursor();
        cursor.read(text, at, closing + 1);
        cursor.string(key);
        return Arrays.equals(key.copy(), NUMBER_KEY);
    }

    private static int endOfNumber(byte[] text, int start, int end) {
        int at = start + 1;
        while (at < end
                && (CalendarText.isDigit(text[at])
                        || text[at] == '.'
                        || text[at] == 'e'
                        || text[at] == 'E'
                        || text[at] == '+'
                        || text[at] == '-')) at++;
        return at;
    }

    /** Position of the closing quote; {@code end} if Feldera would not take the string. */
    private static int endOfString(byte[] text, int start, int end) {
        int at = start;
        while (at < end && text[at] != '"') {
            if (text[at] < 0) {
                int sequence = RowBytes.sequenceBytes(text, at, end);
                if (sequence == 0) return end;
                at += sequence;
            } else if (text[at] != '\\') {
                at++;
            } else if (text[at + 1] != 'u') {
                at += 2;
            } else {
                int escaped = unit(text, at);
                boolean pair = Character.isHighSurrogate((char) escaped)
                        && at + 12 <= end
                        && text[at + 6] == '\\'
                        && text[at + 7] == 'u'
                        && Character.isLowSurrogate((char) unit(text, at + 6));
                if (!pair && Character.isSurrogate((char) escaped)) return end;
                at += pair ? 12 : 6;
            }
        }
        return at;
    }

    /** The UTF-16 unit of a backslash, a u and four hexadecimal digits at {@code start}. */
    private static int unit(byte[] text, int start) {
        int unit = 0;
        for (int i = start + 2; i < start + 6; i++) unit = unit << 4 | HexFormat.fromHexDigit(text[i]);
        return unit;
    }

    @Override
    public String limit() {
        return "a JSON null alone, text that is not UTF-8, a lone surrogate escape, more than %d digits before a point,"
                        .formatted(JsonNumberValue.MAX_INTEGER_DIGITS)
                + " more than %d levels, or %s".formatted(maxDepth, NUMBER_KEY_FIRST);
    }
}
