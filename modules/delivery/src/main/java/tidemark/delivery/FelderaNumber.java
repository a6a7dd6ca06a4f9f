package tidemark.delivery;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How Feldera reads a JSON number for REAL and DOUBLE, which is not always as the nearest one
 * ({@link ColumnEncoding#LAST_BITS}): serde_json without its {@code float_roundtrip} takes the leading digits that fit
 * into 64 bits as an integer, rounded once, and multiplies or divides it by a power of ten, rounded again. What it
 * prints of a value is the shortest number that is nearest to it, and so need not read back as the value.
 */
final class FelderaNumber {
    private static final int POWERS = 308;
    private static final double[] POWER_OF_TEN = IntStream.rangeClosed(0, POWERS)
            .mapToDouble(power -> Double.parseDouble("1e" + power))
            .toArray();
    private static final long MOST_TENTH = Long.divideUnsigned(-1L, 10);
    private static final long MOST_LAST = Long.remainderUnsigned(-1L, 10);
    /** Of the last place: what two roundings are off by, in quarters. */
    private static final int QUARTERS = 16;

    private final String text;
    private int at;
    private long significand;
    private long exponent;

    private FelderaNumber(String magnitude) {
        this.text = magnitude;
    }

    /** The value that Feldera makes of a JSON number for DOUBLE; infinite when it refuses it. */
    static double read(String number) {
        boolean negative = number.startsWith("-");
        double magnitude = new FelderaNumber(negative ? number.substring(1) : number).magnitude();
        return negative ? -magnitude : magnitude;
    }

    /** A JSON number that Feldera reads as the value which it printed so, if one is found. */
    static Optional<String> spelling(String printed, boolean single) {
        double value = single ? Float.parseFloat(printed) : Double.parseDouble(printed);
        DoublePredicate same = single
                ? read -> Float.floatToIntBits((float) read) == Float.floatToIntBits((float) value)
                : read -> Double.doubleToLongBits(read) == Double.doubleToLongBits(value);
        if (same.test(read(printed))) return Optional.of(printed);
        return spellingsNear(value)
                .filter(spelling -> same.test(read(spelling)))
                .findFirst();
    }

    /** Of numbers around the value: the value was once read from one of them. */
    private static Stream<String> spellingsNear(double value) {
        BigDecimal quarter = new BigDecimal(Math.ulp(value)).divide(BigDecimal.valueOf(4));
        return IntStream.rangeClosed(0, 2 * QUARTERS)
                .mapToObj(i -> BigDecimal.valueOf(i % 2 == 0 ? i / 2 : -(i + 1) / 2))
                .map(quarters -> new BigDecimal(value).add(quarter.multiply(quarters)))
                .flatMap(near -> IntStream.of(17, 18, 19, 16, 15)
                        .mapToObj(digits -> near.round(new MathContext(digits)).toString()));
    }

    private double magnitude() {
        while (isDigit() && fits()) take();
        for (; isDigit(); at++) exponent++;
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            for (; isDigit() && fits(); exponent--) take();
            while (isDigit()) at++;
        }
        if (at < text.length()) exponent += Long.parseLong(text.substring(at + 1));
        return scaled();
    }

    private boolean isDigit() {
        return at < text.length() && CalendarText.isDigit((byte) text.charAt(at));
    }

    private boolean fits() {
        int order = Long.compareUnsigned(significand, MOST_TENTH);
        return order < 0 || (order == 0 && text.charAt(at) - '0' <= MOST_LAST);
    }

    private void take() {
        significand = significand * 10 + (text.charAt(at++) - '0');
    }

    private double scaled() {
        double value = significand >= 0 ? significand : ((significand >>> 1) | (significand & 1)) * 2.0;
        long left = exponent;
        for (; left < -POWERS && value != 0; left += POWERS) value /= POWER_OF_TEN[POWERS];
        if (value == 0) return 0;
        if (left > POWERS) return Double.POSITIVE_INFINITY;
        return left >= 0 ? value * POWER_OF_TEN[(int) left] : value / POWER_OF_TEN[(int) -left];
    }
}
