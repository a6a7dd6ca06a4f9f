package tidemark.sink;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A reply that was not the wished one.
 *
 * @param status HTTP status, 0 when there was no reply
 * @param errorCode Feldera's error_code, empty when the body had none
 * @param prefix a bounded prefix of Feldera's message, without row values
 */
public record Problem(String attempted, int status, String errorCode, String prefix, SinkFailure.Kind kind) {
    @Override
    public String toString() {
        String http = status == 0 ? "" : "HTTP " + status;
        return Stream.of(attempted + ":", http, errorCode, prefix)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" "));
    }
}
