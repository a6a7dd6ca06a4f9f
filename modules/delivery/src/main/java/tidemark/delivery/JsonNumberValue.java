package tidemark.delivery;

/**
 * A number as a JSON number for VARIANT, which keeps it as a decimal: of at most 38 digits before the point (1e400
 * measured; the bound is the i128 of Feldera's decimals). JSON has no NaN and no infinity.
 */
record JsonNumberValue() implements ValueEncoder {
    /** Before the point. */
    static final int MAX_INTEGER_DIGITS = 38;

    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        if (!NumberText.isFinite(text, start, length)) return Fit.UNREPRESENTABLE;
        if (NumberText.integerDigits(text, start, start + length) > MAX_INTEGER_DIGITS) return Fit.UNREPRESENTABLE;
        out.put(text, start, length);
        return Fit.WRITTEN;
    }

    @Override
    public String limit() {
        return "NaN, an infinity, or a number of more than %d digits before the point".formatted(MAX_INTEGER_DIGITS);
    }
}
