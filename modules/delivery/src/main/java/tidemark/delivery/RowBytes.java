package tidemark.delivery;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tidemark.sink.FelderaName;
import tidemark.sink.TableBody;

/**
 * The body of one POST while it grows: a JSON array of operations, {@code [op,op,…]}, in UTF-8. Reused from batch to
 * batch, so that no value and no row costs an object.
 *
 * <p>Invariant: after every whole operation the bytes and one closing bracket are exactly one JSON array.
 * {@link #rollback} to a {@link #mark} takes back everything written since, commas and count included. Holds its
 * largest body up to the bytes it was told to retain; more is given back by {@link #clear()}.
 *
 * <p>Not thread safe: owned by whoever encodes, and left alone from {@link #body} until the reply.
 */
final class RowBytes {
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final byte[] HEX = ascii("0123456789abcdef");
    private static final byte[] QUOTE = ascii("\\\"");
    private static final byte[] BACKSLASH = ascii("\\\\");
    private static final byte[] LINE_FEED = ascii("\\n");
    private static final byte[] CARRIAGE_RETURN = ascii("\\r");
    private static final byte[] TAB = ascii("\\t");
    private static final byte[] CONTROL = ascii("\\u00");
    private static final int INITIAL_BYTES = 8192;
    /** Of a body without operations: its bracket. */
    static final long EMPTY_MARK = 1;

    /** What every JVM can allocate as one array. */
    private static final int LARGEST_BYTES = Integer.MAX_VALUE - 8;

    private final int retainBytes;
    private byte[] bytes = new byte[INITIAL_BYTES];
    /** Of the opening bracket and the operations; there is always room for the closing bracket. */
    private int length = (int) EMPTY_MARK;

    private int operations;

    RowBytes(int retainBytes) {
        this.retainBytes = Math.max(retainBytes, INITIAL_BYTES);
        bytes[0] = '[';
    }

    /** Starts one element of the array and counts it as one operation. */
    void beginOperation(byte[] head) {
        if (operations++ > 0) put((byte) ',');
        put(head);
    }

    void put(byte one) {
        reserve(1);
        bytes[length++] = one;
    }

    void put(byte[] all) {
        put(all, 0, all.length);
    }

    void put(byte[] source, int start, int count) {
        reserve(count);
        System.arraycopy(source, start, bytes, length, count);
        length += count;
    }

    /** {@code source[start, start + count)}, which needs no escape, as a JSON string. */
    void putQuoted(byte[] source, int start, int count) {
        reserve(count + 2);
        bytes[length] = '"';
        System.arraycopy(source, start, bytes, length + 1, count);
        bytes[length + 1 + count] = '"';
        length += count + 2;
    }

    /** An unsigned byte in decimal. */
    void putDecimal(int unsignedByte) {
        reserve(3);
        if (unsignedByte >= 100) bytes[length++] = (byte) ('0' + unsignedByte / 100);
        if (unsignedByte >= 10) bytes[length++] = (byte) ('0' + unsignedByte / 10 % 10);
        bytes[length++] = (byte) ('0' + unsignedByte % 10);
    }

    /**
     * UTF-8 text as a JSON string, escaped where JSON asks for it, eight bytes at a time where it does not.
     *
     * @return false if the text is not UTF-8; what was written of it is for the caller to roll back
     */
    boolean putText(byte[] source, int start, int count) {
        reserve(count + 2 + Long.BYTES);
        bytes[length++] = '"';
        int end = start + count;
        int lastWord = source.length - Long.BYTES;
        int next = start;
        while (next < end) {
            if (next <= lastWord) {
                long word = (long) WORDS.get(source, next);
                // All eight are written and only the plain ones in front are kept: cheaper than a loop over them.
                WORDS.set(bytes, length, word);
                int plain = Math.min(end - next, Long.numberOfTrailingZeros(special(word)) >>> 3);
                length += plain;
                next += plain;
                if (plain == Long.BYTES || next == end) continue;
            }
            byte one = source[next];
            if (one < 0) {
                int sequence = sequenceBytes(source, next, end);
                if (sequence == 0) return false;
                for (int i = 0; i < sequence; i++) bytes[length++] = source[next++];
            } else {
                next++;
                if (one >= 0x20 && one != '"' && one != '\\') {
                    bytes[length++] = one;
                } else {
                    escape(one);
                    reserve(end - next + 1 + Long.BYTES);
                }
            }
        }
        bytes[length++] = '"';
        return true;
    }

