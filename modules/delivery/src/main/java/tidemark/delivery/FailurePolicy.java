package tidemark.delivery;

import tidemark.decode.MalformedMessage;
import tidemark.replication.SourceFailure;
import tidemark.sink.Problem;
import tidemark.sink.SinkFailure;

/**
 * The one place that decides what a failure means. The ends have classified theirs already, by SQLSTATE, HTTP status,
 * error_code or exception type; nothing here or there looks at message text.
 */
final class FailurePolicy {
    private static final String REPORT =
            "This is a defect of Tidemark: please report it with the log. Restarting is safe.";

    private FailurePolicy() {}

    static Failure of(RuntimeException thrown) {
        return switch (thrown) {
            case SessionOver over -> over.failure();
            case SourceFailure source -> ofSource(source);
            case SinkFailure sink -> ofSink(sink.problem());
            case RowRefused row -> new Failure.Permanent(ExitCode.DATA, text(row), row.remedy());
            case MalformedMessage message ->
                new Failure.Permanent(
                        ExitCode.DATA, text(message), "The WAL stream does not decode: check the server's version.");
            case UnreadableState state ->
                new Failure.Misconfigured(ExitCode.CONFIGURATION, text(state), state.remedy());
            case InvariantViolation broken -> new Failure.Permanent(ExitCode.BROKEN_INVARIANT, text(broken), REPORT);
            default -> new Failure.Permanent(ExitCode.BROKEN_INVARIANT, "unexpected " + thrown, REPORT);
        };
    }

    /** Of the virtual machine or a library: it cannot be mended here, and nothing about the errand is known. */
    static Failure of(Error thrown) {
        return new Failure.Permanent(ExitCode.BROKEN_INVARIANT, "unexpected " + thrown, REPORT);
    }

    private static Failure ofSource(SourceFailure failure) {
        return switch (failure.kind()) {
            case TRANSIENT -> Failure.peer(text(failure), failure.remedy());
            case SLOT_BUSY -> new Failure.Transient(text(failure), failure.remedy(), true);
            case CREDENTIALS -> new Failure.Misconfigured(ExitCode.CREDENTIALS, text(failure), failure.remedy());
            case MISCONFIGURED, SLOT_LOST ->
                new Failure.Misconfigured(ExitCode.CONFIGURATION, text(failure), failure.remedy());
            case PROTOCOL, PERMANENT -> new Failure.Permanent(ExitCode.PROTOCOL, text(failure), failure.remedy());
        };
    }

    static Failure ofSink(Problem problem) {
        return switch (problem.kind()) {
            case TRANSIENT -> Failure.peer(problem.toString(), "Wait, or look at the pipeline's state and log.");
            case CREDENTIALS ->
                new Failure.Misconfigured(
                        ExitCode.CREDENTIALS,
                        problem.toString(),
                        "Check feldera.api-key; ingress needs the Write role.");
            case MISCONFIGURED ->
                new Failure.Misconfigured(
                        ExitCode.CONFIGURATION, problem.toString(), "Check feldera.url, feldera.pipeline and tables.");
            case PROTOCOL, PERMANENT ->
                new Failure.Permanent(ExitCode.PROTOCOL, problem.toString(), "Look at the pipeline's state and log.");
        };
    }

    /** The whole chain of causes in one line: the ends put neither values nor secrets into theirs. */
    private static String text(Throwable thrown) {
        String own = String.valueOf(thrown.getMessage());
        Throwable cause = thrown.getCause();
        return cause == null ? own : own + ": " + cause.getMessage();
    }
}
