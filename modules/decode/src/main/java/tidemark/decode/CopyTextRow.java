package tidemark.decode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Turns rows of one {@code COPY … TO STDOUT} in text format into tuples.
 *
 * <p>A row without escapes is read where it is. The first escape copies the row, to the same offsets, into a scratch
 * buffer in which escaped values then shrink in place: values read before it stay valid, and the caller's bytes stay as
 * they were. Nothing is allocated per value.
 *
 * <p>The tuple is valid until the next {@link #read}. Not thread safe; owned by the copying thread.
 *
 * <p>Source: PostgreSQL documentation, "COPY", "Text Format". COPY TO uses neither the octal nor the hexadecimal
 * escapes.
 */
public final class CopyTextRow {
    /**
     * A row beyond this is one in many: its copy is not kept, so that one huge value does not hold its memory for ever.
     */
    private static final int SCRATCH_KEPT_BYTES = 1 << 20;

    private static final byte VERTICAL_TAB = 0x0B;

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final long TABS = 0x0909_0909_0909_0909L;
    private static final long BACKSLASHES = 0x5C5C_5C5C_5C5C_5C5CL;
    private static final long NEWLINES = 0x0A0A_0A0A_0A0A_0A0AL;

    private final int columns;
    private final ReusedTuple tuple = new ReusedTuple();
    private byte[] scratch = {};
    private byte[] bytes = {};
    /** {@code bytes} is the caller's, not to be written. */
    private boolean inPlace;
    /** Where the row's newline is. */
    private int end;

    /** @param columns how many columns every row has: as many as the COPY command names */
    public CopyTextRow(int columns) {
        if (columns < 0 || columns > ReusedTuple.COLUMNS_MAX)
            throw new IllegalArgumentException("a row cannot have %d columns".formatted(columns));
        this.columns = columns;
    }

    /**
     * Reads one row as the server sent it, its newline included.
     *
     * @throws MalformedMessage for anything that is not exactly one row of as many columns
     */
    public Tuple read(byte[] row) {
        bytes = row;
        inPlace = true;
        end = row.length - 1;
        if (end < 0 || row[end] != '\n') throw new MalformedMessage(row.length, "a newline after the row");
        tuple.begin(row, columns);
        if (columns > 0) readColumns();
        else if (end > 0) throw new MalformedMessage(0, "a row without columns");
        return tuple;
    }

    private void readColumns() {
        int at = readColumn(0);
        while (at < end) at = readColumn(at + 1);
        if (tuple.size() < columns) throw new MalformedMessage(end, "a row of %d columns".formatted(columns));
    }

    /** Returns where the column ends: at a tab, or at the row's newline. */
    private int readColumn(int start) {
        if (tuple.size() == columns)
            throw new MalformedMessage(start, "the end of a row of %d columns".formatted(columns));
        int at = plainEnd(start);
        if (bytes[at] != '\\') {
            tuple.addText(start, at - start);
            return at;
        }
        if (at == start && isNull(start)) {
            tuple.addNull();
            return start + 2;
        }
        return readEscaped(start, at);
    }

    /**
     * The first byte from {@code at} on that ends a column or begins an escape: eight at a time, as far as there are.
     */
    private int plainEnd(int at) {
        byte[] row = bytes;
        int next = at;
        for (int lastWord = row.length - Long.BYTES; next <= lastWord; next += Long.BYTES) {
            long special = special((long) WORDS.get(row, next));
            if (special != 0) return requireEscaped(next + (Long.numberOfTrailingZeros(special) >>> 3));
        }
        while (row[next] != '\t' && row[next] != '\\' && row[next] != '\n') next++;
        return requireEscaped(next);
    }

    private int requireEscaped(int at) {
        if (bytes[at] == '\n' && at < end) throw new MalformedMessage(at, "newlines of values escaped");
        return at;
    }

    /** The high bit of every tab, backslash and newline; exact up to the first of them. */
    private static long special(long word) {
        return (zeros(word ^ TABS) | zeros(word ^ BACKSLASHES) | zeros(word ^ NEWLINES)) & 0x8080_8080_8080_8080L;
    }

    private static long zeros(long word) {
        return (word - 0x0101_0101_0101_0101L) & ~word;
    }

    /** {@code \N} is NULL when it is the whole column; only then. */
    private boolean isNull(int start) {
        int after = start + 2;
        return after <= end && bytes[start + 1] == 'N' && (after == end || bytes[after] == '\t');
    }

    private int readEscaped(int start, int firstEscape) {
        moveToScratch();
        int at = firstEscape;
        int written = firstEscape;
        while (bytes[at] != '\t' && at < end) {
            if (bytes[at] == '\\') {
                at = unescape(at + 1, written++);
            } else {
                int plainEnd = plainEnd(at);
                System.arraycopy(bytes, at, bytes, written, plainEnd - at);
                written += plainEnd - at;
                at = plainEnd;
            }
        }
        tuple.addText(start, written - start);
        return at;
    }

    private void moveToScratch() {
        if (!inPlace) return;
        int length = end + 1;
        byte[] copy = length <= scratch.length ? scratch : new byte[length];
        if (length <= SCRATCH_KEPT_BYTES) scratch = copy;
        System.arraycopy(bytes, 0, copy, 0, length);
        bytes = copy;
        inPlace = false;
        tuple.moveTo(copy);
    }

    /** Writes what the escape stands for and returns where the escape ends. {@code at} is just after the backslash. */
    private int unescape(int at, int written) {
        if (at == end) throw new MalformedMessage(at, "a character after the backslash");
        byte escaped = bytes[at];
        return switch (escaped) {
            case 'b' -> put(written, '\b', at + 1);
            case 'f' -> put(written, '\f', at + 1);
            case 'n' -> put(written, '\n', at + 1);
            case 'r' -> put(written, '\r', at + 1);
            case 't' -> put(written, '\t', at + 1);
            case 'v' -> put(written, VERTICAL_TAB, at + 1);
            case 'x' -> digit(at + 1, 16) < 0 ? put(written, 'x', at + 1) : putNumber(written, at + 1, 16, 2);
            case '0', '1', '2', '3', '4', '5', '6', '7' -> putNumber(written, at, 8, 3);
            // Protocol 3 ends a copy with CopyDone: here the marker can only be damage.
            case '.' -> throw new MalformedMessage(at, "a row, not the end-of-data marker");
            default -> put(written, escaped, at + 1);
        };
    }

    private int put(int written, int value, int next) {
        bytes[written] = (byte) value;
        return next;
    }

    private int putNumber(int written, int from, int radix, int digitsMax) {
        int value = 0;
        int at = from;
        while (at < from + digitsMax && digit(at, radix) >= 0) value = value * radix + digit(at++, radix);
        return put(written, value, at);
    }

    /** The row's newline, which is no digit, ends every number. */
    private int digit(int at, int radix) {
        return Character.digit(bytes[at], radix);
    }
}
