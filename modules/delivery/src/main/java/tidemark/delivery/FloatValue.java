package tidemark.delivery;

import java.nio.charset.StandardCharsets;

/**
 * A number as a JSON number for REAL or DOUBLE, digit for digit: {@code 1e+20} is JSON too. JSON has no NaN and no
 * infinity. What is too large is found here: for REAL Feldera would silently store infinity, for DOUBLE refuse the
 * whole array (values.md).
 *
 * @param single REAL, else DOUBLE
 * @param mayOverflow PostgreSQL's type has larger numbers
 */
record FloatValue(boolean single, boolean mayOverflow) implements ValueEncoder {
    /** Any number with so many digits before the point is below the largest float and double. */
    private static final int SAFE_DIGITS_SINGLE = 38;

    private static final int SAFE_DIGITS_DOUBLE = 308;

    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        if (!NumberText.isFinite(text, start, length)) return Fit.UNREPRESENTABLE;
        if (mayOverflow && overflows(text, start, length)) return Fit.UNREPRESENTABLE;
        out.put(text, start, length);
        return Fit.WRITTEN;
    }

    private boolean overflows(byte[] text, int start, int length) {
        int digits = NumberText.integerDigits(text, start, start + length);
        if (digits <= (single ? SAFE_DIGITS_SINGLE : SAFE_DIGITS_DOUBLE)) return false;
        double nearest = Double.parseDouble(new String(text, start, length, StandardCharsets.US_ASCII));
        // Feldera rounds twice (ColumnEncoding.LAST_BITS): it may read more than the nearest double, and so infinity.
        double most = Math.nextUp(Math.nextUp(Math.abs(nearest)));
        return single ? Float.isInfinite((float) most) : Double.isInfinite(most);
    }

    @Override
    public String limit() {
        return "NaN, an infinity, or beyond the range of " + (single ? "REAL" : "DOUBLE");
    }
}
