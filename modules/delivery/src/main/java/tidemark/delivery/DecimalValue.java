package tidemark.delivery;

/**
 * A number for DECIMAL(precision, scale), as a JSON string of plain digits. Digits beyond the scale are left out, which is what
 * Feldera does with them (values.md), except that it first rounds what has more than 38 digits.
 */
record DecimalValue(int precision, int scale) implements ValueEncoder {
    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        int end = start + length;
        if (!NumberText.isFinite(text, start, length)) return Fit.UNREPRESENTABLE;
        if (NumberText.integerDigits(text, start, end) > precision - scale) return Fit.UNREPRESENTABLE;
        int exponent = NumberText.find(text, (byte) 'e', start, end);
        if (exponent < end) {
            writeExpanded(text, start, exponent, NumberText.exponent(text, exponent + 1, end), out);
        } else {
            int point = NumberText.find(text, (byte) '.', start, end);
            out.putQuoted(text, start, scale == 0 ? point - start : Math.min(length, point + 1 + scale - start));
        }
        return Fit.WRITTEN;
    }

    /** {@code d.ddde±nn}, the form of large and small floats, without its exponent: at most 17 digits and the zeros they need. */
    private void writeExpanded(byte[] text, int start, int end, int exponent, RowBytes out) {
        out.put((byte) '"');
        int first = start;
        if (text[start] == '-') {
            out.put((byte) '-');
            first++;
        }
        int integerDigits = NumberText.find(text, (byte) '.', first, end) - first + exponent;
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
        return "NaN, an infinity, or more than %d digits before the point".formatted(precision - scale);
    }
}
