package tidemark.standin;

import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/** A request's body, or a piece of it, as far as it came. */
record ReceivedBody(byte[] bytes, int length, Rest rest) {
    /** What comes after a piece. */
    enum Rest {
        FOLLOWS,
        NONE,
        /** The client left before the end of what it had announced. */
        MISSING
    }

    private static final int INITIAL = 64 * 1024;

    /** All of it. */
    static ReceivedBody of(ServerRequest request) {
        InputStream in = request.content().inputStream();
        long announced = announced(request);
        byte[] bytes = new byte[announced < 0 ? INITIAL : Math.toIntExact(announced) + 1];
        int length = 0;
        while (true) {
            int read = read(in, bytes, length);
            if (read < 0) {
                return new ReceivedBody(bytes, length, read == END && length >= announced ? Rest.NONE : Rest.MISSING);
            }
            length += read;
            if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, bytes.length * 2);
            }
        }
    }

    /** The Content-Length, or less than zero. */
    static long announced(ServerRequest request) {
        return request.headers().contentLength().orElse(-1);
    }

    static final int END = -1;
    static final int BROKEN = -2;

    /** How many bytes came, {@link #END}, or {@link #BROKEN}. */
    static int read(InputStream in, byte[] into, int from) {
        try {
            return in.read(into, from, into.length - from);
        } catch (IOException | UncheckedIOException | DataReader.InsufficientDataAvailableException _) {
            return BROKEN;
        }
    }
}
