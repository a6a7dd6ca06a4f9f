package tidemark.sink;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How to reach the destination.
 *
 * @param url base of the API server; {@code /v0} is appended
 * @param apiKey never printed
 * @param questionTimeout for one idempotent GET
 * @param postTimeout for one POST to /ingress, from its first byte to its reply
 */
public record FelderaSettings(
        URI url,
        String pipeline,
        Optional<String> apiKey,
        Optional<Path> caFile,
        Duration connectTimeout,
        Duration questionTimeout,
        Duration postTimeout) {
    /** The pipeline's URL: the same for the same pipeline, however its base was written. */
    public String address() {
        String base = url.toString();
        return (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + "/v0/pipelines/" + pipeline;
    }

    @Override
    public String toString() {
        return "FelderaSettings[url=%s, pipeline=%s]".formatted(url, pipeline);
    }
}
