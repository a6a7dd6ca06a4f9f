package tidemark.standin;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The routes under {@code /v0}: Feldera's API server, which answers for its pipelines and passes to their processes
 * what concerns those (feldera.md 0, 1.1). What the stand-in has no route for is a 404.
 */
final class ApiServer implements HttpService {
    private final Map<String, Pipeline> pipelines = new ConcurrentSkipListMap<>();
    private final StandinSettings settings;
    private final Clock clock;
    private final Identities identities;

    ApiServer(StandinSettings settings) {
        this.settings = settings;
        this.clock = settings.clock();
        this.identities = new Identities(settings.clock(), settings.random());
    }

    /** One route: what it answers, or an {@link ApiError}. */
    private interface Route {
        Reply reply(ServerRequest request, QueryParameters query);
    }

    @Override
    public void routing(HttpRules rules) {
        rules.get("/config", route((_, _) -> config()))
                .get("/pipelines", route((_, query) -> list(query)))
                .put("/pipelines/{name}", route((request, _) -> define(request)))
                .get("/pipelines/{name}", route((request, query) -> describe(request, query)))
                .post("/pipelines/{name}/start", route(this::start))
                .post("/pipelines/{name}/stop", route(this::stop))
                .post("/pipelines/{name}/pause", route((request, _) -> run(request, false)))
                .post("/pipelines/{name}/resume", route((request, _) -> run(request, true)))
                .post("/pipelines/{name}/ingress/{table}", route(this::ingress))
                .get("/pipelines/{name}/completion_status", route(this::completionStatus))
                .get("/pipelines/{name}/stats", route((request, _) -> stats(request)))
                .get("/pipelines/{name}/query", route(this::query))
                .post("/pipelines/{name}/query", route((_, _) -> unclassified()));
    }

    private Handler route(Route route) {
        return (request, response) -> {
            Reply reply;
            try {
                authenticate(request);
                reply = route.reply(request, new QueryParameters(request.query().rawValue()));
            } catch (ApiError error) {
                reply = Reply.Whole.of(error);
            } catch (ProcessGone _) {
                reply = Reply.Whole.of(unreachable(request, "Disconnected"));
            }
            reply.send(response);
        };
    }

    private void authenticate(ServerRequest request) {
        if (settings.apiKey().isEmpty()) {
            return;
        }
        String wanted = "Bearer " + settings.apiKey().get();
        boolean matches = request.headers()
                .first(HeaderNames.AUTHORIZATION)
                .filter(wanted::equals)
                .isPresent();
        if (!matches) {
            throw new ApiError(401, "AuthenticationFailed", "Authentication failed: missing or invalid bearer token");
        }
    }

    private static Reply config() {
        return Reply.Whole.json(
                200,
                Json.createObjectBuilder()
                        .add("version", DescriptorJson.PLATFORM_VERSION)
                        .add("edition", "Open source")
                        .add("revision", "stand-in")
                        .build()
                        .toString());
    }

    private Reply list(QueryParameters query) {
        JsonArrayBuilder all = Json.createArrayBuilder();
        pipelines.values().forEach(pipeline -> all.add(pipeline.descriptor(isStatusOnly(query))));
        return Reply.Whole.json(200, all.build().toString());
    }

    private static boolean isStatusOnly(QueryParameters query) {
        return query.first("selector").filter("status"::equals).isPresent();
    }

    private Reply define(ServerRequest request) {
        String name = request.path().pathParameters().get("name");
        JsonObject json = readObject(request);
        boolean known = pipelines.containsKey(name);
        Pipeline pipeline = define(name, json.getString("program_code", ""));
        return Reply.Whole.json(known ? 200 : 201, pipeline.descriptor(false).toString());
    }

    /** Creates the pipeline, or gives it another program. */
    Pipeline define(String name, String programCode) {
        Pipeline pipeline = pipelines.computeIfAbsent(
                name, missing -> new Pipeline(missing, clock, identities, settings.stepDelay()));
        pipeline.define(programCode);
        return pipeline;
    }

    private static JsonObject readObject(ServerRequest request) {
        try (var reader = Json.createReader(request.content().inputStream())) {
            JsonObject json = reader.readObject();
            if (json.containsKey("program_code") && !(json.get("program_code") instanceof JsonString)) {
                throw new ApiError(400, "InvalidRequest", "Json deserialize error: program_code is no string");
            }
            return json;
        } catch (JsonException bad) {
            throw new ApiError(400, "InvalidRequest", "Json deserialize error: " + bad.getMessage());
        }
    }

    /** Throws when there is none of that name. */
    Pipeline pipeline(String name) {
        return Optional.ofNullable(pipelines.get(name))
                .orElseThrow(() -> new ApiError(
                        404,
                        "UnknownPipelineName",
                        "Unknown pipeline name '" + name + "'",
                        Json.createObjectBuilder().add("pipeline_name", name).build()));
    }

    private Pipeline pipeline(ServerRequest request) {
        return pipeline(request.path().pathParameters().get("name"));
    }

    private Reply describe(ServerRequest request, QueryParameters query) {
        return Reply.Whole.json(
                200, pipeline(request).descriptor(isStatusOnly(query)).toString());
    }

    private Reply start(ServerRequest request, QueryParameters query) {
        String initial = query.first("initial").orElse("running");
        if (!initial.equals("running") && !initial.equals("paused")) {
            throw new ApiError(
                    405,
                    "UnsupportedPipelineAction",
                    "The stand-in starts pipelines running or paused, not " + initial);
        }
        pipeline(request).start(initial);
        return accepted("Pipeline is starting");
    }

