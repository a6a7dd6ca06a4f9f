package tidemark.app;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One instance of the service over its lives, with a supervisor that starts it again after some exit codes. The
 * supervisor is not a thread: it acts when it is asked to {@link #supervise}.
 */
final class CaseInstance implements AutoCloseable {
    static final String FIRST = "first";
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

    private final String name;
    private final Path folder;
    private final Map<String, String> environment;
    private final Set<Integer> supervised;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER_LIMIT).build();
    private final List<Tidemark> lives = new ArrayList<>();
    private boolean wanted;

    CaseInstance(String name, Path folder, Map<String, String> environment, Set<Integer> supervised) {
        this.name = name;
        this.folder = folder;
        this.environment = environment;
        this.supervised = supervised;
    }

    void start() {
        Path output = folder.resolve("%s-%d.out".formatted(name, lives.size() + 1));
        lives.add(Tidemark.start(folder, output, environment));
        wanted = true;
    }

    /** Starts it again if it has ended with one of the codes for it. */
    void supervise() {
        if (wanted && !life().isAlive() && supervised.contains(lastCode())) start();
    }

    boolean isAlive() {
        return !lives.isEmpty() && life().isAlive();
    }

    /** The code with which it ended of its own accord and for good. */
    Optional<Integer> ended() {
        boolean ended = wanted && !life().isAlive() && !supervised.contains(lastCode());
        return ended ? Optional.of(lastCode()) : Optional.empty();
    }

    /** What all lives have written so far. */
    String log() {
        return lives.stream().map(Tidemark::output).collect(Collectors.joining());
    }

    /** What the last life has written. */
    String lastLog() {
        return lives.isEmpty() ? "" : life().output();
    }

    /** What the last life has written from its first error on, which names the reason of its end. */
    String lastErrors() {
        String log = lastLog();
        int first = log.indexOf(" SEVERE ");
        return first < 0 ? "" : log.substring(first);
    }

    /** It answers, and the answer is that it is not ready. */
    boolean saysNotReady() {
        return get("/health/ready").filter(answer -> answer.statusCode() == 503).isPresent();
    }

    boolean isReady() {
        return get("/health/ready").filter(answer -> answer.statusCode() == 200).isPresent();
    }

    /** Ready, and no table is being copied any more. */
    boolean isStreaming() {
        return isReady()
                && status().filter(status -> status.getString("phase").equals("streaming"))
                        .isPresent();
    }

    Optional<JsonObject> status() {
        return get("/status").filter(answer -> answer.statusCode() == 200).map(answer -> {
            try (JsonReader reader = Json.createReader(new StringReader(answer.body()))) {
                return reader.readObject();
            }
        });
    }

    /** As Prometheus scrapes them. */
    Optional<String> metrics() {
        return get("/metrics").map(HttpResponse::body);
    }

    long peakMemoryMegabytes() {
        return life().peakMemoryMegabytes();
    }

    /** SIGTERM. */
    int stop(Duration patience) throws InterruptedException {
        wanted = false;
        life().terminate();
        return life().exitCode(patience);
    }

    void send(CaseStep.Signal signal) {
        switch (signal) {
            case KILL -> {
                wanted = false;
                life().kill();
            }
            case STOP, CONT -> life().signal(signal.name());
        }
    }

    @Override
    public void close() {
        if (!lives.isEmpty()) life().kill();
        http.shutdownNow();
    }

    private Tidemark life() {
        if (lives.isEmpty()) throw new IllegalStateException(name + " was never started");
        return lives.getLast();
    }

    private int lastCode() {
        try {
            return life().exitCode();
        } catch (InterruptedException failure) {
            throw interrupted(failure);
        }
    }

    /** Asks it to read the table again, and returns its answer's status; empty while nobody answers. */
    Optional<Integer> resync(String table) {
        return ask("/tables/%s/resync".formatted(table), "POST").map(HttpResponse::statusCode);
    }

    private Optional<HttpResponse<String>> get(String path) {
        return ask(path, "GET");
    }

    /** Empty while nobody answers. */
    private Optional<HttpResponse<String>> ask(String path, String method) {
        if (!isAlive()) return Optional.empty();
        return life().urlSoFar().flatMap(url -> {
            var request = HttpRequest.newBuilder(URI.create(url + path))
                    .method(method, HttpRequest.BodyPublishers.noBody())
                    .timeout(ANSWER_LIMIT)
                    .build();
            try {
                return Optional.of(http.send(request, HttpResponse.BodyHandlers.ofString()));
            } catch (IOException _) {
                return Optional.empty();
            } catch (InterruptedException failure) {
                throw interrupted(failure);
            }
        });
    }

    private static IllegalStateException interrupted(InterruptedException failure) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("the case is interrupted", failure);
    }
}
