package tidemark.delivery;

import java.nio.charset.StandardCharsets;

/**
 * A number as a JSON number for REAL or DOUBLE, digit for digit: {@code 1e+20} is JSON too. JSON has no NaN and no infinity, and
 * REAL silently stores infinity for what it cannot hold (values.md), so that is found here.
 *
 * @param largest of the target type
 * @param safeDigits any number with so many digits before the point is below {@code largest}
 */
record FloatValue(String typeName, double largest, int safeDigits) implements ValueEncoder {
    static final FloatValue REAL = new FloatValue("REAL", Float.MAX_VALUE, 38);
    static final FloatValue DOUBLE = new FloatValue("DOUBLE", Double.MAX_VALUE, 308);

    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        if (!NumberText.isFinite(text, start, length)) return Fit.UNREPRESENTABLE;
        if (NumberText.integerDigits(text, start, start + length) > safeDigits && overflows(text, start, length)) {
            return Fit.UNREPRESENTABLE;
        }
        out.put(text, start, length);
        return Fit.WRITTEN;
    }

    private boolean overflows(byte[] text, int start, int length) {
        double value = Double.parseDouble(new String(text, start, length, StandardCharsets.US_ASCII));
        return largest == Float.MAX_VALUE ? Float.isInfinite((float) value) : Double.isInfinite(value);
    }

    @Override
    public String limit() {
        return "NaN, an infinity, or beyond the range of " + typeName;
    }
}
