package tidemark.sink;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import tidemark.standin.PipelineClient;

/** The Feldera that FELDERA_URL and FELDERA_API_KEY name, for the contracts; each has a pipeline of its own there. */
final class RealFeldera {
    private RealFeldera() {}

    static FelderaSettings settings(String pipeline) {
        return Deployment.settings(
                URI.create(System.getenv("FELDERA_URL")),
                pipeline,
                Optional.ofNullable(System.getenv("FELDERA_API_KEY")));
    }

    /** Stops the pipeline if it is there, and gives it this program. */
    static void compile(String pipeline, String program) {
        try (FelderaClient client = new FelderaClient(settings(pipeline))) {
            new Deployment(settings(pipeline), client).define(program);
        }
    }

    static void stop(String pipeline) {
        try (FelderaClient client = new FelderaClient(settings(pipeline))) {
            new Deployment(settings(pipeline), client).stop();
        }
    }

    /** As {@code /v0/config} says it. */
    static String edition() {
        FelderaSettings settings = settings("");
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(settings.url().toString().replaceFirst("/$", "") + "/v0/config"));
        settings.apiKey().ifPresent(key -> request.header("Authorization", "Bearer " + key));
        try (HttpClient http = HttpClient.newHttpClient()) {
            return PipelineClient.json(http.send(request.build(), HttpResponse.BodyHandlers.ofString()))
                    .getString("edition");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }
}
