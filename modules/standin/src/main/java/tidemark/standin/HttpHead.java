package tidemark.standin;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The head of an HTTP/1.1 message: its first line and its headers, kept as they came so that they can be passed on
 * unchanged (RFC 9112, 2 to 5). Folded headers are not known.
 */
record HttpHead(List<String> lines) {
    /** A URL may have 64 kB (feldera.md 15). */
    private static final int LONGEST_BYTES = 256 * 1024;

    static HttpHead read(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        int left = LONGEST_BYTES;
        while (true) {
            String line = line(in, left);
            left -= line.length() + 2;
            if (!line.isEmpty()) {
                lines.add(line);
            } else if (!lines.isEmpty()) { // an empty line before the first one is to be ignored (RFC 9112, 2.2)
                return new HttpHead(List.copyOf(lines));
            }
        }
    }

    /** One line without its end; throws when the stream ends before it does. */
    static String line(InputStream in, int longest) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) throw new EOFException("the connection ended within a line");
            if (line.length() >= longest) throw new ProtocolException("a line or head that is too long");
            line.append((char) b);
        }
        boolean carriageReturn = !line.isEmpty() && line.charAt(line.length() - 1) == '\r';
        return carriageReturn ? line.substring(0, line.length() - 1) : line.toString();
    }

    byte[] bytes() {
        return (String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    private String word(int index) throws ProtocolException {
        String[] words = lines.getFirst().split(" ", 3);
        if (words.length < 2) throw new ProtocolException("not a first line of HTTP");
        return words[index];
    }

    /** Of a request; checked by {@link #requireRequest}. */
    String method() {
        return lines.getFirst().split(" ", 3)[0];
    }

    /** Of a request; checked by {@link #requireRequest}. */
    String target() {
        return lines.getFirst().split(" ", 3)[1];
    }

    HttpHead requireRequest() throws ProtocolException {
        if (!lines.getFirst().matches("[A-Z]+ \\S+ HTTP/1\\.[01]")) {
            throw new ProtocolException("not a request of HTTP/1");
        }
        return this;
    }

    /** Of a reply. */
    int status() throws ProtocolException {
        if (!word(1).matches("[1-5][0-9][0-9]")) throw new ProtocolException("not a reply of HTTP/1");
        return Integer.parseInt(word(1));
    }

    Optional<String> header(String name) {
        String start = name + ":";
        return lines.stream()
                .skip(1)
                .filter(line -> line.regionMatches(true, 0, start, 0, start.length()))
                .map(line -> line.substring(start.length()).strip())
                .findFirst();
    }

    HttpHead with(String name, String value) {
        List<String> more = new ArrayList<>(lines);
        more.add(name + ": " + value);
        return new HttpHead(List.copyOf(more));
    }

    HttpHead without(String name) {
        String start = name + ":";
        return new HttpHead(lines.stream()
                .filter(line -> !line.regionMatches(true, 0, start, 0, start.length()))
                .toList());
    }

    private boolean says(String name, String value) {
        return header(name).filter(value::equalsIgnoreCase).isPresent();
    }

    boolean isChunked() {
        return says("Transfer-Encoding", "chunked");
    }

    boolean expectsContinue() {
        return says("Expect", "100-continue");
    }

    /** Whether another message may follow on the connection (RFC 9112, 9.3). */
    boolean keepsAlive() {
        return lines.getFirst().contains("HTTP/1.0") ? says("Connection", "keep-alive") : !says("Connection", "close");
    }
}
