package tidemark.delivery;

import java.nio.charset.StandardCharsets;

/**
 * REAL and DOUBLE by value, as bits that sort like numbers; -0 is 0. Two DOUBLEs that are a few neighbours apart count
 * as one: no better does Feldera read a JSON number of more than 15 digits ({@link ColumnEncoding#LAST_BITS}).
 */
record FloatForm(boolean single) implements ComparableForm {
    /**
     * What three roundings can add up to: of the digits, of the power of ten, of their product. Two numbers of up to 15
     * digits are at least four apart: 1e-15 of their value, where neighbours are at most 2.3e-16.
     */
    private static final int UNITS_LOST = 3;

    @Override
    public void putValue(JsonCursor in, Wording wording, ComparableBytes out) {
        int start = in.number();
        String text = new String(in.bytes(), start, in.at() - start, StandardCharsets.ISO_8859_1);
        double value = parsed(text);
        // Feldera reads a double and makes a float of it (serde).
        long bits = Double.doubleToLongBits((single ? (float) value : value) + 0.0);
        out.putLong(bits ^ ((bits >> (Long.SIZE - 1)) | Long.MIN_VALUE));
    }

    private static double parsed(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException _) {
            throw new UnreadableValue("a number");
        }
    }

    @Override
    public boolean isSame(byte[] a, int aStart, int aEnd, byte[] b, int bStart, int bEnd) {
        if (ComparableForm.super.isSame(a, aStart, aEnd, b, bStart, bEnd)) return true;
        if (single || a[aStart] == NULL || b[bStart] == NULL) return false;
        return Math.abs(bits(a, aStart + 1) - bits(b, bStart + 1)) <= UNITS_LOST;
    }

    private static long bits(byte[] bytes, int start) {
        long bits = 0;
        for (int i = start; i < start + Long.BYTES; i++) bits = bits << Byte.SIZE | (bytes[i] & 0xFF);
        return bits;
    }

    @Override
    public boolean isSortable() {
        return true;
    }
}
