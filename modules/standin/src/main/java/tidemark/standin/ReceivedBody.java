package tidemark.standin;

import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * A request's body as far as it came.
 *
 * @param complete false when the client left before the end of what it had announced
 */
record ReceivedBody(byte[] bytes, int length, boolean complete) {
    private static final int INITIAL = 64 * 1024;

    static ReceivedBody of(ServerRequest request) {
        return read(
                request.content().inputStream(),
                request.headers().contentLength().orElse(-1));
    }

    /** @param announced the Content-Length, or less than zero */
    private static ReceivedBody read(InputStream in, long announced) {
        byte[] bytes = new byte[announced < 0 ? INITIAL : Math.toIntExact(announced) + 1];
        int length = 0;
        try {
            while (true) {
                int read = in.read(bytes, length, bytes.length - length);
                if (read < 0) {
                    return new ReceivedBody(bytes, length, length >= announced);
                }
                length += read;
                if (length == bytes.length) {
                    bytes = Arrays.copyOf(bytes, bytes.length * 2);
                }
            }
        } catch (IOException | UncheckedIOException | DataReader.InsufficientDataAvailableException _) {
            return new ReceivedBody(bytes, length, false);
        }
    }
}
