package tidemark.standin;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers raw requests with raw replies, and keeps what came and how connections ended. Bodies have a length. */
final class TinyServer implements AutoCloseable {
    /** What happens once a head was read. */
    interface Answer {
        void to(Exchange exchange) throws IOException;
    }

    /** How a connection was ended by the other side. */
    enum End {
        ORDERLY,
        RESET
    }

    /** One request and the socket that it came on. */
    record Exchange(int connection, String line, Map<String, String> headers, InputStream in, Socket socket) {
        String body() throws IOException {
            int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
            byte[] body = in.readNBytes(length);
            if (body.length < length) throw new EOFException("half a body");
            return new String(body, StandardCharsets.UTF_8);
        }

        void write(String raw) throws IOException {
            socket.getOutputStream().write(raw.getBytes(StandardCharsets.UTF_8));
        }

        void reply(String body) throws IOException {
            write("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        }
    }

    final List<Integer> connectionOfRequest = new CopyOnWriteArrayList<>();
    final List<End> ends = new CopyOnWriteArrayList<>();

    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private final ServerSocket listener;
    private final Thread accepting;
    private final Socket holding = new Socket();
    private final Answer answer;

    TinyServer(Answer answer) {
        this.answer = answer;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Closing a listener ends the wait of a platform thread at once; one of a virtual thread when that gets to run.
        accepting = Thread.ofPlatform().daemon().start(this::accept);
    }

    /** Reads each body and answers with it. */
    static TinyServer echo() {
        return new TinyServer(exchange -> exchange.reply(exchange.body()));
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                int number = connections.size();
                connections.add(socket);
                Thread.ofVirtual().start(() -> serve(socket, number));
            }
        } catch (IOException _) {
            // closed
        }
    }

    private void serve(Socket socket, int number) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            while (true) {
                String line = line(in);
                connectionOfRequest.add(number);
                answer.to(new Exchange(number, line, headers(in), in, socket));
            }
        } catch (EOFException _) {
            ends.add(End.ORDERLY);
        } catch (IOException _) {
            ends.add(End.RESET);
        }
    }

    private static Map<String, String> headers(InputStream in) throws IOException {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            headers.put(header.substring(0, colon), header.substring(colon + 1).strip());
        }
        return headers;
    }

    static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) throw new EOFException("the end");
            if (b != '\r') line.append((char) b);
        }
        return line.toString();
    }

    /** Nobody else gets the port meanwhile: on a busy machine somebody would soon listen there. */
    void stop() {
        try {
            end();
            accepting.join();
            holding.setReuseAddress(true);
            holding.bind(listener.getLocalSocketAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void end() throws IOException {
        listener.close();
        for (Socket socket : connections) socket.close();
    }

    @Override
    public void close() {
        try {
            end();
            holding.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
