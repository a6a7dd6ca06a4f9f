package tidemark.delivery;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * Integers and DECIMAL by value: the number of units of the scale's last digit, as 128 bits with the sign turned, the
 * highest byte first. We send strings, Feldera answers with numbers of full scale.
 *
 * @param scale digits after the point; 0 for integers
 */
record DecimalForm(int scale) implements ComparableForm {
    /** Digits that a long holds, whatever they are. */
    private static final int LONG_DIGITS = 18;

    /** Of Feldera's decimals (feldera.md 5.2). */
    private static final int MAX_DIGITS = 38;

    @Override
    public void putValue(JsonCursor in, Wording wording, ComparableBytes out) {
        boolean quoted = in.take('"');
        int start = in.number();
        int end = in.at();
        if (quoted) in.expect('"');
        if (!putSmall(in.bytes(), start, end, out)) putLarge(in.bytes(), start, end, out);
    }

    /** False, and nothing put, for what may not fit into a long, or is not plain digits. */
    private boolean putSmall(byte[] text, int start, int end, ComparableBytes out) {
        boolean negative = text[start] == '-';
        int first = negative ? start + 1 : start;
        int point = NumberText.find(text, (byte) '.', first, end);
        if (first == end || point - first + scale > LONG_DIGITS || end - point - 1 > scale) return false;
        long units = 0;
        for (int at = first; at < end; at++) {
            if (at == point) continue;
            if (!CalendarText.isDigit(text[at])) return false;
            units = units * 10 + text[at] - '0';
        }
        for (int digit = Math.max(end - point - 1, 0); digit < scale; digit++) units *= 10;
        put(negative && units != 0 ? -1 : 0, negative ? -units : units, out);
        return true;
    }

    private void putLarge(byte[] text, int start, int end, ComparableBytes out) {
        BigInteger units = units(new String(text, start, end - start, StandardCharsets.ISO_8859_1));
        if (units.bitLength() >= 2 * Long.SIZE)
            throw new UnreadableValue("a number of at most %d digits".formatted(MAX_DIGITS));
        put(units.shiftRight(Long.SIZE).longValue(), units.longValue(), out);
    }

    private BigInteger units(String text) {
        try {
            BigDecimal value = new BigDecimal(text).stripTrailingZeros();
            boolean fits = value.scale() <= scale && value.precision() - (long) value.scale() <= MAX_DIGITS;
            if (fits) return value.setScale(scale).unscaledValue();
        } catch (NumberFormatException _) {
            // neither is it a number that could fit
        }
        throw new UnreadableValue("a number with at most %d digits after its point".formatted(scale));
    }

    private static void put(long high, long low, ComparableBytes out) {
        out.putLong(high ^ Long.MIN_VALUE);
        out.putLong(low);
    }

    @Override
    public boolean isSortable() {
        return true;
    }
}