    private Reply stop(ServerRequest request, QueryParameters query) {
        Pipeline pipeline = pipeline(request);
        if (!query.first("force").orElse("false").equals("true")) {
            throw new ApiError(
                    501,
                    "EnterpriseFeature",
                    "Cannot use enterprise-only feature (stop?force=false) in Feldera community edition.",
                    Json.createObjectBuilder()
                            .add("feature", "stop?force=false")
                            .build());
        }
        pipeline.stop();
        return accepted("Pipeline is forcefully stopping");
    }

    private Reply run(ServerRequest request, boolean on) {
        boolean was = pipeline(request).process().run(on);
        return accepted(
                "Pipeline transitioning from " + (was ? "Running" : "Paused") + " to " + (on ? "Running" : "Paused"));
    }

    private static Reply accepted(String what) {
        return Reply.Whole.json(202, '"' + what + '"');
    }

    private Reply ingress(ServerRequest request, QueryParameters query) {
        long begun = System.nanoTime();
        Pipeline pipeline = pipeline(request);
        String table = request.path().pathParameters().get("table");
        PipelineProcess process = pipeline.process();
        pipeline.countIngressRequest(table);
        ReceivedBody body = ReceivedBody.read(
                request.content().inputStream(),
                request.headers().contentLength().orElse(-1));
        Duration left = settings.apiServerLimit().minusNanos(System.nanoTime() - begun);
        if (left.isNegative()) {
            throw timedOut(request); // the upload alone took too long, and nothing of it is applied (feldera.md 16)
        }
        return await(request, left, () -> ingest(process, table, query, body));
    }

    /** What the process answers: its errors come through the API server as its tokens do. */
    private static Reply ingest(PipelineProcess process, String table, QueryParameters query, ReceivedBody body) {
        String force = query.first("force").orElse("false");
        if (!force.equals("true") && !force.equals("false")) {
            return Reply.Whole.badQuery("provided string was not `true` or `false`");
        }
        try {
            IngressParameters parameters = IngressParameters.of(table, query);
            CompletionToken token = process.ingest(parameters, force.equals("true"), body);
            return new Reply.Forwarded(200, "{\"token\":\"" + token.text() + "\"}");
        } catch (ApiError error) {
            return Reply.Forwarded.of(error);
        }
    }

    /**
     * The API server waits so long for a pipeline; what it has passed on is not called back when it gives up
     * (feldera.md 1.6).
     */
    private static Reply await(ServerRequest request, Duration limit, Supplier<Reply> passedOn) {
        var answer = new CompletableFuture<Reply>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(passedOn.get());
            } catch (ProcessGone gone) {
                answer.completeExceptionally(gone);
            }
        });
        try {
            return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            throw timedOut(request);
        } catch (ExecutionException _) {
            throw new ProcessGone();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new ProcessGone();
        }
    }

    private static ApiError timedOut(ServerRequest request) {
        return unreachable(
                request,
                "timeout (30s) was reached: this means the pipeline took too long to respond -- this can simply be because"
                        + " the request was too difficult to process in time, or other reasons (e.g., deadlock): the"
                        + " pipeline logs might contain additional information (original send request error: Timeout while"
                        + " waiting for response)");
    }

    private static ApiError unreachable(ServerRequest request, String error) {
        String name = request.path().pathParameters().get("name");
        String failed = "HTTP/1.1 " + request.prologue().method().text().toUpperCase(Locale.ROOT) + " "
                + request.path().path() + "?" + request.query().rawValue();
        return new ApiError(
                503,
                "PipelineInteractionUnreachable",
                "Error sending HTTP request to pipeline: " + error + " Failed request: " + failed
                        + " pipeline-id=N/A pipeline-name=\"" + name + "\"",
                Json.createObjectBuilder()
                        .add("pipeline_name", name)
                        .add("request", failed)
                        .add("error", error)
                        .build());
    }

    private Reply completionStatus(ServerRequest request, QueryParameters query) {
        Optional<String> token = query.first("token");
        if (token.isEmpty()) {
            return Reply.Whole.badQuery("missing field `token`");
        }
        PipelineProcess process = pipeline(request).process();
        PipelineProcess.Completion completion = process.completion(CompletionToken.parse(token.get()));
        String step = completion.step().map(String::valueOf).orElse("null");
        return Reply.Whole.json(
                200,
                "{\"status\":\"" + (completion.complete() ? "complete" : "inprogress") + "\",\"step\":" + step + "}");
    }

    private Reply stats(ServerRequest request) {
        PipelineProcess process = pipeline(request).process();
        return Reply.Whole.json(200, process.stats(Duration.between(process.started(), clock.instant())));
    }

    private Reply query(ServerRequest request, QueryParameters query) {
        PipelineProcess process = pipeline(request).process();
        String format = query.first("format").orElse("text");
        if (!format.equals("json")) {
            return Reply.Whole.badQuery("the stand-in answers format=json, not `" + format + "`");
        }
        try {
            QueryStatement statement = QueryStatement.parse(query.first("sql").orElse(""));
            return new Reply.Rows(process.readTables(tables -> QueryAnswer.plan(statement, tables)));
        } catch (ApiError error) {
            return Reply.Forwarded.of(error);
        }
    }

    private static Reply unclassified() {
        throw new ApiError(
                403, "InsufficientPermissions", "This endpoint has no access-control classification and is denied");
    }

    /** Ends all processes. */
    void close() {
        pipelines.values().forEach(Pipeline::stop);
    }
}
