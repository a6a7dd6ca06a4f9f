package tidemark.delivery;

/**
 * An integer or a numeric, printed without exponent, for DECIMAL(precision, scale), as a JSON string of the same
 * digits. Those beyond the scale are left out, which is what Feldera does with them (values.md), except that it first
 * rounds what has more than 38 digits.
 *
 * @param exact digits beyond the scale are refused unless they are zeros: in a key they tell rows apart
 */
record DecimalValue(int precision, int scale, boolean exact) implements ValueEncoder {
    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        if (!NumberText.isFinite(text, start, length)) return Fit.UNREPRESENTABLE;
        int end = start + length;
        int significant = text[start] == '-' ? start + 1 : start;
        while (significant < end && text[significant] == '0') significant++;
        int point = NumberText.find(text, (byte) '.', significant, end);
        if (point - significant > precision - scale) return Fit.UNREPRESENTABLE;
        int kept = scale == 0 ? point : Math.min(end, point + 1 + scale);
        if (exact && !NumberText.isZero(text, kept, end)) return Fit.REFUSED;
        out.putQuoted(text, start, kept - start);
        return Fit.WRITTEN;
    }

    @Override
    public String limit() {
        return "NaN, an infinity, more than %d digits before the point%s"
                .formatted(precision - scale, exact ? " or, in a key, more than %d after it".formatted(scale) : "");
    }
}