    /**
     * The high bit of every byte that JSON or UTF-8 has a say about; 0 for eight plain ones. Exact up to the first such
     * byte.
     */
    private static long special(long word) {
        long quote = word ^ 0x2222_2222_2222_2222L;
        long backslash = word ^ 0x5C5C_5C5C_5C5C_5C5CL;
        long below = ((word - 0x2020_2020_2020_2020L) & ~word)
                | ((quote - 0x0101_0101_0101_0101L) & ~quote)
                | ((backslash - 0x0101_0101_0101_0101L) & ~backslash);
        return (below | word) & 0x8080_8080_8080_8080L;
    }

    private void escape(byte one) {
        switch (one) {
            case '"' -> put(QUOTE);
            case '\\' -> put(BACKSLASH);
            case '\n' -> put(LINE_FEED);
            case '\r' -> put(CARRIAGE_RETURN);
            case '\t' -> put(TAB);
            default -> {
                put(CONTROL);
                put(HEX[one >> 4]);
                put(HEX[one & 15]);
            }
        }
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Length of the UTF-8 sequence at {@code start}, 0 if there is none (Unicode standard, table 3-7). */
    static int sequenceBytes(byte[] source, int start, int end) {
        int first = source[start] & 0xFF;
        int size = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
        if (size == 0 || start + size > end) return 0;
        for (int i = 1; i < size; i++) {
            if ((source[start + i] & 0xC0) != 0x80) return 0;
        }
        int second = source[start + 1] & 0xFF;
        boolean overlongOrSurrogateOrTooHigh = switch (first) {
            case 0xE0 -> second < 0xA0;
            case 0xED -> second > 0x9F;
            case 0xF0 -> second < 0x90;
            case 0xF4 -> second > 0x8F;
            default -> false;
        };
        return overlongOrSurrogateOrTooHigh ? 0 : size;
    }

    /** Where the body stands now, for {@link #rollback}. */
    long mark() {
        return (long) operations << Integer.SIZE | length;
    }

    void rollback(long mark) {
        operations = (int) (mark >> Integer.SIZE);
        length = (int) mark;
    }

    /** Bytes written since {@code mark}. */
    int bytesSince(long mark) {
        return length - (int) mark;
    }

    /** What it holds on to, whatever it contains. */
    int capacity() {
        return bytes.length;
    }

    int operations() {
        return operations;
    }

    /** Bytes of the body, both brackets included. */
    int length() {
        return length + 1;
    }

    /** The body in {@code [0, length())}; not a copy. */
    byte[] array() {
        bytes[length] = ']';
        return bytes;
    }

    TableBody body(FelderaName table) {
        return new TableBody(table, array(), length());
    }

    void clear() {
        if (bytes.length > 2L * retainBytes) {
            bytes = new byte[INITIAL_BYTES];
            bytes[0] = '[';
        }
        rollback(EMPTY_MARK);
    }

    private void reserve(int more) {
        if (bytes.length - length <= more) grow(more);
    }

    private void grow(int more) {
        long needed = (long) length + more + 1;
        if (needed > LARGEST_BYTES) {
            throw new IllegalStateException("a body of %d bytes does not fit into one array".formatted(needed));
        }
        bytes = Arrays.copyOf(bytes, (int) Math.min(LARGEST_BYTES, Math.max(needed, 2L * bytes.length)));
    }
}
