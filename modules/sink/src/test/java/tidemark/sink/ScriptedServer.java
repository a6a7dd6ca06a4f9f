package tidemark.sink;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;

/** A socket that answers requests with prepared bytes, in order, and keeps what it was asked. */
final class ScriptedServer implements AutoCloseable {
    /** What happens after a request was read. */
    interface Answer {
        void to(Socket client) throws IOException, InterruptedException;
    }

    /** @param connection counts accepted connections from 0 */
    record Request(int connection, String line, Map<String, String> headers, byte[] body) {
        List<String> parameters() {
            String target = line.substring(0, line.lastIndexOf(' '));
            return List.of(target.substring(target.indexOf('?') + 1).split("&", -1));
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    private final ServerSocket listener;
    private final BlockingQueue<Answer> script = new LinkedBlockingQueue<>();
    private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    private final CopyOnWriteArrayList<Socket> connections = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean readsBodies = true;

    ScriptedServer() {
        this(ServerSocketFactory.getDefault());
    }

    ScriptedServer(ServerSocketFactory sockets) {
        try {
            listener = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + port());
    }

    /** Heads are read and answered; bodies stay in the socket. */
    ScriptedServer leavingBodiesUnread() {
        readsBodies = false;
        return this;
    }

    ScriptedServer then(Answer answer) {
        script.add(answer);
        return this;
    }

    ScriptedServer thenReply(String head, String body) {
        return then(bytes(withLength(head, body)));
    }

    ScriptedServer thenOk(String body) {
        return thenReply("HTTP/1.1 200 OK\ncontent-type: application/json\n", body);
    }

    ScriptedServer thenChunked(String head, String... chunks) {
        return then(bytes(chunked(head, chunks) + "0\r\n\r\n"));
    }

    static Answer bytes(String raw) {
        return client -> write(client, raw);
    }

    static Answer bytesThenClose(String raw) {
        return client -> {
            write(client, raw);
            client.close();
        };
    }

    static Answer bytesThenReset(String raw) {
        return client -> {
            write(client, raw);
            client.setSoLinger(true, 0);
            client.close();
        };
    }

    Answer silence() {
        return _ -> closed.await();
    }

    static String withLength(String head, String body) {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        return (head + "content-length: " + length + "\n\n").replace("\n", "\r\n") + body;
    }

    /** Without the last, empty chunk. */
    static String chunked(String head, String... chunks) {
        StringBuilder raw = new StringBuilder((head + "transfer-encoding: chunked\n\n").replace("\n", "\r\n"));
        for (String chunk : chunks) {
            int length = chunk.getBytes(StandardCharsets.UTF_8).length;
            raw.append(Integer.toHexString(length)).append("\r\n").append(chunk).append("\r\n");
        }
        return raw.toString();
    }

    private static void write(Socket client, String raw) throws IOException {
        OutputStream out = client.getOutputStream();
        out.write(raw.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    Request request() {
        try {
            return Optional.ofNullable(requests.poll(20, TimeUnit.SECONDS))
                    .orElseThrow(() -> new AssertionError("no request came; server failures " + failures));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                int number = connections.size();
                connections.add(client);
                Thread.ofVirtual().start(() -> serve(client, number));
            }
        } catch (IOException e) {
            if (closed.getCount() > 0) failures.add(e);
        }
    }

    private void serve(Socket client, int number) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            while (!client.isClosed()) {
                String line = line(in);
                if (line.isEmpty()) return;
                Map<String, String> headers = headers(in);
                int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
                byte[] body = readsBodies ? in.readNBytes(length) : new byte[0];
                Answer answer = script.take(); // before anybody can see the request, and send one that takes it away
                requests.add(new Request(number, line, headers, body));
                answer.to(client);
            }
        } catch (IOException | InterruptedException e) {
            if (closed.getCount() > 0) failures.add(e);
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

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n' && b != -1; b = in.read()) {
            if (b != '\r') line.append((char) b);
        }
        return line.toString();
    }

    FelderaSettings settings() {
        return settings(url());
    }

    static FelderaSettings settings(URI url) {
        Duration generous = Duration.ofSeconds(20);
        return new FelderaSettings(url, "p", Optional.empty(), Optional.empty(), generous, generous, generous);
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            listener.close();
            for (Socket client : connections) client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
