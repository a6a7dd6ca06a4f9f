package tidemark.delivery;

/**
 * A number for DECIMAL(precision, scale), as a JSON string of plain digits. Digits beyond the scale are left out, which is what
 * Feldera does with them (values.md), except that it first rounds what has more than 38 digits.
 *
 * @param exact digits beyond the scale are refused unless they are zeros: in a key they tell rows apart
 */
record DecimalValue(int precision, int scale, boolean exact) implements ValueEncoder {
    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        int end = start + length;
        if (!NumberText.isFinite(text, start, length)) return Fit.UNREPRESENTABLE;
        if (NumberText.integerDigits(text, start, end) > precision - scale) return Fit.UNREPRESENTABLE;
        int mantissaEnd = NumberText.find(text, (byte) 'e', start, end);
        int exponent = mantissaEnd < end ? NumberText.exponent(text, mantissaEnd + 1, end) : 0;
        int point = NumberText.find(text, (byte) '.', start, mantissaEnd);
        // Where in this text the digits end that the type keeps: the exponent moves the point, which is no digit
        // itself.
        int digits = scale + exponent;
        int kept = digits < 0 ? point + digits : point + 1 + digits;
        if (exact && !isZero(text, Math.max(start, kept), mantissaEnd)) return Fit.REFUSED;
        if (mantissaEnd < end) {
            writeExpanded(text, start, mantissaEnd, exponent, out);
        } else {
            out.putQuoted(text, start, Math.min(end, scale == 0 ? point : kept) - start);
        }
        return Fit.WRITTEN;
    }

    private static boolean isZero(byte[] text, int start, int end) {
        for (int at = start; at < end; at++) {
            if (text[at] > '0') return false;
        }
        return true;
    }

    /** {@code d.ddde±nn}, the form of large and small floats, without its exponent: at most 17 digits and the zeros they need. */
    private void writeExpanded(byte[] text, int start, int end, int exponent, RowBytes out) {
        out.put((byte) '"');
        int first = start;
        if (text[start] == '-') {
            out.put((byte) '-');
            first++;
        }
        int integerDigits = 1 + exponent;
        if (integerDigits <= 0) out.put((byte) '0');
        for (int digit = Math.min(0, integerDigits); digit < integerDigits + scale; digit++) {
            if (digit == integerDigits) out.put((byte) '.');
            out.put(digitAt(text, first, end, digit));
        }
        out.put((byte) '"');
    }

    /** The digit number {@code index} of {@code d.ddd}, and zeros on either side. */
    private static byte digitAt(byte[] text, int first, int end, int index) {
        int at = index == 0 ? first : first + 1 + index;
        return index < 0 || at >= end ? (byte) '0' : text[at];
    }

    @Override
    public String limit() {
        return "NaN, an infinity, more than %d digits before the point%s"
                .formatted(precision - scale, exact ? " or, in a key, more than %d after it".formatted(scale) : "");
    }
}
