package tidemark.delivery;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
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
    /** Of an integer of 64 bits. */
    private static final int MOST_DIGITS = 20;
    /** To neighbours of a double, more than two roundings are off by. */
    private static final int STEPS = 8;

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

    /**
     * Of all powers of ten that an integer of up to 64 bits can be multiplied by to come near the value, the integers
     * around the right one: the value was once read from one of these.
     */
    private static Stream<String> spellingsNear(double value) {
        BigDecimal magnitude = new BigDecimal(Math.abs(value));
        int digits = magnitude.precision() - magnitude.scale();
        return IntStream.range(digits - MOST_DIGITS, digits)
                .boxed()
                .flatMap(power -> significands(magnitude.scaleByPowerOfTen(-power))
                        .map(significand -> (value < 0 ? "-" : "") + significand + "e" + power));
    }

    /** Such as are doubles themselves, so that each one around is met. */
    private static Stream<BigInteger> significands(BigDecimal exact) {
        double nearest = exact.setScale(0, RoundingMode.HALF_EVEN).doubleValue();
        BigInteger step = new BigDecimal(Math.max(1, Math.ulp(nearest))).toBigInteger();
        return IntStream.rangeClosed(-STEPS, STEPS)
                .mapToObj(steps -> new BigDecimal(nearest).toBigInteger().add(step.multiply(BigInteger.valueOf(steps))))
                .filter(significand -> significand.signum() > 0 && significand.bitLength() <= Long.SIZE);
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
