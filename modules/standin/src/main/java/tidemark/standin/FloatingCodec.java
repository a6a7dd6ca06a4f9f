package tidemark.standin;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.Predicate;

/**
 * REAL and DOUBLE: JSON numbers only. DOUBLE refuses what overflows, REAL stores infinity silently, which
 * {@code /query} shows as null.
 */
enum FloatingCodec implements ValueCodec {
    REAL {
        @Override
        public void transcode(JsonCursor in, ByteWriter out) {
            requireNumber(in, "f32");
            float value = (float) SerdeNumber.parse(in.buffer(), in.rawStart(), in.rawEnd());
            out.put(
                    Float.isInfinite(value)
                            ? "null"
                            : shown(Float.toString(value), digit -> Float.parseFloat(digit) == value));
        }
    },
    DOUBLE {
        @Override
        public void transcode(JsonCursor in, ByteWriter out) {
            requireNumber(in, "f64");
            double value = SerdeNumber.parse(in.buffer(), in.rawStart(), in.rawEnd());
            if (Double.isInfinite(value)) {
                throw new ValueRefused("number out of range" + in.position());
            }
            out.put(shown(Double.toString(value), digit -> Double.parseDouble(digit) == value));
        }
    };

    /** Decimal exponents outside of these are written with an {@code e} (lexical-core's defaults, which Arrow uses). */
    private static final int EXPONENT_LEAST = -5;

    private static final int EXPONENT_GREATEST = 9;

    private static void requireNumber(JsonCursor in, String expected) {
        int next = in.peek();
        if (next != '-' && !JsonCursor.isDigit(next)) {
            throw ValueCodec.mismatch(in, expected);
        }
        in.readNumber();
    }

    /**
     * Java's shortest text, as Arrow's JSON writer lays it out: {@code 0.1}, {@code 16777216.0}, {@code 5.0e-324}. Java
     * writes two digits at least, so one that is enough is looked for.
     */
    private static String shown(String javaText, Predicate<String> readsBack) {
        if (javaText.indexOf('E') < 0) {
            return javaText; // between 1e-3 and 1e7 both write plain digits
        }
        BigDecimal value = new BigDecimal(javaText).stripTrailingZeros();
        if (value.precision() == 2) {
            BigDecimal shorter = value.round(new MathContext(1, RoundingMode.HALF_UP));
            value = readsBack.test(shorter.toString()) ? shorter.stripTrailingZeros() : value;
        }
        int exponent = value.precision() - value.scale() - 1;
        if (exponent >= EXPONENT_LEAST && exponent <= EXPONENT_GREATEST) {
            String plain = value.toPlainString();
            return plain.indexOf('.') < 0 ? plain + ".0" : plain;
        }
        String digits = value.unscaledValue().abs().toString();
        String fraction = digits.length() == 1 ? "0" : digits.substring(1);
        return (value.signum() < 0 ? "-" : "") + digits.charAt(0) + '.' + fraction + 'e' + exponent;
    }

    /** Rust's {@code {}} of a double in error texts, with a fraction always. */
    static String rustText(double value) {
        String plain = new BigDecimal(Double.toString(Double.isInfinite(value) ? Double.MAX_VALUE : value))
                .stripTrailingZeros()
                .toPlainString();
        return plain.indexOf('.') < 0 ? plain + ".0" : plain;
    }
}
