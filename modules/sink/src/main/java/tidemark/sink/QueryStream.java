package tidemark.sink;

import io.helidon.webclient.http1.Http1ClientResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The rows of one query as they arrive over HTTP. Reads both forms of an answer: objects one after the other, each on
 * its line, and one JSON array of objects, which is whole only with its closing bracket.
 *
 * <p>Feldera reports an error at run time as one more object after HTTP 200 and any number of good rows,
 * {@code {"error":"…"}}, with or without a line break before it (feldera.md §4): an object of that shape is always a
 * failure. A stream that ends before its HTTP body does, or inside a row, is a failure too.
 */
final class QueryStream implements QueryRows {
    private static final byte[] ERROR = "{\"error\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final int BUFFER_BYTES = 64 * 1024;
    /** What has been seen of the form of the answer. */
    private enum Form {
        UNDECIDED,
        LINES,
        OPEN_ARRAY,
        CLOSED_ARRAY
    }

    private final Http1ClientResponse response;
    private final InputStream body;
    private final Limits limits;
    private Form form = Form.UNDECIDED;

    private byte[] buffer = new byte[BUFFER_BYTES];
    private int start;
    private int filled;

    QueryStream(Http1ClientResponse response, Limits limits) {
        this.response = response;
        this.body = response.inputStream();
        this.limits = limits;
    }

    @Override
    public Optional<byte[]> next() {
        JsonObjectEnd end = new JsonObjectEnd();
        int scanned = start;
        while (true) {
            for (; scanned < filled; scanned++) {
                if (!end.begun() && buffer[scanned] != '{') between(scanned);
                else if (end.isAt(buffer[scanned])) return Optional.of(row(scanned + 1, end));
            }
            int before = start;
            if (!fill()) {
                if (end.begun()) throw undocumented("the stream ended inside a row");
                if (form == Form.OPEN_ARRAY) throw undocumented("the stream ended before its array did");
                return Optional.empty();
            }
            scanned -= before - start;
        }
    }

    private void between(int at) {
        start = at + 1;
        switch (buffer[at]) {
            case ' ', '\t', '\r', '\n' -> {}
            case '[' -> form = after(Form.UNDECIDED, Form.OPEN_ARRAY);
            case ',' -> form = after(Form.OPEN_ARRAY, Form.OPEN_ARRAY);
            case ']' -> form = after(Form.OPEN_ARRAY, Form.CLOSED_ARRAY);
            default -> throw undocumented("the stream has something between rows");
        }
    }

    private Form after(Form allowed, Form then) {
        if (form != allowed) throw undocumented("the stream has something between rows");
        return then;
    }

    private byte[] row(int end, JsonObjectEnd shape) {
        byte[] row = Arrays.copyOfRange(buffer, start, end);
        start = end;
        boolean startsAsError =
                row.length > ERROR.length && Arrays.equals(row, 0, ERROR.length, ERROR, 0, ERROR.length);
        if (startsAsError && shape.members() == 1) throw failed(row);
        if (form == Form.CLOSED_ARRAY) throw undocumented("the stream goes on after its array");
        if (form == Form.UNDECIDED) form = Form.LINES;
        return row;
    }

    private SinkFailure failed(byte[] row) {
        String message = new String(row, ERROR.length, row.length - ERROR.length, StandardCharsets.UTF_8);
        return failure(new Problem("query", 200, "", ReplyProblem.withoutRows(message), SinkFailure.Kind.PERMANENT));
    }

    /** Moves the row under way to the front, makes room if it fills the buffer, and reads on. False at the end. */
    private boolean fill() {
        if (filled - start > limits.rowBytes()) throw tooWide();
        byte[] target = filled - start == buffer.length ? new byte[larger()] : buffer;
        System.arraycopy(buffer, start, target, 0, filled - start);
        filled -= start;
        start = 0;
        buffer = target;
        try {
            int read = InterruptibleCall.within(limits.silence(), this::read);
            filled += Math.max(read, 0);
            return read > 0;
        } catch (RuntimeException broken) {
            close();
            throw new SinkFailure(ReplyProblem.of("query", broken), broken);
        }
    }

    private int larger() {
        return (int) Math.min(Limits.LARGEST_BUFFER_BYTES, 2L * buffer.length);
    }

    private int read() {
        try {
            return body.read(buffer, filled, buffer.length - filled);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SinkFailure tooWide() {
        String what = "a row of more than %d bytes".formatted(limits.rowBytes());
        return failure(new Problem("query", 200, "", what, SinkFailure.Kind.PERMANENT));
    }

    private SinkFailure undocumented(String what) {
        return failure(ReplyProblem.undocumented("query", 200, what));
    }

    private SinkFailure failure(Problem problem) {
        close();
        return new SinkFailure(problem);
    }

    @Override
    public void close() {
        response.close();
    }
}
