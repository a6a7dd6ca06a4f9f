package tidemark.sink;

import jakarta.json.bind.annotation.JsonbProperty;
import java.util.Optional;

/** Completion tokens on their way (feldera.md §2). See {@link ReplyJson} for the form of the records. */
final class TokenJson {
    private TokenJson() {}

    /** The answer to a POST. */
    public record Issued(Optional<String> token) {}

    /** The answer to {@code /completion_status}. */
    public record Status(Optional<String> status, Optional<Long> step) {}

    /** What is written in a token. */
    public record Inside(
            @JsonbProperty("u") Optional<String> incarnation,
            @JsonbProperty("e") Optional<Long> endpoint,
            @JsonbProperty("c") Optional<Long> count) {
        Optional<CompletionToken.Mark> mark() {
            return incarnation.flatMap(u -> endpoint.flatMap(e -> count.map(c -> new CompletionToken.Mark(u, e, c))));
        }
    }
}
