package tidemark.decode;

import java.util.HexFormat;

/**
 * A position in PostgreSQL's write-ahead log, in bytes from its beginning; unsigned 64 bit.
 *
 * <p>Printed and parsed as PostgreSQL does: two hexadecimal halves with a slash between them, {@code 16/B374D848}.
 */
public record Lsn(long value) implements Comparable<Lsn> {
    /** Before every record. PostgreSQL calls it invalid: it says "no position" on the wire. */
    public static final Lsn ZERO = new Lsn(0);

    /**
     * @throws IllegalArgumentException unless {@code text} is {@code XXXXXXXX/XXXXXXXX}, one to eight hexadecimal
     *     digits each
     */
    public static Lsn parse(String text) {
        int slash = text.indexOf('/');
        int low = text.length() - slash - 1;
        if (slash < 1 || slash > 8 || low < 1 || low > 8) throw notAnLsn(text);
        try {
            return new Lsn(HexFormat.fromHexDigitsToLong(text, 0, slash) << 32
                    | HexFormat.fromHexDigitsToLong(text, slash + 1, text.length()));
        } catch (NumberFormatException _) {
            throw notAnLsn(text);
        }
    }

    private static IllegalArgumentException notAnLsn(String text) {
        return new IllegalArgumentException("'%s' is not an LSN such as 16/B374D848".formatted(text));
    }

    public boolean isAfter(Lsn other) {
        return compareTo(other) > 0;
    }

    public static Lsn later(Lsn a, Lsn b) {
        return a.isAfter(b) ? a : b;
    }

    /** Bytes of WAL from {@code earlier} to this position; 0 when this one is not after it. */
    public long bytesSince(Lsn earlier) {
        return isAfter(earlier) ? value - earlier.value : 0;
    }

    @Override
    public int compareTo(Lsn other) {
        return Long.compareUnsigned(value, other.value);
    }

    @Override
    public String toString() {
        return "%X/%X".formatted(value >>> 32, value & 0xFFFF_FFFFL);
    }
}
