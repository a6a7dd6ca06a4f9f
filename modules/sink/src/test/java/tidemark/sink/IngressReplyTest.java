package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every row of feldera.md §1.7, over a socket, and what is not in it. */
class IngressReplyTest {
    private static final FelderaName USERS = new FelderaName("users", false);
    private static final TableBody BODY = TableBody.empty(USERS);

    private static IngressReply replyTo(String status, String body) {
        try (ScriptedServer server = new ScriptedServer();
                FelderaClient client = new FelderaClient(server.settings())) {
            server.thenReply("HTTP/1.1 " + status + "\ncontent-type: application/json\n", body);
            return client.post(BODY);
        }
    }

    private static Optional<Problem> problem(IngressReply reply) {
        return switch (reply) {
            case IngressReply.Accepted _, IngressReply.Rejected _ -> Optional.empty();
            case IngressReply.NotNow(Problem problem) -> Optional.of(problem);
            case IngressReply.Refused(Problem problem) -> Optional.of(problem);
            case IngressReply.Unknown(Problem problem) -> Optional.of(problem);
        };
    }

    private static final String CATALOGUE = """
            404, UnknownPipelineName,                Refused,  MISCONFIGURED
            503, PipelineInteractionNotDeployed,     NotNow,   TRANSIENT
            503, PipelineUnavailable,                NotNow,   TRANSIENT
            503, PipelineInteractionUnreachable,     Unknown,  TRANSIENT
            500, PipelineMissingDeploymentLocation,  NotNow,   TRANSIENT
            500, PipelineInteractionInvalidResponse, Unknown,  TRANSIENT
            503, LockTookTooLong,                    Unknown,  TRANSIENT
            503, DeadlockDetected,                   Unknown,  TRANSIENT
            503, Initializing,                       NotNow,   TRANSIENT
            503, AwaitingApproval,                   NotNow,   TRANSIENT
            503, Suspended,                          Unknown,  TRANSIENT
            503, RestoreInProgress,                  NotNow,   TRANSIENT
            503, BootstrapInProgress,                NotNow,   TRANSIENT
            410, Terminating,                        Unknown,  TRANSIENT
            410, PipelineRestarted,                  Unknown,  TRANSIENT
            410, UnknownEndpointInCompletionToken,   Unknown,  TRANSIENT
            410, InvalidInitialStatus,               Unknown,  PERMANENT
            500, InitializationError,                Unknown,  TRANSIENT
            500, PipelineTerminated,                 Unknown,  TRANSIENT
            500, DbspPanic,                          Unknown,  TRANSIENT
            500, ControllerPanic,                    Unknown,  TRANSIENT
            500, ControllerExit,                     Unknown,  TRANSIENT
            500, InputTransportError,                Unknown,  TRANSIENT
            500, SuspendError,                       Unknown,  TRANSIENT
            429, ApiConnectionLimit,                 NotNow,   PERMANENT
            400, ConfigError.UnknownInputFormat,     Refused,  MISCONFIGURED
            400, ConfigError.ParserConfigParseError, Refused,  MISCONFIGURED
            400, ConfigError.InputFormatNotSupported, Refused, MISCONFIGURED
            400, ConfigError.DuplicateInputEndpoint, NotNow,   TRANSIENT
            404, ConfigError.UnknownInputStream,     Refused,  MISCONFIGURED
            404, ConfigError.UnknownOutputStream,    Refused,  MISCONFIGURED
            404, UnknownInputEndpoint,               Refused,  MISCONFIGURED
            404, UnknownOutputEndpoint,              Refused,  MISCONFIGURED
            400, InvalidParam,                       Refused,  PERMANENT
            400, MissingUrlEncodedParam,             Refused,  PERMANENT
            400, AdHocQueryError,                    Unknown,  PERMANENT
            400, InvalidTransition,                  Unknown,  PERMANENT
            400, InvalidActivateStatus,              Unknown,  PERMANENT
            400, IncarnationUuidMismatch,            Unknown,  PERMANENT
            409, TransactionInProgress,              Unknown,  PERMANENT
            400, NoTransactionInProgress,            Unknown,  PERMANENT
            501, EnterpriseFeature,                  Unknown,  MISCONFIGURED
            400, CannotStartWithUndismissedError,    Unknown,  PERMANENT
            400, CannotStartWhileClearingStorage,    Unknown,  PERMANENT
            400, CannotStartWithCompilationError,    Unknown,  PERMANENT
            400, StartFailedDueToFailedCompilation,  Unknown,  PERMANENT
            400, IllegalPipelineAction,              Unknown,  PERMANENT
            405, UnsupportedPipelineAction,          Unknown,  PERMANENT
            401, AuthenticationFailed,               Refused,  CREDENTIALS
            401, InvalidApiKey,                      Refused,  CREDENTIALS
            403, InsufficientPermissions,            Refused,  CREDENTIALS
            403, NotATenantMember,                   Refused,  CREDENTIALS
            """;

    @ParameterizedTest
    @CsvSource(textBlock = CATALOGUE)
    void tellsWhetherRowsMayHavePassedForEveryErrorInTheCatalogue(
            int status, String code, String reply, SinkFailure.Kind kind) {
        IngressReply told = replyTo(
                status + " Some Reason", "{\"message\":\"m\",\"error_code\":\"%s\",\"details\":null}".formatted(code));

        assertThat(told.getClass().getSimpleName()).isEqualTo(reply);
        assertThat(problem(told)).hasValueSatisfying(problem -> {
            assertThat(problem.kind()).isEqualTo(kind);
            assertThat(problem.status()).isEqualTo(status);
            assertThat(problem.errorCode()).isEqualTo(code);
            assertThat(problem.attempted()).contains("users");
        });
    }

