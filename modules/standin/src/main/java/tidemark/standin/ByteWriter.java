package tidemark.standin;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes being written: grows, is cleared and used again. One owner at a time. */
final class ByteWriter {
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private byte[] bytes;
    private int length;

    ByteWriter(int capacity) {
        bytes = new byte[capacity];
    }

    int length() {
        return length;
    }

    /** The buffer itself, of which the first {@link #length()} bytes count. */
    byte[] buffer() {
        return bytes;
    }

    void clear() {
        length = 0;
    }

    void truncate(int to) {
        length = to;
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    void put(int one) {
        reserve(1);
        bytes[length++] = (byte) one;
    }

    void put(byte[] from, int start, int end) {
        reserve(end - start);
        System.arraycopy(from, start, bytes, length, end - start);
        length += end - start;
    }

    void put(byte[] all) {
        put(all, 0, all.length);
    }

    void put(String text) {
        put(text.getBytes(StandardCharsets.UTF_8));
    }

    void putNull() {
        put(new byte[] {'n', 'u', 'l', 'l'});
    }

    /** Two lower-case hexadecimal digits. */
    void putHex(int octet) {
        put(HEX[(octet >> 4) & 15]);
        put(HEX[octet & 15]);
    }

    /** At least {@code width} decimal digits. */
    void putDigits(int number, int width) {
        int scale = 1;
        for (int i = 1; i < width; i++) {
            scale *= 10;
        }
        for (int rest = number; scale > 0; scale /= 10) {
            put('0' + rest / scale);
            rest %= scale;
        }
    }

    /** The UTF-8 text {@code from[start, end)} as a JSON string, escaped as serde_json does. */
    void putJsonString(byte[] from, int start, int end) {
        put('"');
        for (int i = start; i < end; i++) {
            putEscaped(from[i]);
        }
        put('"');
    }

    private void putEscaped(byte one) {
        switch (one) {
            case '"' -> put(new byte[] {'\\', '"'});
            case '\\' -> put(new byte[] {'\\', '\\'});
            case '\n' -> put(new byte[] {'\\', 'n'});
            case '\r' -> put(new byte[] {'\\', 'r'});
            case '\t' -> put(new byte[] {'\\', 't'});
            case '\b' -> put(new byte[] {'\\', 'b'});
            case '\f' -> put(new byte[] {'\\', 'f'});
            default -> {
                if (one >= 0 && one < 0x20) {
                    put(new byte[] {'\\', 'u', '0', '0'});
                    putHex(one);
                } else {
                    put(one);
                }
            }
        }
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
