package tidemark.delivery;

/**
 * A float for DECIMAL(precision, scale): as {@link DecimalValue}, but large and small ones are printed
 * {@code d.ddde±nn} and are written out, as at most 17 digits and the zeros they need.
 */
record FloatDecimalValue(DecimalValue plain) implements ValueEncoder {
    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        int end = start + length;
        int mantissaEnd = NumberText.find(text, (byte) 'e', start, end);
        if (mantissaEnd == end) return plain.write(text, start, length, out);
        int room = plain.precision() - plain.scale();
        if (NumberText.integerDigits(text, start, end) > room) return Fit.UNREPRESENTABLE;
        boolean negative = text[start] == '-';
        int first = negative ? start + 1 : start;
        int integerDigits = 1 + NumberText.exponent(text, mantissaEnd + 1, end);
        int lastKept = integerDigits + plain.scale();
        if (plain.exact() && !NumberText.isZero(text, Math.max(first, at(first, lastKept)), mantissaEnd)) {
            return Fit.REFUSED;
        }
        out.put((byte) '"');
        if (negative) out.put((byte) '-');
        if (integerDigits <= 0) out.put((byte) '0');
        for (int digit = Math.min(0, integerDigits); digit < lastKept; digit++) {
            if (digit == integerDigits) out.put((byte) '.');
            int at = at(first, digit);
            out.put(digit < 0 || at >= mantissaEnd ? (byte) '0' : text[at]);
        }
        out.put((byte) '"');
        return Fit.WRITTEN;
    }

    /** Where {@code d.ddd} has its digit number {@code digit}: the point comes after number 0. */
    private static int at(int first, int digit) {
        return digit <= 0 ? first + digit : first + 1 + digit;
    }

    @Override
    public String limit() {
        return plain.limit();
    }
}
