package tidemark.standin;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * DECIMAL(p,s): a JSON number or a string with one, exact; digits beyond the scale are cut silently, towards zero.
 * Shown with its full scale.
 */
final class DecimalCodec implements ValueCodec {
    private final int precision;
    private final int scale;
    private final BigDecimal greatest;

    DecimalCodec(SqlType.Decimal type) {
        precision = type.precision();
        scale = type.scale();
        greatest = BigDecimal.TEN.pow(precision).subtract(BigDecimal.ONE).movePointLeft(scale);
    }

    @Override
    public void transcode(JsonCursor in, ByteWriter out) {
        int next = in.peek();
        if (next == '"') {
            in.readString();
            if (in.isEscaped() || !putPlain(in.buffer(), in.rawStart(), in.rawEnd(), out)) {
                putExact(in, in.string(), out);
            }
        } else if (next == '-' || JsonCursor.isDigit(next)) {
            in.readNumber();
            if (!putPlain(in.buffer(), in.rawStart(), in.rawEnd(), out)) {
                putExact(in, in.number(), out);
            }
        } else {
            throw ValueCodec.mismatch(in, "a decimal number");
        }
    }

    /**
     * The common case, without arithmetic: {@code -12.5}, no leading zeros, surely in range and not rounded to zero.
     */
    private boolean putPlain(byte[] text, int start, int end, ByteWriter out) {
        int digits = start < end && text[start] == '-' ? start + 1 : start;
        int point = digits;
        while (point < end && JsonCursor.isDigit(text[point])) {
            point++;
        }
        int whole = point - digits;
        boolean plain =
                whole > 0 && whole <= precision - scale && (text[digits] != '0' || (whole == 1 && digits == start));
        int stop = point < end && text[point] == '.' ? point + 1 : point;
        while (stop < end && JsonCursor.isDigit(text[stop])) {
            stop++;
        }
        if (!plain || stop != end || point == end - 1) {
            return false;
        }
        out.put(text, start, point);
        putFraction(text, Math.min(point + 1, end), end, out);
        return true;
    }

    private void putFraction(byte[] text, int start, int end, ByteWriter out) {
        if (scale == 0) {
            return;
        }
        int kept = Math.min(end - start, scale);
        out.put('.');
        out.put(text, start, start + kept);
        for (int i = kept; i < scale; i++) {
            out.put('0');
        }
    }

    private void putExact(JsonCursor in, String text, ByteWriter out) {
        BigDecimal value = parse(in, text);
        BigDecimal kept = value.setScale(scale, RoundingMode.DOWN);
        if (kept.abs().compareTo(greatest) > 0) {
            String limit = greatest.toPlainString();
            throw new ValueRefused("decimal number " + plain(value) + " is outside the value range -" + limit + " to "
                    + limit + " (inclusive)");
        }
        out.put(kept.toPlainString());
    }

    private static BigDecimal parse(JsonCursor in, String text) {
        try {
            BigDecimal value = new BigDecimal(text);
            // Feldera's own arithmetic ends near 38 digits; an exponent may not make us write out a thousand zeros.
            if (value.signum() == 0 || Math.abs((long) value.precision() - value.scale()) <= 100) {
                return value;
            }
        } catch (NumberFormatException _) {
            // Reported below, in Feldera's words.
        }
        throw new ValueRefused(
                "invalid value: string " + ValueCodec.debugged(text) + ", expected a decimal number" + in.position());
    }

    static String plain(BigDecimal value) {
        return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
    }
}
