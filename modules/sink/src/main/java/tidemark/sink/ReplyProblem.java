package tidemark.sink;

import io.helidon.common.buffers.DataReader;
import java.io.UncheckedIOException;
import java.security.cert.CertificateException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How a reply that was not the wished one, or none, is told to people: what was attempted, status, error_code and a
 * bounded beginning of the message. Rows are not told: where a message may quote them it ends before its first
 * quotation mark, and its numbers are masked.
 */
final class ReplyProblem {
    private static final int LONGEST_PREFIX = 240;
    private static final int MOST_KINDS_OF_PARSE_ERRORS = 5;
    private static final Pattern QUOTATION = Pattern.compile("['\"`{\\[]");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /**
     * The errors of serde that feldera/02-ingress-errors shows. Only what stands in this list is told of a description.
     */
    private static final List<String> SERDE_ERRORS = List.of(
            "invalid type",
            "invalid value",
            "invalid length",
            "missing field",
            "unknown field",
            "unknown variant",
            "duplicate field",
            "out of range",
            "EOF while parsing",
            "trailing characters",
            "key must be a string",
            "expected value",
            "expected `,`",
            "not supported");

    private ReplyProblem() {}

    static Problem of(String attempted, int status, ErrorBody body, FelderaError.Meaning meaning) {
        String prefix = meaning.namesOnly() ? bounded(body.message()) : withoutRows(body.message());
        return new Problem(attempted, status, body.errorCode(), prefix, meaning.kind());
    }

    /** The reply's status is as documented and its body is not, so nothing follows from it. */
    static Problem undocumented(String attempted, int status, String what) {
        return new Problem(attempted, status, "", what, SinkFailure.Kind.PROTOCOL);
    }

    /** There was no reply, or it broke off. */
    static Problem of(String attempted, RuntimeException failure) {
        Throwable deepest = deepest(failure);
        return new Problem(attempted, 0, "", bounded(deepest.toString()), kind(failure));
    }

    private static SinkFailure.Kind kind(RuntimeException failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            // The peer is not who it says, or our CA file does not fit: no retry mends that.
            if (t instanceof CertificateException) return SinkFailure.Kind.MISCONFIGURED;
        }
        return switch (failure) {
            case UncheckedIOException _ -> SinkFailure.Kind.TRANSIENT;
            case DataReader.InsufficientDataAvailableException _ -> SinkFailure.Kind.TRANSIENT;
            // The client library could not make an HTTP reply of what it read.
            default -> SinkFailure.Kind.PROTOCOL;
        };
    }

    private static Throwable deepest(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) deepest = deepest.getCause();
        return deepest;
    }

    /** Which columns Feldera could not take and why, without the values: descriptions and texts quote them. */
    static String parseErrors(ErrorBody body) {
        Map<String, Long> kinds = body.parseErrors().stream()
                .map(ReplyProblem::told)
                .collect(Collectors.groupingBy(kind -> kind, LinkedHashMap::new, Collectors.counting()));
        String told = kinds.entrySet().stream()
                .limit(MOST_KINDS_OF_PARSE_ERRORS)
                .map(kind -> kind.getValue() == 1 ? kind.getKey() : kind.getKey() + " x" + kind.getValue())
                .collect(Collectors.joining("; "));
        long count = body.parseErrorCount().orElse(body.parseErrors().size());
        return count + (count == 1 ? " error: " : " errors: ") + told;
    }

    private static String told(ErrorBody.ParseError error) {
        String where = error.field().isEmpty() ? "" : "column " + bounded(error.field()) + " ";
        String why = SERDE_ERRORS.stream()
                .filter(error.description()::contains)
                .findFirst()
                .map(serde -> " (" + serde + ")")
                .orElse("");
        return where + bounded(error.tag()) + why;
    }

    static String withoutRows(String message) {
        String unquoted = QUOTATION.splitAsStream(message).findFirst().orElse("");
        return bounded(NUMBER.matcher(unquoted).replaceAll("#").strip());
    }

    private static String bounded(String text) {
        String line = text.replaceAll("\\s+", " ");
        return line.length() <= LONGEST_PREFIX ? line : line.substring(0, LONGEST_PREFIX);
    }
}
