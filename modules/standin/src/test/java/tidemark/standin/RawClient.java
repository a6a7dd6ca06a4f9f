package tidemark.standin;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A socket that says exactly what a test wants, and tells how the connection ends. */
final class RawClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Socket socket;
    private final InputStream in;

    RawClient(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout((int) PATIENCE.toMillis());
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RawClient send(String raw) {
        try {
            socket.getOutputStream().write(raw.getBytes(StandardCharsets.UTF_8));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RawClient get(String path) {
        return send("GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n");
    }

    RawClient post(String path, String body) {
        return send("POST " + path + " HTTP/1.1\r\nHost: h\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    /** The next so many bytes. */
    String read(int bytes) {
        try {
            return new String(in.readNBytes(bytes), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Up to and without the empty line. */
    String head() {
        StringBuilder head = new StringBuilder();
        for (String line = line(); !line.isEmpty(); line = line())
            head.append(line).append('\n');
        return head.toString();
    }

    String line() {
        try {
            return TinyServer.line(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything that still comes, and then {@code EOF} or {@code RST}. */
    String rest() {
        StringBuilder rest = new StringBuilder();
        try {
            for (int b = in.read(); b >= 0; b = in.read()) rest.append((char) b);
            return rest.append("EOF").toString();
        } catch (SocketException reset) {
            return rest.append("RST").toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether nothing comes for so long, not even an end. */
    boolean isSilentFor(Duration time) {
        try {
            socket.setSoTimeout((int) time.toMillis());
            boolean silent = isSilent();
            socket.setSoTimeout((int) PATIENCE.toMillis());
            return silent;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isSilent() throws IOException {
        try {
            in.read();
            return false;
        } catch (SocketTimeoutException _) {
            return true;
        }
    }

    void reset() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void leave() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        leave();
    }
}
