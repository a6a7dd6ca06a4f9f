package tidemark.delivery;

import java.util.Arrays;

/**
 * Takes the quotes and escapes off the parts of a value: the elements of an array, the fields of a composite, the keys
 * and values of an hstore. A part without an escape stays where it is.
 *
 * <p>In quotes all three escape with a backslash; a composite also doubles quotes (rowtypes.c). What two doubled quotes
 * would mean to the others they never print. Reused from value to value, so a part is read before the next is found.
 */
final class PartText {
    private static final byte[] NOTHING = {};
    private static final byte[] NULL = RowBytes.ascii("NULL");
    private static final int RETAINED_BYTES = 1 << 16;
    private static final int MALFORMED = -1;

    private byte[] text = NOTHING;
    private int start;
    private int length;
    /** Parts that had escapes, without them. */
    private byte[] plain = new byte[64];

    private int plainBytes;

    /**
     * Finds the part whose opening quote is at {@code open}.
     *
     * @return the position after its closing quote, negative if there is none before {@code end}
     */
    int quoted(byte[] source, int open, int end) {
        plainBytes = 0;
        boolean escaped = false;
        int from = open + 1;
        for (int at = from; at < end; at++) {
            byte one = source[at];
            if (one != '"' && one != '\\') continue;
            boolean doubled = at + 1 < end && source[at + 1] == '"';
            if (one == '"' && !doubled) {
                finish(source, from, at, escaped);
                return at + 1;
            }
            // The character after it stands for itself: the next run begins with it.
            append(source, from, at);
            escaped = true;
            from = ++at;
        }
        return MALFORMED;
    }

    private void finish(byte[] source, int from, int to, boolean escaped) {
        if (escaped) {
            append(source, from, to);
            set(plain, 0, plainBytes);
        } else {
            set(source, from, to - from);
        }
    }

    /**
     * Finds the part without quotes at {@code from}, which ends before either of two characters.
     *
     * @return its end, negative if neither comes before {@code end}
     */
    int bare(byte[] source, int from, int end, byte separator, byte closing) {
        int at = from;
        while (at < end && source[at] != separator && source[at] != closing) at++;
        set(source, from, at - from);
        return at < end ? at : MALFORMED;
    }

    /** Of a bare part of an array or an hstore: a NULL in quotes is text. */
    boolean isNull() {
        return length == NULL.length && Arrays.equals(text, start, start + length, NULL, 0, NULL.length);
    }

    /** Of a part in quotes, or of one without. */
    boolean is(byte[] word) {
        return length == word.length && Arrays.equals(text, start, start + length, word, 0, length);
    }

    /** Of a bare part of a composite: an empty text has quotes there. */
    boolean isEmpty() {
        return length == 0;
    }

    ValueEncoder.Fit write(ValueEncoder encoder, RowBytes out) {
        return encoder.write(text, start, length, out);
    }

    /** Gives back what a large value needed. */
    void release() {
        text = NOTHING;
        if (plain.length > RETAINED_BYTES) plain = new byte[64];
    }

    private void set(byte[] source, int from, int count) {
        text = source;
        start = from;
        length = count;
    }

    private void append(byte[] source, int from, int to) {
        int count = to - from;
        if (plain.length - plainBytes < count) {
            plain = Arrays.copyOf(plain, Math.max(2 * plain.length, plainBytes + count));
        }
        System.arraycopy(source, from, plain, plainBytes, count);
        plainBytes += count;
    }
}
