package tidemark.standin;

import jakarta.json.Json;
import jakarta.json.JsonValue;

/** An error in the one shape that both of Feldera's servers use: message, code, details (feldera.md 1.7). */
final class ApiError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final String message;
    private final transient JsonValue details;

    ApiError(int status, String code, String message, JsonValue details) {
        super(code + ": " + message, null, false, false);
        this.status = status;
        this.code = code;
        this.message = message;
        this.details = details;
    }

    ApiError(int status, String code, String message) {
        this(status, code, message, JsonValue.EMPTY_JSON_OBJECT);
    }

    /** An error whose details repeat its text, with a message that ends in a dot of its own. */
    static ApiError repeated(int status, String code, String prefix, String error) {
        return new ApiError(
                status,
                code,
                prefix + error + '.',
                Json.createObjectBuilder().add("error", error).build());
    }

    static ApiError adHocQuery(String error) {
        return repeated(400, "AdHocQueryError", "Error during query processing: ", error);
    }

    static ApiError invalidToken(String error) {
        return repeated(400, "InvalidParam", "Invalid parameter: ", "invalid completion token: " + error);
    }

    static ApiError unknownTable(IngressParameters parameters) {
        String endpoint = parameters.endpointName();
        return new ApiError(
                404,
                "ConfigError.UnknownInputStream",
                "invalid controller configuration: Input endpoint '" + endpoint + "' specifies unknown table '"
                        + parameters.table() + "'",
                Json.createObjectBuilder()
                        .add(
                                "config_error",
                                Json.createObjectBuilder()
                                        .add("endpoint_name", endpoint)
                                        .add("stream_name", parameters.table()))
                        .build());
    }

    static ApiError restarted(String before, String now) {
        String error =
                "Completion token was created by a previous incarnation of the pipeline (incarnation uuid: " + before
                        + ") and is not valid for the current incarnation (" + now
                        + "). This indicates that the pipeline was suspended and resumed from a checkpoint or restarted after a"
                        + " failure.";
        return new ApiError(
                410,
                "PipelineRestarted",
                error,
                Json.createObjectBuilder().add("error", error).build());
    }

    /** Of a process that replays its journal. */
    static ApiError restoreInProgress() {
        return new ApiError(
                503,
                "RestoreInProgress",
                "Operation failed because the pipeline is restoring its state from a checkpoint");
    }

    /** Of a process whose program is not the one of its checkpoint. */
    static ApiError bootstrapInProgress() {
        return new ApiError(
                503,
                "BootstrapInProgress",
                "Operation failed because the pipeline is bootstrapping modified parts of its program");
    }

    /** Of a process that has no controller yet. */
    static ApiError initializing() {
        return new ApiError(503, "Initializing", "Operation failed because the pipeline is still initializing");
    }

    static ApiError suspended() {
        return new ApiError(
                503, "Suspended", "Operation failed because the pipeline has been suspended.", JsonValue.NULL);
    }

    static ApiError unsuspendable() {
        return new ApiError(
                500,
                "SuspendError",
                Checkpoints.IMPOSSIBLE,
                Json.createObjectBuilder()
                        .add("Permanent", Json.createArrayBuilder().add("EnterpriseFeature"))
                        .build());
    }

    static ApiError invalidInitialStatus() {
        return new ApiError(
                500,
                "InvalidInitialStatus",
                "The pipeline was suspended under this deployment and cannot be started under it again");
    }

    /** Two first requests to one endpoint, and this one came second (feldera.md 1.3). */
    static ApiError duplicateEndpoint(String endpoint) {
        return new ApiError(
                400,
                "ConfigError.DuplicateInputEndpoint",
                "invalid controller configuration: input endpoint '" + endpoint + "' already exists",
                Json.createObjectBuilder()
                        .add("config_error", Json.createObjectBuilder().add("endpoint_name", endpoint))
                        .build());
    }

    static ApiError unknownEndpoint(String endpoint) {
        return new ApiError(
                404,
                "UnknownInputEndpoint",
                "unknown input endpoint name '" + endpoint + "'",
                Json.createObjectBuilder().add("endpoint_name", endpoint).build());
    }

    static ApiError enterpriseFeature(String feature) {
        return new ApiError(
                501,
                "EnterpriseFeature",
                "Cannot use enterprise-only feature (" + feature + ") in Feldera community edition.",
                Json.createObjectBuilder().add("feature", feature).build());
    }

    static ApiError otherIncarnation(String requested, String expected) {
        return new ApiError(
                400,
                "IncarnationUuidMismatch",
                "Incarnation UUID mismatch (" + requested + " in request, expected " + expected + ")",
                Json.createObjectBuilder()
                        .add("expected", expected)
                        .add("requested", requested)
                        .build());
    }

    static ApiError unknownEndpoint(long id) {
        return new ApiError(
                410,
                "UnknownEndpointInCompletionToken",
                "completion token specifies input endpoint id " + id
                        + ", which doesn't exist; this indicates that the input"
                        + " connector was deleted after the completion token was generated",
                Json.createObjectBuilder().add("endpoint_id", id).build());
    }

    int status() {
        return status;
    }

    String json() {
        return Json.createObjectBuilder()
                .add("message", message)
                .add("error_code", code)
                .add("details", details)
                .build()
                .toString();
    }
}
