package tidemark.decode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * How far one message has been read. Every read stays inside the message or is a {@link MalformedMessage}.
 *
 * <p>Integers are in network byte order, strings are UTF-8 (we pin {@code client_encoding}) and end with a NUL.
 * {@code start <= position <= end}, offsets into {@code buffer}; the offsets of failures count from {@code start}.
 * Reused from message to message; owned by the reading thread.
 */
final class MessageCursor {
    private static final VarHandle INT16 = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle INT32 = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle INT64 = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();

    /** Refuses what is not UTF-8 rather than replacing it: a name that we changed would be another name. */
    private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();

    private byte[] buffer = {};
    private int start;
    private int position;
    private int end;

    void open(byte[] buffer, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        this.buffer = buffer;
        this.start = offset;
        this.position = offset;
        this.end = offset + length;
    }

    byte[] buffer() {
        return buffer;
    }

    int position() {
        return position;
    }

    int remaining() {
        return end - position;
    }

    byte int8(String expectation) {
        return buffer[skip(Byte.BYTES, expectation)];
    }

    short int16(String expectation) {
        return (short) INT16.get(buffer, skip(Short.BYTES, expectation));
    }

    int int32(String expectation) {
        return (int) INT32.get(buffer, skip(Integer.BYTES, expectation));
    }

    long int64(String expectation) {
        return (long) INT64.get(buffer, skip(Long.BYTES, expectation));
    }

    Lsn lsn(String expectation) {
        return new Lsn(int64(expectation));
    }

    /** An Int32 length, and that many bytes after it: they exist, whatever was claimed. */
    int length(String expectation) {
        int at = position;
        int length = int32(expectation);
        if (length < 0 || length > remaining()) throw malformed(at, expectation);
        return length;
    }

    String text(String expectation) {
        int from = position;
        int nul = from;
        while (nul < end && buffer[nul] != 0) nul++;
        if (nul == end) throw malformed(from, expectation);
        position = nul + 1;
        try {
            return utf8.decode(ByteBuffer.wrap(buffer, from, nul - from)).toString();
        } catch (CharacterCodingException _) {
            throw malformed(from, expectation);
        }
    }

    /** Returns where the skipped bytes begin. */
    int skip(int bytes, String expectation) {
        int at = position;
        if (bytes > end - at) throw malformed(at, expectation);
        position = at + bytes;
        return at;
    }

    MalformedMessage malformed(int at, String expectation) {
        return new MalformedMessage(at - start, expectation);
    }
}
