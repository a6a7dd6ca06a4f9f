package tidemark.standin;

import io.helidon.webserver.http.ServerRequest;
import jakarta.json.Json;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The API server's wait for a pipeline process: limited, and what was passed on is not called back when it gives up
 * (feldera.md 1.6).
 */
final class Forwarding {
    private Forwarding() {}

    /** The answer, or the API server's own that there is none in time. */
    static Reply await(ServerRequest request, Duration limit, Supplier<Reply> passedOn) {
        var answer = new CompletableFuture<Reply>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(passedOn.get());
            } catch (ProcessGone | NoAnswer gone) {
                answer.completeExceptionally(gone);
            }
        });
        try {
            return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            throw timedOut(request);
        } catch (ExecutionException _) {
            throw new ProcessGone();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new ProcessGone();
        }
    }

    static ApiError timedOut(ServerRequest request) {
        return unreachable(
                request,
                "timeout (30s) was reached: this means the pipeline took too long to respond -- this can simply be because"
                        + " the request was too difficult to process in time, or other reasons (e.g., deadlock): the"
                        + " pipeline logs might contain additional information (original send request error: Timeout while"
                        + " waiting for response)");
    }

    static ApiError unreachable(ServerRequest request, String error) {
        String name = request.path().pathParameters().get("name");
        String failed = "HTTP/1.1 " + request.prologue().method().text().toUpperCase(Locale.ROOT) + " "
                + request.path().path() + "?" + request.query().rawValue();
        return new ApiError(
                503,
                "PipelineInteractionUnreachable",
                "Error sending HTTP request to pipeline: " + error + " Failed request: " + failed
                        + " pipeline-id=N/A pipeline-name=\"" + name + "\"",
                Json.createObjectBuilder()
                        .add("pipeline_name", name)
                        .add("request", failed)
                        .add("error", error)
                        .build());
    }
}