    /** ParseErrors is told apart: it has a test of its own. */
    @Test
    void theCatalogueTestHasEveryRowOfTheTable() {
        List<String> tested =
                CATALOGUE.lines().map(line -> line.split(",", -1)[1].strip()).toList();
        assertThat(Arrays.stream(FelderaError.values()).map(FelderaError::code))
                .allMatch(code -> code.equals("ParseErrors") || tested.contains(code));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            503 Service Unavailable | {"message":"m","error_code":"BrandNew"}       | PROTOCOL
            500 Internal            | {"message":"m","error_code":"BrandNew"}       | PROTOCOL
            500 Initializing        | {"message":"m","error_code":"Initializing"}   | PROTOCOL
            400 Bad Request         | Query deserialize error: missing field `token`| PROTOCOL
            404 Not Found           | ''                                            | PROTOCOL
            204 No Content          | ''                                            | PROTOCOL
            307 Temporary Redirect  | ''                                            | PROTOCOL
            408 Request Timeout     | ''                                            | TRANSIENT
            502 Bad Gateway         | <html>proxy</html>                            | TRANSIENT
            503 Service Unavailable | <html>proxy</html>                            | TRANSIENT
            504 Gateway Timeout     | ''                                            | TRANSIENT
            200 OK                  | {"tok                                         | PROTOCOL
            200 OK                  | {"nothing":"here"}                            | PROTOCOL
            200 OK                  | ''                                            | PROTOCOL
            """)
    void whatIsNotInTheCatalogueMayHaveBeenApplied(String status, String body, SinkFailure.Kind kind) {
        IngressReply reply = replyTo(status, body);
        assertThat(reply)
                .isInstanceOfSatisfying(
                        IngressReply.Unknown.class,
                        unknown -> assertThat(unknown.problem().kind()).isEqualTo(kind));
    }

    @ParameterizedTest
    @CsvSource({"401 Unauthorized", "403 Forbidden"})
    void credentialsAreRefusedInWhateverWords(String status) {
        assertThat(replyTo(status, "go away"))
                .isInstanceOfSatisfying(
                        IngressReply.Refused.class,
                        refused -> assertThat(refused.problem().kind()).isEqualTo(SinkFailure.Kind.CREDENTIALS));
    }

    /** Recorded: feldera/15-manager-run, a null for a NOT NULL key and a string for it. */
    @Test
    void rejectedRowsAreToldByColumnAndReasonAndNeverByValue() {
        IngressReply reply = replyTo("400 Bad Request", """
                {"message":"Errors parsing input data (2 errors):\\n    Parse error (event #2): failed to deserialize JSON record: error parsing field 'id': invalid type: string \\"s3cret\\", expected i64 at line 1 column 11\\nInvalid fragment: '{\\"id\\": \\"s3cret\\"}'","error_code":"ParseErrors","details":{"errors":[{"description":"failed to deserialize JSON record: error parsing field 'id': invalid type: string \\"s3cret\\", expected i64 at line 1 column 11","event_number":2,"field":"id","invalid_bytes":null,"invalid_text":"{\\"id\\": \\"s3cret\\"}","suggestion":null,"tag":"text_event_err"},{"description":"failed to parse string as a JSON document: EOF while parsing a string at line 2 column 24","event_number":null,"field":null,"invalid_bytes":null,"invalid_text":"s3cret","suggestion":null,"tag":"text_envelope_err"}],"num_errors":2}}""");

        assertThat(reply)
                .isEqualTo(new IngressReply.Rejected(
                        "2 errors: column id text_event_err (invalid type); text_envelope_err (EOF while parsing)"));
    }

    /**
     * Measured: a 3 MB array was answered with 6.2 MB (feldera.md 16), and the error_code stands behind the first copy.
     */
    @Test
    void readsOnToTheErrorCodeOfAHugeBodyInBoundedMemory() {
        String array = "\\\"\\u00e9x".repeat(800_000);
        IngressReply reply = replyTo("400 Bad Request", """
                {"message":"Errors: '%s'","error_code":"ParseErrors","details":{"errors":[{"description":"trailing characters","field":"c","invalid_text":"%s","tag":"text_envelope_err"}],"num_errors":7}}""".formatted(array, array));

        assertThat(reply)
                .isEqualTo(new IngressReply.Rejected("7 errors: column c text_envelope_err (trailing characters)"));
    }

    @Test
    void namesOfTablesAreToldAndPossibleValuesAreNot() {
        Problem unknownTable = problem(
                        replyTo(
                                "404 Not Found",
                                "{\"message\":\"endpoint specifies unknown table 'nosuch'\",\"error_code\":\"ConfigError.UnknownInputStream\"}"))
                .orElseThrow();
        Problem unheardOf = problem(replyTo(
                        "400 Bad Request",
                        "{\"message\":\"cannot take 4711 as 's3cret'\",\"error_code\":\"BrandNew\"}"))
                .orElseThrow();

        assertThat(unknownTable.prefix()).isEqualTo("endpoint specifies unknown table 'nosuch'");
        assertThat(unheardOf.prefix()).isEqualTo("cannot take # as");
    }
}
