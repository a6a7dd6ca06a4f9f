package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What an operator does to a pipeline, over the same API: creates, starts, pauses and stops it. */
final class Deployment {
    /** A real Feldera compiles Rust. */
    private static final Duration PATIENCE = Duration.ofMinutes(20);

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
        try {
            URI target = URI.create(url + "/v0/pipelines/" + settings.pipeline() + path);
            HttpURLConnection request = (HttpURLConnection) target.toURL().openConnection();
            request.setRequestMethod(method);
            request.setRequestProperty("Content-Type", "application/json");
            settings.apiKey().ifPresent(key -> request.setRequestProperty("Authorization", "Bearer " + key));
            request.setDoOutput(true);
            request.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
            assertThat(request.getResponseCode()).as(method + " " + path).isBetween(200, 299);
            request.disconnect();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
