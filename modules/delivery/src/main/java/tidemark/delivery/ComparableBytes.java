package tidemark.delivery;

import java.util.Arrays;

/** Values in the form of {@link ComparableForm}, one after the other. Holds on to its largest content. */
final class ComparableBytes {
    private byte[] bytes = new byte[1024];
    private int length;

    void clear() {
        length = 0;
    }

    /** Takes back what was put since. */
    void truncate(int to) {
        length = to;
    }

    void put(int one) {
        reserve(1);
        bytes[length++] = (byte) one;
    }

    void put(byte[] source, int start, int count) {
        reserve(count);
        System.arraycopy(source, start, bytes, length, count);
        length += count;
    }

    /** Eight bytes, the highest first. */
    void putLong(long value) {
        reserve(Long.BYTES);
        for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE)
            bytes[length++] = (byte) (value >> shift);
    }

    /** Its length and itself, so that what follows cannot be taken for a part of it. */
    void putMeasured(byte[] source, int start, int count) {
        putLong(count);
        put(source, start, count);
    }

    /** Begins a part that may be anything; what it returns is for {@link #endPart}, which puts its length before it. */
    int beginPart() {
        putLong(0);
        return length;
    }

    void endPart(int begin) {
        int end = length;
        length = begin - Long.BYTES;
        putLong(end - begin);
        length = end;
    }

    /** The length that stands before a part which begins at {@code start}. */
    static int measured(byte[] bytes, int start) {
        long measured = 0;
        for (int i = start - Long.BYTES; i < start; i++) measured = measured << Byte.SIZE | (bytes[i] & 0xFF);
        return Math.toIntExact(measured);
    }

    void putUtf8(int codePoint) {
        if (codePoint < 0x80) {
            put(codePoint);
        } else if (codePoint < 0x800) {
            put(0xC0 | (codePoint >> 6));
            put(0x80 | (codePoint & 0x3F));
        } else if (codePoint < 0x10000) {
            put(0xE0 | (codePoint >> 12));
            put(0x80 | ((codePoint >> 6) & 0x3F));
            put(0x80 | (codePoint & 0x3F));
        } else {
            put(0xF0 | (codePoint >> 18));
            put(0x80 | ((codePoint >> 12) & 0x3F));
            put(0x80 | ((codePoint >> 6) & 0x3F));
            put(0x80 | (codePoint & 0x3F));
        }
    }

    int length() {
        return length;
    }

    /** Valid in {@code [0, length())}, until the next put; not a copy. */
    byte[] array() {
        return bytes;
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    private void reserve(int more) {
        if (more > bytes.length - length) bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
    }
}
