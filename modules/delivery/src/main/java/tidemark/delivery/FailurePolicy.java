package tidemark.delivery;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import tidemark.decode.MalformedMessage;
import tidemark.replication.SlotStatus;
import tidemark.replication.SourceFailure;
import tidemark.replication.SourceIdentity;
import tidemark.sink.FelderaName;
import tidemark.sink.IngressReply;
import tidemark.sink.Problem;
import tidemark.sink.SinkFailure;

/**
 * The one place that decides what a failure means. The ends have classified theirs already, by SQLSTATE, HTTP status,
 * error_code or exception type; nothing here or there looks at message text.
 */
final class FailurePolicy {
    private static final int HTTP_OK = 200;
    private static final int FRAMES_TOLD = 8;
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
                new Failure.Misconfigured(ExitCode.CONFIGURATION, whole(state), state.remedy());
            case InvariantViolation broken -> new Failure.Permanent(ExitCode.BROKEN_INVARIANT, text(broken), REPORT);
            default -> new Failure.Permanent(ExitCode.BROKEN_INVARIANT, unexpected(thrown), REPORT);
        };
    }

    /** @param mends the next session makes a slot that went anew, and reads again what went with it */
    static Failure of(RuntimeException thrown, boolean mends) {
        return mends && thrown instanceof SourceFailure lost && lost.kind() == SourceFailure.Kind.SLOT_LOST
                ? Failure.peer(text(lost), lost.remedy())
                : of(thrown);
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
            case MISCONFIGURED -> new Failure.Misconfigured(ExitCode.CONFIGURATION, text(failure), failure.remedy());
            case SLOT_LOST ->
                new Failure.Misconfigured(
                        ExitCode.CONFIGURATION, text(failure), Remedy.MEND + " And " + failure.remedy() + ".");
            case DATA -> new Failure.Permanent(ExitCode.DATA, text(failure), failure.remedy());
            case PROTOCOL, PERMANENT -> new Failure.Permanent(ExitCode.PROTOCOL, text(failure), failure.remedy());
        };
    }

    /** Of a server that did not answer, however often it was asked. */
    static Failure ofSilence(Duration lasting, SourceFailure last) {
        return Failure.peer(
                "PostgreSQL has been out of reach for %d s: %s".formatted(lasting.toSeconds(), text(last)),
                last.remedy());
    }

    /** Of a slot that went before its tables were copied. The next session finds out what can be done. */
    static Failure ofSlot(SourceIdentity source, SlotStatus now) {
        String name = source.slot();
        String copied = "while its tables were copied";
        return switch (now) {
            case SlotStatus.Lost lost ->
                Failure.peer("slot %s was lost %s (%s)".formatted(name, copied, lost.why()), lost.remedy());
            case SlotStatus.Missing _, SlotStatus.HalfMade _ ->
                Failure.peer("slot %s was dropped %s".formatted(name, copied), "Find out who drops it.");
            case SlotStatus.Foreign(String why) ->
                Failure.peer(
                        "slot %s was replaced %s: %s".formatted(name, copied, why), "Choose another postgres.slot.");
            case SlotStatus.Usable _ ->
                Failure.peer("slot %s was moved, or made anew, %s".formatted(name, copied), "Find out who uses it.");
        };
    }

    static Failure ofSink(Problem problem) {
        return switch (problem.kind()) {
            case TRANSIENT -> Failure.peer(problem.toString(), passing(problem));
            case CREDENTIALS ->
                new Failure.Misconfigured(
                        ExitCode.CREDENTIALS,
                        problem.toString(),
                        "Check feldera.api-key; ingress needs the Write role.");
            case MISCONFIGURED ->
                new Failure.Misconfigured(
                        ExitCode.CONFIGURATION, problem.toString(), "Check feldera.url, feldera.pipeline and tables.");
            case PROTOCOL ->
                new Failure.Permanent(
                        ExitCode.PROTOCOL,
                        problem.toString(),
                        "Make sure that feldera.url names Feldera's API server itself; then look at the pipeline's log.");
            case PERMANENT ->
                new Failure.Permanent(ExitCode.PROTOCOL, problem.toString(), "Look at the pipeline's state and log.");
        };
    }

    /**
     * Of an answer to a query of all rows of a table. What a 200 turns into passes with another try: Feldera was short
     * of something, or the connection broke. But in a table without key it may be a row with a negative weight, which
     * fails every query until it is empty again (delivery-rules.md R12).
     *
     * @param why it is asked: the table was … truncated, merged
     */
    static RuntimeException ofAnswer(TablePlan plan, String why, SinkFailure failure) {
        if (failure.problem().status() != HTTP_OK) return failure;
        if (failure.kind() == SinkFailure.Kind.PERMANENT
                && plan.feldera().primaryKey().isEmpty()) {
            return new RowRefused(new Finding(
                    plan.label(),
                    "it was %s, and Feldera cannot read it: %s; a table without key stays so once a row was deleted from it that it did not have"
                            .formatted(why, failure.problem()),
                    Remedy.RESTART_EMPTY));
        }
        return new SessionOver(Failure.peer(
                "%s was %s, and Feldera did not answer with all of its rows: %s"
                        .formatted(plan.label(), why, failure.problem()),
                "Nothing: the next session asks again. If it goes on, look at the pipeline's log."));
    }

    /**
     * Of a table that counted what was not sent to it, and may hold rows that PostgreSQL does not.
     *
     * @param mends the next session reads it again
     */
    static Failure ofCount(String what, boolean mends) {
        String keepAway = "Make sure that nobody else posts to this table";
        return mends
                ? Failure.peer(what + ": the table is read again", keepAway + ".")
                : new Failure.Permanent(
                        ExitCode.CONFIGURATION,
                        what + ": the table may hold rows that PostgreSQL does not",
                        keepAway + ". " + Remedy.MEND);
    }

    /** Of a POST that Feldera did not accept, or of which nobody knows. */
    static Failure ofReply(FelderaName table, IngressReply reply) {
        return switch (reply) {
            case IngressReply.Rejected(String what) ->
                new Failure.Permanent(
                        ExitCode.DATA,
                        "Feldera rejected rows of table %s: %s".formatted(table, what),
                        "Change the Feldera table so that it can take them, or mend the rows in PostgreSQL.");
            case IngressReply.NotNow(var problem) -> Failure.peer(problem.toString(), "Wait, or start the pipeline.");
            case IngressReply.Refused(var problem) -> ofSink(problem);
            case IngressReply.Unknown(var problem) ->
                Failure.peer(
                        "no usable reply to a POST for table %s, whose effect is unknown: %s".formatted(table, problem),
                        "Nothing: the next session waits until it can no longer take effect, then replays.");
            case IngressReply.Accepted _ -> throw new InvariantViolation("an accepted POST is not a failure");
        };
    }

    /** Of a command that does not try again. */
    static ExitCode exitAtOnce(Failure failure) {
        return switch (failure) {
            case Failure.Transient(var _, var _, boolean onSlot) -> onSlot ? ExitCode.TEMPORARY : ExitCode.UNREACHABLE;
            case Failure.Permanent permanent -> permanent.exit();
            case Failure.Misconfigured misconfigured -> misconfigured.exit();
        };
    }

    private static String passing(Problem problem) {
        return problem.status() == 0
                ? "Make sure that Feldera's API server runs, and that feldera.url names it and reaches it."
                : "Wait, or look at the pipeline's state and log.";
    }

    /** Its own message only: beneath the source's, the driver's quotes values. */
    private static String text(RuntimeException thrown) {
        return String.valueOf(thrown.getMessage());
    }

    /** With the cause, because the state file holds no rows. */
    private static String whole(UnreadableState state) {
        Throwable cause = state.getCause();
        return cause == null ? text(state) : text(state) + ": " + cause.getMessage();
    }

    /** Where it happened, so that a report is of use; not its message, which may quote a value. */
    private static String unexpected(RuntimeException thrown) {
        return Arrays.stream(thrown.getStackTrace())
                .limit(FRAMES_TOLD)
                .map(frame -> "%s.%s:%d".formatted(frame.getClassName(), frame.getMethodName(), frame.getLineNumber()))
                .collect(Collectors.joining(
                        " < ", "unexpected " + thrown.getClass().getName() + " at ", ""));
    }
}
