package tidemark.sink;

/**
 * What became of one POST to {@code /ingress}. Every status and error_code of feldera.md §1.7 maps to one of these;
 * anything else is {@link Unknown}, whose outcome is not known either.
 */
public sealed interface IngressReply {
    /** 200: queued in the pipeline's memory. Proves nothing more. */
    record Accepted(CompletionToken token) implements IngressReply {}

    /**
     * 400 ParseErrors: Feldera cannot take the data; nothing of the array was applied. {@code what} carries no row
     * values.
     */
    record Rejected(String what) implements IngressReply {}

    /** Nothing was applied and trying again later may work: not deployed, initializing, restoring, connection limit. */
    record NotNow(Problem problem) implements IngressReply {}

    /** Nothing was applied and trying again will not help: no such table or pipeline, credentials, configuration. */
    record Refused(Problem problem) implements IngressReply {}

    /** Time-out, reset, unreachable: the array may have been applied, or may yet be. Never repeat it. */
    record Unknown(Problem problem) implements IngressReply {}
}
