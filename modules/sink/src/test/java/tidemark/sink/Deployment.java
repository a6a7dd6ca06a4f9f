package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What an operator does to a pipeline, over the same API: creates, starts, pauses and stops it. */
final class Deployment {
    /** A real Feldera compiles Rust. */
    private static final Duration PATIENCE = Duration.ofMinutes(20);

    private final HttpClient http = HttpClient.newHttpClient();
    private final FelderaSettings settings;
    private final FelderaClient client;

    Deployment(FelderaSettings settings, FelderaClient client) {
        this.settings = settings;
        this.client = client;
    }

    void define(String program) {
        String json = Json.createObjectBuilder()
                .add("name", settings.pipeline())
                .add("program_code", program)
                .build()
                .toString();
        request("PUT", "", json);
        await(() -> client.pipeline().programStatus().equals("Success"));
    }

    /** Running and, in the open-source edition, empty. */
    void startAgain() {
        stop();
        request("POST", "/start?initial=running", "");
        await(() -> client.pipeline().isRunning());
        await(this::answers);
    }

    void stop() {
        request("POST", "/stop?force=true", "");
        await(() -> client.pipeline().deploymentStatus().equals("Stopped"));
    }

    void pause() {
        request("POST", "/pause", "");
        await(() -> client.stats().state().equals("Paused"));
    }

    void resume() {
        request("POST", "/resume", "");
    }

    private boolean answers() {
        try {
            client.stats();
            return true;
        } catch (SinkFailure notYet) {
            return false;
        }
    }

    private void request(String method, String path, String json) {
        String url = settings.url().toString().replaceFirst("/$", "");
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(url + "/v0/pipelines/" + settings.pipeline() + path))
                .method(method, BodyPublishers.ofString(json))
                .header("Content-Type", "application/json");
        settings.apiKey().ifPresent(key -> request.header("Authorization", "Bearer " + key));
        try {
            var response = http.send(request.build(), BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    static FelderaSettings settings(URI url, String pipeline, Optional<String> apiKey) {
        return new FelderaSettings(
                url,
                pipeline,
                apiKey,
                Optional.empty(),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                Duration.ofSeconds(60));
    }
}
