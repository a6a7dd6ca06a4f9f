package tidemark.standin;

import io.helidon.webserver.http.ServerRequest;
import java.io.InputStream;
import java.util.Arrays;

/**
 * A body cut where Feldera's splitter cuts it, as it comes: after each top-level value, or after the last line that is
 * there (feldera.md 1.4). Owned by the thread of its request.
 */
final class StreamedBody implements BodyPieces {
    private static final int INITIAL = 64 * 1024;

    private final InputStream in;
    private final long announced;
    private byte[] pending = new byte[INITIAL];
    private int length;
    private long received;
    private int scanned;
    private int depth;
    private boolean quoted;
    private boolean escaped;

    StreamedBody(ServerRequest request) {
        in = request.content().inputStream();
        announced = ReceivedBody.announced(request);
    }

    @Override
    public ReceivedBody next(IngressParameters.Lines lines) {
        while (true) {
            if (length == pending.length) {
                pending = Arrays.copyOf(pending, pending.length * 2);
            }
            int read = ReceivedBody.read(in, pending, length);
            if (read < 0) {
                boolean whole = read == ReceivedBody.END && received >= announced;
                return new ReceivedBody(pending, length, whole ? ReceivedBody.Rest.NONE : ReceivedBody.Rest.MISSING);
            }
            length += read;
            received += read;
            int whole = switch (lines) {
                case MULTIPLE -> afterLastValue();
                case SINGLE -> afterLastLine();
            };
            if (whole > 0) {
                return taken(whole);
            }
        }
    }

    private ReceivedBody taken(int whole) {
        byte[] piece = Arrays.copyOf(pending, whole);
        System.arraycopy(pending, whole, pending, 0, length - whole);
        length -= whole;
        scanned -= whole;
        return new ReceivedBody(piece, whole, ReceivedBody.Rest.FOLLOWS);
    }

    private int afterLastLine() {
        int end = length;
        while (end > 0 && pending[end - 1] != '\n') {
            end--;
        }
        scanned = end;
        return end;
    }

    private int afterLastValue() {
        int end = 0;
        for (; scanned < length; scanned++) {
            byte one = pending[scanned];
            if (quoted) {
                boolean closes = one == '"' && !escaped;
                escaped = one == '\\' && !escaped;
                quoted = !closes;
                continue;
            }
            switch (one) {
                case '"' -> quoted = true;
                case '{', '[' -> depth++;
                case '}', ']' -> {
                    depth = Math.max(0, depth - 1);
                    end = depth == 0 ? scanned + 1 : end;
                }
                case ' ', '\n', '\r', '\t' -> end = depth == 0 ? scanned : end;
                default -> {}
            }
        }
        return end;
    }
}
