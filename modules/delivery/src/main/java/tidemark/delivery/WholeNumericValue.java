package tidemark.delivery;

/**
 * A numeric without digits after its point into an integer type that takes {@code [least, most]}: its digits, as they
 * are. One outside is refused, as an {@link IntegerValue} is; NaN, which every numeric may be, is unrepresentable.
 *
 * @param least as it is printed, as is {@code most}
 */
record WholeNumericValue(String least, String most) implements ValueEncoder {
    /** @param digits that a value has at most */
    boolean takesAllOf(int digits) {
        return digits < most.length() && digits < least.length() - 1;
    }

    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        if (!NumberText.isFinite(text, start, length)) return Fit.UNREPRESENTABLE;
        boolean negative = text[start] == '-';
        int first = negative ? start + 1 : start;
        if (!(negative
                ? isAtMost(text, first, start + length, least, 1)
                : isAtMost(text, first, start + length, most, 0))) return Fit.REFUSED;
        out.put(text, start, length);
        return Fit.WRITTEN;
    }

    /** By its digits; PostgreSQL prints no zeros before them. */
    private static boolean isAtMost(byte[] text, int first, int end, String bound, int firstOfBound) {
        int digits = bound.length() - firstOfBound;
        if (end - first != digits) return end - first < digits;
        for (int i = 0; i < digits; i++) {
            int difference = text[first + i] - bound.charAt(firstOfBound + i);
            if (difference != 0) return difference < 0;
        }
        return true;
    }

    @Override
    public String limit() {
        return "NaN, or a number outside %s..%s".formatted(least, most);
    }
}
