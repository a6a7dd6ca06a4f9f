package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import tidemark.standin.PipelineClient;

/** What an operator does to a pipeline, over the same API: creates, starts, pauses and stops it. */
final class Deployment {
    /** A real Feldera compiles Rust. */
    private static final Duration PATIENCE = Duration.ofMinutes(20);

    private final FelderaSettings settings;
    private final FelderaClient client;
    private final PipelineClient feldera;

    Deployment(FelderaSettings settings, FelderaClient client) {
        this.settings = settings;
        this.client = client;
        this.feldera = raw(settings);
    }

    /** For what the client hides. */
    static PipelineClient raw(FelderaSettings settings) {
        return new PipelineClient(settings.url().toString(), settings.pipeline(), settings.apiKey());
    }

    void define(String program) {
        require(feldera.put(Json.createObjectBuilder()
                .add("name", settings.pipeline())
                .add("program_code", program)
                .build()
                .toString()));
        PipelineClient.await(PATIENCE, () -> client.pipeline().programStatus().equals("Success"));
    }

    /** Running and empty. */
    void startAgain() {
        stop();
        require(feldera.post("/clear", ""));
        PipelineClient.await(() -> PipelineClient.json(feldera.get("?selector=status"))
                .getString("storage_status")
                .equals("Cleared"));
        start();
    }

    /** Running with what it had: a checkpoint is part of the stop. */
    void resumeFromCheckpoint() {
        require(feldera.post("/stop?force=false", ""));
        PipelineClient.await(() -> client.pipeline().deploymentStatus().equals("Stopped"));
        start();
    }

    private void start() {
        require(feldera.post("/start?initial=running", ""));
        PipelineClient.await(() -> client.pipeline().isRunning());
        PipelineClient.await(this::answers);
    }

    void stop() {
        require(feldera.post("/stop?force=true", ""));
        PipelineClient.await(() -> client.pipeline().deploymentStatus().equals("Stopped"));
    }

    void pause() {
        require(feldera.post("/pause", ""));
        PipelineClient.await(() -> client.stats().state().equals("Paused"));
    }

    void resume() {
        require(feldera.post("/resume", ""));
    }

    private boolean answers() {
        try {
            client.stats();
            return true;
        } catch (SinkFailure notYet) {
            return false;
        }
    }

    private static void require(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.request().uri().getPath()).isBetween(200, 299);
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
