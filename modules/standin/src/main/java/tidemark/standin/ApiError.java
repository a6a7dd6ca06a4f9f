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
