package tidemark.standin;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.Optional;

/** Where the body of an HTTP/1.1 message ends (RFC 9112, 6.3). */
sealed interface BodyFraming {
    record None() implements BodyFraming {}

    record Length(long bytes) implements BodyFraming {}

    record Chunked() implements BodyFraming {}

    /** Replies only. */
    record UntilClose() implements BodyFraming {}

    int BUFFER_BYTES = 16 * 1024;
    int LONGEST_LINE = 8 * 1024;

    static BodyFraming ofRequest(HttpHead head) throws ProtocolException {
        return announced(head).orElse(new None());
    }

    static BodyFraming ofReply(String method, HttpHead head) throws ProtocolException {
        int status = head.status();
        boolean bodiless = method.equals("HEAD") || status < 200 || status == 204 || status == 304;
        return bodiless ? new None() : announced(head).orElse(new UntilClose());
    }

    private static Optional<BodyFraming> announced(HttpHead head) throws ProtocolException {
        if (head.isChunked()) return Optional.of(new Chunked());
        Optional<String> length = head.header("Content-Length");
        if (length.isEmpty()) return Optional.empty();
        if (!length.get().matches("[0-9]{1,18}")) throw new ProtocolException("not a Content-Length");
        long bytes = Long.parseLong(length.get());
        return Optional.of(bytes == 0 ? new None() : new Length(bytes));
    }

    /**
     * Passes one body on as it is framed, each piece as soon as it comes.
     *
     * @throws BodySink.Cut where the sink is to be cut
     * @throws BodySink.Broken when the sink does not take more
     * @throws IOException when the source ends within the body or breaks
     */
    default void copy(InputStream from, BodySink to) throws IOException {
        switch (this) {
            case None _ -> {}
            case Length(long bytes) -> {
                to.cutBefore(bytes);
                copy(bytes, from, to);
            }
            case Chunked _ -> copyChunks(from, to);
            case UntilClose _ -> copyAll(from, to);
        }
        to.end();
    }

    private static void copy(long bytes, InputStream from, BodySink to) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (long left = bytes; left > 0; ) {
            int read = from.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (read < 0) throw new EOFException("the connection ended within a body");
            to.content(buffer, read);
            left -= read;
            if (from.available() == 0) to.flush();
        }
    }

    private static void copyChunks(InputStream from, BodySink to) throws IOException {
        while (true) {
            String size = HttpHead.line(from, LONGEST_LINE);
            long bytes = chunkBytes(size);
            if (bytes == 0) {
                to.cutHere();
                to.line(size);
                break;
            }
            to.line(size);
            copy(bytes, from, to);
            if (!HttpHead.line(from, 1).isEmpty()) throw new ProtocolException("a chunk that is too long");
            to.line("");
            to.flush(); // the next one may be long in coming
        }
        String trailer;
        do {
            trailer = HttpHead.line(from, LONGEST_LINE);
            to.line(trailer);
        } while (!trailer.isEmpty());
    }

    private static long chunkBytes(String line) throws ProtocolException {
        String size = line.split(";", 2)[0].strip();
        if (!size.matches("[0-9a-fA-F]{1,15}")) throw new ProtocolException("not the size of a chunk");
        return Long.parseLong(size, 16);
    }

    private static void copyAll(InputStream from, BodySink to) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            to.content(buffer, read);
            if (from.available() == 0) to.flush();
        }
    }
}
