package tidemark.delivery;

/**
 * An integer into an integer type that takes {@code [min, max]}. A value outside was let in by a PostgreSQL type wider
 * than Feldera's, which is a matter of types, not of values: it is refused, never made null.
 */
record IntegerValue(long min, long max) implements ValueEncoder {
    /** Into a type that holds all that PostgreSQL's has. */
    static IntegerValue whole() {
        return new IntegerValue(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        if (max != Long.MAX_VALUE || min != Long.MIN_VALUE) {
            long value = parse(text, start, length);
            if (value < min || value > max) return Fit.REFUSED;
        }
        out.put(text, start, length);
        return Fit.WRITTEN;
    }

    /**
     * PostgreSQL prints at most 19 digits that a long can hold; summed up below zero, as its smallest has no positive
     * twin.
     */
    private static long parse(byte[] text, int start, int length) {
        boolean negative = text[start] == '-';
        long minus = 0;
        for (int i = negative ? start + 1 : start; i < start + length; i++) minus = minus * 10 - (text[i] - '0');
        return negative ? minus : -minus;
    }

    @Override
    public String limit() {
        return equals(whole()) ? "" : "an integer outside %d..%d".formatted(min, max);
    }
}
