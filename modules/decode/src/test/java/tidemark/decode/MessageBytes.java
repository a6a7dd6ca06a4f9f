package tidemark.decode;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Bytes as PostgreSQL's pqformat.c puts them together: network byte order, NUL-terminated strings. */
final class MessageBytes {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    static MessageBytes of(char kind) {
        return new MessageBytes().int8(kind);
    }

    static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    MessageBytes int8(int value) {
        bytes.write(value);
        return this;
    }

    MessageBytes int16(int value) {
        return int8(value >> 8).int8(value);
    }

    MessageBytes int32(int value) {
        return int16(value >> 16).int16(value);
    }

    MessageBytes int64(long value) {
        return int32((int) (value >> 32)).int32((int) value);
    }

    MessageBytes lsn(Lsn lsn) {
        return int64(lsn.value());
    }

    MessageBytes text(String text) {
        return raw(text.getBytes(StandardCharsets.UTF_8)).int8(0);
    }

    /** Length and bytes of a value. */
    MessageBytes value(String text) {
        byte[] value = text.getBytes(StandardCharsets.UTF_8);
        return int32(value.length).raw(value);
    }

    MessageBytes raw(byte... raw) {
        return raw(raw, 0, raw.length);
    }

    MessageBytes raw(byte[] raw, int offset, int length) {
        bytes.write(raw, offset, length);
        return this;
    }

    byte[] toArray() {
        return bytes.toByteArray();
    }
}
