package tidemark.sink;

import static tidemark.sink.FelderaError.Ingress.NOT_NOW;
import static tidemark.sink.FelderaError.Ingress.REFUSED;
import static tidemark.sink.FelderaError.Ingress.REJECTED;
import static tidemark.sink.FelderaError.Ingress.UNKNOWN;
import static tidemark.sink.SinkFailure.Kind.CREDENTIALS;
import static tidemark.sink.SinkFailure.Kind.MISCONFIGURED;
import static tidemark.sink.SinkFailure.Kind.PERMANENT;
import static tidemark.sink.SinkFailure.Kind.PROTOCOL;
import static tidemark.sink.SinkFailure.Kind.TRANSIENT;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The catalogue of Feldera's errors (feldera.md §1.7): by HTTP status and error_code, never by message, what it tells
 * about rows that were posted, and what a question should do.
 *
 * <p>The two columns are independent. A POST is {@link Ingress#NOT_NOW} or {@link Ingress#REFUSED} only where it is
 * known that nothing was applied, because the request is turned away before a row of it is parsed; where that is not
 * known it is {@link Ingress#UNKNOWN}, however harmless the error looks. What failed inside the pipeline is transient
 * for questions: it passes when somebody restarts the pipeline, and until then the session's give-up time applies.
 */
enum FelderaError {
    // The API server, before it forwards anything: the descriptor's status is checked first (its
    // runner/interaction.rs).
    UNKNOWN_PIPELINE(404, "UnknownPipelineName", REFUSED, MISCONFIGURED),
    NOT_DEPLOYED(503, "PipelineInteractionNotDeployed", NOT_NOW, TRANSIENT),
    UNAVAILABLE(503, "PipelineUnavailable", NOT_NOW, TRANSIENT),
    MISSING_LOCATION(500, "PipelineMissingDeploymentLocation", NOT_NOW, TRANSIENT),
    AUTHENTICATION(401, "AuthenticationFailed", REFUSED, CREDENTIALS),
    API_KEY(401, "InvalidApiKey", REFUSED, CREDENTIALS),
    PERMISSIONS(403, "InsufficientPermissions", REFUSED, CREDENTIALS),
    TENANT(403, "NotATenantMember", REFUSED, CREDENTIALS),

    // The API server, about the pipeline: after 30 s, or with the connection lost. Such a request has been seen to take
    // effect later.
    UNREACHABLE(503, "PipelineInteractionUnreachable", UNKNOWN, TRANSIENT),
    INVALID_RESPONSE(500, "PipelineInteractionInvalidResponse", UNKNOWN, TRANSIENT),
    LOCK_TOOK_TOO_LONG(503, "LockTookTooLong", UNKNOWN, TRANSIENT),
    DEADLOCK(503, "DeadlockDetected", UNKNOWN, TRANSIENT),

    // The pipeline, while it has no controller yet or may not create the endpoint: there is nothing that could take a
    // row.
    INITIALIZING(503, "Initializing", NOT_NOW, TRANSIENT),
    AWAITING_APPROVAL(503, "AwaitingApproval", NOT_NOW, TRANSIENT),
    RESTORE(503, "RestoreInProgress", NOT_NOW, TRANSIENT),
    BOOTSTRAP(503, "BootstrapInProgress", NOT_NOW, TRANSIENT),
    /** No slot becomes free until the pipeline restarts, so a person is needed. */
    API_CONNECTION_LIMIT(429, "ApiConnectionLimit", NOT_NOW, PERMANENT),
    /** Two first requests at once; the endpoint of the other one serves the next. */
    DUPLICATE_ENDPOINT(400, "ConfigError.DuplicateInputEndpoint", NOT_NOW, TRANSIENT),

    // The pipeline, about the request.
    PARSE_ERRORS(400, "ParseErrors", REJECTED, PERMANENT),
    UNKNOWN_INPUT_STREAM(404, "ConfigError.UnknownInputStream", REFUSED, MISCONFIGURED),
    UNKNOWN_OUTPUT_STREAM(404, "ConfigError.UnknownOutputStream", REFUSED, MISCONFIGURED),
    UNKNOWN_INPUT_ENDPOINT(404, "UnknownInputEndpoint", REFUSED, MISCONFIGURED),
    UNKNOWN_OUTPUT_ENDPOINT(404, "UnknownOutputEndpoint", REFUSED, MISCONFIGURED),
    INVALID_PARAM(400, "InvalidParam", REFUSED, PERMANENT),
    MISSING_PARAM(400, "MissingUrlEncodedParam", REFUSED, PERMANENT),

    // The pipeline, ending or ended: what it did with the rows before that is its secret.
    SUSPENDED(503, "Suspended", UNKNOWN, TRANSIENT),
    TERMINATING(410, "Terminating", UNKNOWN, TRANSIENT),
    INVALID_INITIAL_STATUS(410, "InvalidInitialStatus", UNKNOWN, PERMANENT),
    INITIALIZATION(500, "InitializationError", UNKNOWN, TRANSIENT),
    TERMINATED(500, "PipelineTerminated", UNKNOWN, TRANSIENT),
    DBSP_PANIC(500, "DbspPanic", UNKNOWN, TRANSIENT),
    CONTROLLER_PANIC(500, "ControllerPanic", UNKNOWN, TRANSIENT),
    CONTROLLER_EXIT(500, "ControllerExit", UNKNOWN, TRANSIENT),
    SUSPEND_ERROR(500, "SuspendError", UNKNOWN, TRANSIENT),
    INPUT_TRANSPORT(500, "InputTransportError", UNKNOWN, TRANSIENT),

    // Never an answer to a POST of rows.
    RESTARTED(410, "PipelineRestarted", UNKNOWN, TRANSIENT),
    UNKNOWN_ENDPOINT_IN_TOKEN(410, "UnknownEndpointInCompletionToken", UNKNOWN, TRANSIENT),
    AD_HOC_QUERY(400, "AdHocQueryError", UNKNOWN, PERMANENT),
    INVALID_TRANSITION(400, "InvalidTransition", UNKNOWN, PERMANENT),
    INVALID_ACTIVATE_STATUS(400, "InvalidActivateStatus", UNKNOWN, PERMANENT),
    INCARNATION_MISMATCH(400, "IncarnationUuidMismatch", UNKNOWN, PERMANENT),
    TRANSACTION_IN_PROGRESS(409, "TransactionInProgress", UNKNOWN, PERMANENT),
    NO_TRANSACTION(400, "NoTransactionInProgress", UNKNOWN, PERMANENT),
    ENTERPRISE_FEATURE(501, "EnterpriseFeature", UNKNOWN, MISCONFIGURED),
    UNDISMISSED_ERROR(400, "CannotStartWithUndismissedError", UNKNOWN, PERMANENT),
    CLEARING_STORAGE(400, "CannotStartWhileClearingStorage", UNKNOWN, PERMANENT),
    COMPILATION_ERROR(400, "CannotStartWithCompilationError", UNKNOWN, PERMANENT),
    FAILED_COMPILATION(400, "StartFailedDueToFailedCompilation", UNKNOWN, PERMANENT),
    ILLEGAL_ACTION(400, "IllegalPipelineAction", UNKNOWN, PERMANENT),
    UNSUPPORTED_ACTION(405, "UnsupportedPipelineAction", UNKNOWN, PERMANENT);

    /** What became of posted rows. */
    enum Ingress {
        REJECTED,
        NOT_NOW,
        REFUSED,
        UNKNOWN
    }

    /** @param namesOnly the message quotes names of tables and pipelines, never rows */
    record Meaning(Ingress ingress, SinkFailure.Kind kind, boolean namesOnly) {}

    private static final String CONFIG_ERROR = "ConfigError.";
    private static final Map<String, FelderaError> BY_CODE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(error -> error.code, error -> error));

    private final int status;
    private final String code;
    private final Ingress ingress;
    private final SinkFailure.Kind kind;

    FelderaError(int status, String code, Ingress ingress, SinkFailure.Kind kind) {
        this.status = status;
        this.code = code;
        this.ingress = ingress;
        this.kind = kind;
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    /** @param errorCode empty when the body told none */
    static Meaning of(int status, String errorCode) {
        FelderaError known = BY_CODE.get(errorCode);
        if (known != null && known.status == status) return known.meaning();
        // Raised while the endpoint is configured, before it exists (§1.2, §1.3).
        if (status == 400 && errorCode.startsWith(CONFIG_ERROR)) return new Meaning(REFUSED, MISCONFIGURED, true);
        // Also from something between us and Feldera, in its own words: without credentials nothing passes.
        if (status == 401 || status == 403) return new Meaning(REFUSED, CREDENTIALS, false);
        // Nothing to go by but the status, and these mean "later" in HTTP (§8). Whether rows passed, they do not say.
        boolean later = status == 408 || status == 429 || status == 502 || status == 503 || status == 504;
        return new Meaning(UNKNOWN, errorCode.isEmpty() && later ? TRANSIENT : PROTOCOL, false);
    }

    private Meaning meaning() {
        boolean quotesRows =
                this == PARSE_ERRORS || this == AD_HOC_QUERY || this == INPUT_TRANSPORT || kind == PERMANENT;
        return new Meaning(ingress, kind, !quotesRows);
    }
}
