package tidemark.sink;

import io.helidon.webclient.http1.Http1ClientResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * The rows of one query as they arrive, in memory of one network buffer and the widest row. One thread uses it at a
 * time.
 *
 * <p>Feldera reports an error at run time as one more object after HTTP 200 and any number of good rows,
 * {@code {"error":"…"}}, with or without a line break before it (feldera.md §4). A row whose only column is a string
 * named {@code error} looks the same, so an object of that shape is always a failure: a query that wants such a column
 * gives it another name. A stream that ends before its HTTP body does, or inside a row, is a failure too; what was
 * returned before it is not the whole result.
 */
public final class QueryRows implements AutoCloseable {
    private static final byte[] ERROR = "{\"error\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Http1ClientResponse response;
    private final InputStream body;
    private final Duration readTimeout;

    private byte[] buffer = new byte[BUFFER_BYTES];
    private int start;
    private int filled;

    QueryRows(Http1ClientResponse response, Duration readTimeout) {
        this.response = response;
        this.body = response.inputStream();
        this.readTimeout = readTimeout;
    }

    /**
     * One row as Feldera wrote it, a JSON object, or nothing after the last.
     *
     * @throws SinkFailure when the query failed or the stream broke
     */
    public Optional<byte[]> next() {
        JsonObjectEnd end = new JsonObjectEnd();
        int scanned = start;
        while (true) {
            for (; scanned < filled; scanned++) {
                if (end.isAt(buffer[scanned])) return Optional.of(row(scanned + 1, end));
                if (!end.begun()) skip(scanned);
            }
            int before = start;
            if (!fill()) {
                if (end.begun())
                    throw failure(ReplyProblem.undocumented("query", 200, "the stream ended inside a row"));
                return Optional.empty();
            }
            scanned -= before - start;
        }
    }

    private void skip(int between) {
        if (!Character.isWhitespace(buffer[between])) {
            throw failure(ReplyProblem.undocumented("query", 200, "the stream has something between rows"));
        }
        start = between + 1;
    }

    private byte[] row(int end, JsonObjectEnd shape) {
        byte[] row = Arrays.copyOfRange(buffer, start, end);
        start = end;
        boolean startsAsError =
                row.length > ERROR.length && Arrays.equals(row, 0, ERROR.length, ERROR, 0, ERROR.length);
        if (startsAsError && shape.members() == 1) throw failed(row);
        return row;
    }

    private SinkFailure failed(byte[] row) {
        String message = new String(row, ERROR.length, row.length - ERROR.length, StandardCharsets.UTF_8);
        return failure(new Problem("query", 200, "", ReplyProblem.withoutRows(message), SinkFailure.Kind.PERMANENT));
    }

    /** Moves the row under way to the front, makes room if it fills the buffer, and reads on. False at the end. */
    private boolean fill() {
        byte[] target = filled - start == buffer.length ? new byte[Math.multiplyExact(buffer.length, 2)] : buffer;
        System.arraycopy(buffer, start, target, 0, filled - start);
        filled -= start;
        start = 0;
        buffer = target;
        try {
            int read = InterruptibleCall.within(readTimeout, this::read);
            filled += Math.max(read, 0);
            return read > 0;
        } catch (RuntimeException broken) {
            close();
            throw new SinkFailure(ReplyProblem.of("query", broken), broken);
        }
    }

    private int read() {
        try {
            return body.read(buffer, filled, buffer.length - filled);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SinkFailure failure(Problem problem) {
        close();
        return new SinkFailure(problem);
    }

    /** Before the last row this ends the query in Feldera. */
    @Override
    public void close() {
        response.close();
    }
}
