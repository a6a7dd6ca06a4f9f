package tidemark.standin;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/**
 * VARIANT: any JSON. Kept without white space, keys sorted, the last of equal keys, numbers exact; shown as a string
 * that holds JSON text.
 */
final class VariantCodec implements ValueCodec {
    /** Feldera keeps numbers of a VARIANT as decimals of at most this many digits. */
    private static final int DIGITS_MAX = 38;

    private static final MathContext KEPT = new MathContext(DIGITS_MAX, RoundingMode.HALF_EVEN);
    /**
     * The significand is an i128, so beyond 38 digits there are some of 39: 1e38 (tests of
     * crates/fxp/src/serde_impl.rs).
     */
    private static final BigDecimal GREATEST =
            new BigDecimal(BigInteger.TWO.pow(127).subtract(BigInteger.ONE));
    /** The exponent is one byte. */
    private static final int SCALE_MAX = 255;

    @Override
    public void transcode(JsonCursor in, ByteWriter out) {
        var canonical = new ByteWriter(64);
        write(in, canonical);
        out.putJsonString(canonical.buffer(), 0, canonical.length());
    }

    private static void write(JsonCursor in, ByteWriter out) {
        switch (in.peek()) {
            case '{' -> writeObject(in, out);
            case '[' -> {
                out.put('[');
                in.enterArray();
                for (boolean first = true; in.nextElement(first); first = false) {
                    if (!first) {
                        out.put(',');
                    }
                    write(in, out);
                }
                out.put(']');
            }
            case '"' -> {
                in.readString();
                ByteWriter text = in.decodeString();
                out.putJsonString(text.buffer(), 0, text.length());
            }
            case 't', 'f' -> out.put(in.takeBoolean() ? "true" : "false");
            case 'n' -> {
                in.skipValue();
                out.putNull();
            }
            default -> {
                in.skipValue();
                out.put(number(in));
            }
        }
    }

    private static void writeObject(JsonCursor in, ByteWriter out) {
        var members = new TreeMap<String, byte[]>();
        in.enterObject();
        for (boolean first = true; in.nextKey(first); first = false) {
            String key = in.string();
            in.enterValue();
            var value = new ByteWriter(16);
            write(in, value);
            members.put(key, value.copy());
        }
        out.put('{');
        boolean first = true;
        for (var member : members.entrySet()) {
            if (!first) {
                out.put(',');
            }
            first = false;
            byte[] key = member.getKey().getBytes(StandardCharsets.UTF_8);
            out.putJsonString(key, 0, key.length);
            out.put(':');
            out.put(member.getValue());
        }
        out.put('}');
    }

    /**
     * Too many digits before the point are refused (1e400 measured); further ones are rounded, half to even, and what
     * is below the smallest is zero (crates/fxp/src/dynamic.rs, read and not measured).
     */
    private static String number(JsonCursor in) {
        BigDecimal value = new BigDecimal(in.number()).round(KEPT);
        BigDecimal stripped = value.stripTrailingZeros();
        if (value.signum() == 0 || stripped.scale() > SCALE_MAX) {
            return "0";
        }
        if (stripped.abs().compareTo(GREATEST) > 0) {
            throw new ValueRefused("invalid value: string " + ValueCodec.debugged(in.number())
                    + ", expected a decimal number" + in.position());
        }
        return stripped.toPlainString();
    }
}
