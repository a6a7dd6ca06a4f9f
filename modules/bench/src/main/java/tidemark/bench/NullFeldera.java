package tidemark.bench;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Answers as Feldera does and keeps nothing: takes every POST whole, counts it, gives a token, and calls every token
 * complete. HTTP/1.1 with keep-alive and Content-Length, a thread per connection; reads no JSON. Lives as long as its
 * process.
 *
 * <p>Its tokens are not Base64 on purpose: reading one would tell counts, and nobody here has any. {@code null.7}
 * stands for the seventh POST.
 */
final class NullFeldera {
    static final String PIPELINE = "bench";

    private static final String BASE = "/v0/pipelines/" + PIPELINE;
    private static final int BUFFER_BYTES = 64 << 10;
    private static final String STATS = """
            {"global_metrics": {"state": "Running", "incarnation_uuid": "00000000-0000-4000-8000-000000000000",
             "start_time": 1, "initial_start_time": 1, "transaction_status": "NoTransaction",
             "total_input_records": 0, "total_completed_records": 0}, "inputs": []}""";

    /** What was posted so far. */
    record Taken(long posts, long bytes) {
        Taken since(Taken before) {
            return new Taken(posts - before.posts, bytes - before.bytes);
        }
    }

    /** Hears of what happens, on the thread that answers it, before the answer leaves. */
    interface Watch {
        /** @param operations of a body whose values have no brace in them */
        void posted(long post, long operations);

        void completed(long post);
    }

    private record Request(String method, String path, String query, long bodyBytes) {}

    private static final String TOKEN = "null.";
    private static final int BRACES_OF_AN_OPERATION = 2;

    private final ServerSocket listening;
    private final String descriptor = descriptor();
    private final LongAdder posts = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private volatile Optional<Watch> watch = Optional.empty();

    private NullFeldera(ServerSocket listening) {
        this.listening = listening;
    }

    static NullFeldera start() throws IOException {
        var feldera = new NullFeldera(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        Thread.ofVirtual().name("null-feldera").start(feldera::accept);
        return feldera;
    }

    URI url() {
        return URI.create("http://localhost:" + listening.getLocalPort());
    }

    void watchedBy(Watch watcher) {
        watch = Optional.of(watcher);
    }

    Taken taken() {
        return new Taken(posts.sum(), bytes.sum());
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            byte[] buffer = new byte[BUFFER_BYTES];
            while (true) {
                Request request = read(in);
                long braces = drain(in, request.bodyBytes, buffer);
                answer(request, braces / BRACES_OF_AN_OPERATION, socket.getOutputStream());
            }
        } catch (IOException clientLeft) {
            // Clients close idle connections, those of POSTs by a reset. Whatever they miss by it is their failure to
            // tell.
        }
    }

    private static Request read(InputStream in) throws IOException {
        String[] start = line(in).split(" ", 3);
        long bodyBytes = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:"))
                bodyBytes = Long.parseLong(lower.substring(15).strip());
            if (lower.startsWith("transfer-encoding:")) throw new IOException("only Content-Length is spoken here");
        }
        String[] target = start[1].split("\\?", 2);
        return new Request(start[0], target[0], target.length > 1 ? target[1] : "", bodyBytes);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) throw new EOFException();
            if (octet != '\r') line.append((char) octet);
        }
        return line.toString();
    }

    /** Returns how many braces opened; counted only while somebody watches. */
    private long drain(InputStream in, long length, byte[] buffer) throws IOException {
        long braces = 0;
        boolean counts = watch.isPresent();
        for (long left = length; left > 0; ) {
            int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (read < 0) throw new EOFException();
            left -= read;
            for (int i = 0; counts && i < read; i++) {
                if (buffer[i] == '{') braces++;
            }
        }
        return braces;
    }

    private void answer(Request request, long operations, OutputStream out) throws IOException {
        if (request.method.equals("POST") && request.path.startsWith(BASE + "/ingress/")) {
            bytes.add(request.bodyBytes);
            posts.increment();
            long post = posts.sum();
            watch.ifPresent(watcher -> watcher.posted(post, operations));
            reply(out, "200 OK", "{\"token\": \"%s%d\"}".formatted(TOKEN, post));
            return;
        }
        switch (request.path) {
            case BASE -> reply(out, "200 OK", descriptor);
            case BASE + "/stats" -> reply(out, "200 OK", STATS);
            case BASE + "/completion_status" -> {
                long post = Long.parseLong(request.query.substring(request.query.indexOf(TOKEN) + TOKEN.length()));
                watch.ifPresent(watcher -> watcher.completed(post));
                reply(out, "200 OK", "{\"status\": \"complete\", \"step\": 1}");
            }
            default -> reply(out, "404 Not Found", "{\"message\": \"not here\", \"error_code\": \"UnknownEndpoint\"}");
        }
    }

    private static void reply(OutputStream out, String status, String json) throws IOException {
        String reply = "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(status, json.length(), json);
        out.write(reply.getBytes(StandardCharsets.US_ASCII));
    }

    private static String descriptor() {
        String tables = Arrays.stream(Workload.values()).map(NullFeldera::table).collect(Collectors.joining(", "));
        return """
                {"name": "%s", "program_status": "Success", "deployment_status": "Running", "platform_version": "null",
                 "program_info": {"schema": {"inputs": [%s], "outputs": []}}}""".formatted(PIPELINE, tables);
    }

    private static String table(Workload workload) {
        String fields = Workload.TABLE_COLUMNS.stream()
                .map(column -> field(column.name(), column.felderaType()))
                .collect(Collectors.joining(", "));
        return """
                {"name": "%s", "case_sensitive": false, "primary_key": ["id"], "materialized": false, "properties": {},
                 "fields": [%s]}""".formatted(workload.table(), fields);
    }

    private static String field(String name, String type) {
        String digits = type.equals("DECIMAL")
                ? ", \"precision\": %d, \"scale\": %d".formatted(Workload.AMOUNT_PRECISION, Workload.AMOUNT_SCALE)
                : "";
        return """
                {"name": "%s", "case_sensitive": false,
                 "columntype": {"type": "%s", "nullable": false%s}}""".formatted(name, type, digits);
    }
}
