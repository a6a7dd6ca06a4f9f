package tidemark.standin;

/**
 * Reads a JSON number as serde_json does without its {@code float_roundtrip} feature: the leading digits that fit into
 * 64 bits as an integer, rounded once, then multiplied or divided by a power of ten, rounded again. The last bit of the
 * result may differ from the nearest double; the recorded Feldera shows it ({@code 123456789012345680000} came back as
 * {@code 1.2345678901234567e20}).
 */
final class SerdeNumber {
    private static final int POWERS = 308;
    private static final double[] POWER_OF_TEN = new double[POWERS + 1];
    private static final long MOST_TENTH = Long.divideUnsigned(-1L, 10);
    private static final long MOST_LAST = Long.remainderUnsigned(-1L, 10);

    static {
        for (int i = 0; i <= POWERS; i++) {
            POWER_OF_TEN[i] = Double.parseDouble("1e" + i);
        }
    }

    private final byte[] text;
    private final int end;
    private int at;
    private long significand;
    private long exponent;

    private SerdeNumber(byte[] text, int start, int end) {
        this.text = text;
        this.at = start;
        this.end = end;
    }

    /** The number in {@code text[start, end)}, which has a number's form; infinite when it is out of range. */
    static double parse(byte[] text, int start, int end) {
        boolean negative = text[start] == '-';
        double magnitude = new SerdeNumber(text, negative ? start + 1 : start, end).magnitude();
        return negative ? -magnitude : magnitude;
    }

    private double magnitude() {
        while (isDigit() && fits()) {
            take();
        }
        while (isDigit()) {
            at++;
            exponent++;
        }
        if (at < end && text[at] == '.') {
            at++;
            while (isDigit() && fits()) {
                take();
                exponent--;
            }
            while (isDigit()) {
                at++;
            }
        }
        if (at < end) {
            at++;
            exponent += writtenExponent();
        }
        return scaled();
    }

    private boolean isDigit() {
        return at < end && JsonCursor.isDigit(text[at]);
    }

    private boolean fits() {
        int order = Long.compareUnsigned(significand, MOST_TENTH);
        return order < 0 || (order == 0 && text[at] - '0' <= MOST_LAST);
    }

    private void take() {
        significand = significand * 10 + (text[at++] - '0');
    }

    private long writtenExponent() {
        boolean negative = text[at] == '-';
        if (negative || text[at] == '+') {
            at++;
        }
        long written = 0;
        for (; isDigit(); at++) {
            written = Math.min(written * 10 + (text[at] - '0'), Integer.MAX_VALUE);
        }
        return negative ? -written : written;
    }

    private double scaled() {
        double value = significand >= 0 ? significand : ((significand >>> 1) | (significand & 1)) * 2.0;
        long left = exponent;
        while (left < -POWERS && value != 0) {
            value /= POWER_OF_TEN[POWERS];
            left += POWERS;
        }
        if (value == 0) {
            return 0;
        }
        if (left > POWERS) {
            return Double.POSITIVE_INFINITY;
        }
        return left >= 0 ? value * POWER_OF_TEN[(int) left] : value / POWER_OF_TEN[(int) -left];
    }
}
