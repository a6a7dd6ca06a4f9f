package tidemark.sink;

import io.helidon.webclient.api.TcpClientConnection;
import io.helidon.webclient.http1.Http1ClientResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import tidemark.sink.FelderaHttp.Reply;

/**
 * One Feldera pipeline over its HTTP API. Thread safe: questions go on while a POST is under way.
 *
 * <p>An interrupt ends the call at once, as a failure, and leaves the interrupt status set. A POST that was interrupted
 * is {@link IngressReply.Unknown} unless nothing of it had been sent.
 */
public final class FelderaClient implements Destination, AutoCloseable {
    /**
     * Of every POST, for ever: the parameters are part of the endpoint's identity, and order holds only within one
     * (§1.3).
     */
    private static final Map<String, String> INGRESS =
            parameters("array", "true", "format", "json", "update_format", "insert_delete");

    private final FelderaHttp http;
    private final FelderaSettings settings;

    /** @throws SinkFailure if the CA file cannot be used */
    public FelderaClient(FelderaSettings settings) {
        this(settings, System::nanoTime);
    }

    FelderaClient(FelderaSettings settings, LongSupplier nanoClock) {
        this.settings = settings;
        this.http = new FelderaHttp(settings, nanoClock);
    }

    @Override
    public String address() {
        return settings.address();
    }

    @Override
    public PipelineStatus pipeline() {
        String attempted = "get pipeline " + settings.pipeline();
        return ask(attempted, "", Map.of("selector", "status"), PipelineJson.Pipeline.class)
                .status();
    }

    @Override
    public List<FelderaTable> tables() {
        String attempted = "get tables of pipeline " + settings.pipeline();
        PipelineJson.Pipeline pipeline = ask(attempted, "", Map.of(), PipelineJson.Pipeline.class);
        return pipeline.tables()
                .orElseThrow(() -> new SinkFailure(new Problem(
                        attempted,
                        200,
                        "",
                        "no schema, program_status " + pipeline.status().programStatus(),
                        pipeline.compilationFailed() ? SinkFailure.Kind.MISCONFIGURED : SinkFailure.Kind.TRANSIENT)));
    }

    @Override
    public PipelineStats stats() {
        String attempted = "get stats";
        return ask(attempted, "/stats", Map.of(), StatsJson.Stats.class)
                .stats()
                .orElseThrow(() -> new SinkFailure(
                        ReplyProblem.undocumented(attempted, 200, "stats without an incarnation_uuid")));
    }

    @Override
    public Completion completion(CompletionToken token) {
        String attempted = "get completion_status";
        return switch (reply(attempted, "/completion_status", Map.of("token", token.text()))) {
            case Reply.Failed<byte[]>(int status, ErrorBody body) when voids(status, body) -> new Completion.Voided();
            case Reply.Failed<byte[]>(int status, ErrorBody body) -> throw failure(attempted, status, body);
            case Reply.Ok<byte[]>(byte[] body) ->
                completion(attempted, parsed(attempted, body, TokenJson.Status.class));
        };
    }

    /** A pipeline that is shutting down answers 410 as well; its tokens are void only when it is gone. */
    private static boolean voids(int status, ErrorBody body) {
        return status == 410 && !body.errorCode().equals(FelderaError.TERMINATING.code());
    }

    private static Completion completion(String attempted, TokenJson.Status reply) {
        String status = reply.status().orElse("");
        return switch (status) {
            case "complete" -> new Completion.Complete();
            case "inprogress" -> new Completion.InProgress(reply.step().isPresent());
            default -> throw new SinkFailure(ReplyProblem.undocumented(attempted, 200, "unknown completion status"));
        };
    }

