package tidemark.sink;

import io.helidon.common.buffers.BufferData;
import io.helidon.webclient.api.ClientConnection;
import io.helidon.webclient.api.ClientRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Sends the body of one POST from the caller's array: the length is known, nothing is copied.
 *
 * <p>Helidon copies whatever is written to the stream it hands out, and turns a second write into chunks. So the stream
 * gets the first byte and is closed, which sends the head with our Content-Length; the rest goes to the connection
 * itself, which writes it from the array (Http1CallOutputStreamChain of 4.3.0).
 */
final class Upload implements ClientRequest.OutputStreamHandler {
    private final ClientConnection connection;
    private final byte[] bytes;
    private final int length;
    private Optional<UncheckedIOException> broken = Optional.empty();

    Upload(ClientConnection connection, byte[] bytes, int length) {
        this.connection = connection;
        this.bytes = bytes;
        this.length = length;
    }

    int length() {
        return length;
    }

    @Override
    public void handle(OutputStream head) throws IOException {
        try {
            head.write(bytes, 0, 1);
            head.close();
            connection.writer().write(BufferData.createReadOnly(bytes, 1, length - 1));
            connection.writer().flush();
        } catch (UncheckedIOException e) {
            // Who refuses a request may answer and close without reading it all; that answer, if there is one, says
            // more.
            broken = Optional.of(e);
        }
    }

    /** An answer to half a request refuses it. It cannot have accepted it. */
    <T> FelderaHttp.Reply<T> unlessBroken(FelderaHttp.Reply<T> reply) {
        return switch (reply) {
            case FelderaHttp.Reply.Failed<T> refused -> refused;
            case FelderaHttp.Reply.Ok<T> accepted -> {
                broken.ifPresent(e -> {
                    throw e;
                });
                yield accepted;
            }
        };
    }
}