    @Override
    public IngressReply post(TableBody body) {
        String attempted = "post to " + body.table();
        TcpClientConnection connection;
        try {
            connection = http.connect();
        } catch (RuntimeException unsent) {
            Problem problem = ReplyProblem.of(attempted, unsent);
            return problem.kind() == SinkFailure.Kind.TRANSIENT
                    ? new IngressReply.NotNow(problem)
                    : new IngressReply.Refused(problem);
        }
        String path = "/ingress/" + FelderaHttp.encoded(body.table().spelling());
        try {
            return switch (http.post(connection, path, INGRESS, new Upload(connection, body.bytes(), body.length()))) {
                case Reply.Ok<byte[]>(byte[] reply) -> accepted(attempted, reply);
                case Reply.Failed<byte[]>(int status, ErrorBody error) -> notAccepted(attempted, status, error);
            };
        } catch (RuntimeException broken) {
            return new IngressReply.Unknown(ReplyProblem.of(attempted, broken));
        }
    }

    private static IngressReply accepted(String attempted, byte[] reply) {
        return ReplyJson.read(reply, TokenJson.Issued.class)
                .flatMap(TokenJson.Issued::token)
                .<IngressReply>map(token -> new IngressReply.Accepted(CompletionToken.read(token)))
                .orElseGet(() ->
                        new IngressReply.Unknown(ReplyProblem.undocumented(attempted, 200, "a reply without a token")));
    }

    private static IngressReply notAccepted(String attempted, int status, ErrorBody error) {
        FelderaError.Meaning meaning = FelderaError.of(status, error.errorCode());
        Problem problem = ReplyProblem.of(attempted, status, error, meaning);
        return switch (meaning.ingress()) {
            case REJECTED -> new IngressReply.Rejected(ReplyProblem.parseErrors(error));
            case NOT_NOW -> new IngressReply.NotNow(problem);
            case REFUSED -> new IngressReply.Refused(problem);
            case UNKNOWN -> new IngressReply.Unknown(problem);
        };
    }

    @Override
    public QueryRows query(String sql, QueryRows.Limits limits) {
        String attempted = "query";
        try {
            return switch (http.open("/query", parameters("format", "json", "sql", sql), limits.silence())) {
                case Reply.Ok<Http1ClientResponse>(Http1ClientResponse response) -> new QueryStream(response, limits);
                case Reply.Failed<Http1ClientResponse>(int status, ErrorBody body) ->
                    throw failure(attempted, status, body);
            };
        } catch (SinkFailure failure) {
            throw failure;
        } catch (RuntimeException broken) {
            throw new SinkFailure(ReplyProblem.of(attempted, broken), broken);
        }
    }

    private <T> T ask(String attempted, String path, Map<String, String> parameters, Class<T> type) {
        return switch (reply(attempted, path, parameters)) {
            case Reply.Ok<byte[]>(byte[] body) -> parsed(attempted, body, type);
            case Reply.Failed<byte[]>(int status, ErrorBody body) -> throw failure(attempted, status, body);
        };
    }

    private Reply<byte[]> reply(String attempted, String path, Map<String, String> parameters) {
        try {
            return http.ask(path, parameters);
        } catch (RuntimeException broken) {
            throw new SinkFailure(ReplyProblem.of(attempted, broken), broken);
        }
    }

    private static <T> T parsed(String attempted, byte[] body, Class<T> type) {
        return ReplyJson.read(body, type)
                .orElseThrow(
                        () -> new SinkFailure(ReplyProblem.undocumented(attempted, 200, "not the documented JSON")));
    }

    private static SinkFailure failure(String attempted, int status, ErrorBody body) {
        FelderaError.Meaning meaning = FelderaError.of(status, body.errorCode());
        return new SinkFailure(ReplyProblem.of(attempted, status, body, meaning));
    }

    private static Map<String, String> parameters(String... namesAndValues) {
        Map<String, String> parameters = new TreeMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) parameters.put(namesAndValues[i], namesAndValues[i + 1]);
        return parameters;
    }

    /** Open connections are closed; calls under way fail. */
    @Override
    public void close() {
        http.close();
    }
}
