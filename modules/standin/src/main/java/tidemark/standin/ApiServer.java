package tidemark.standin;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonException;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

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

    @Override
    public void routing(HttpRules rules) {
        rules.get("/config", route((_, _) -> config()))
                .get("/pipelines", route((_, query) -> list(query)))
                .put("/pipelines/{name}", route((request, _) -> define(request)))
                .get("/pipelines/{name}", route((request, query) -> describe(request, query)))
                .post("/pipelines/{name}/start", route(this::start))
                .post("/pipelines/{name}/stop", route(this::stop))
                .post("/pipelines/{name}/clear", route((request, _) -> clear(request)));
        new PipelineRoutes(this::pipeline, settings).add(rules, this::route);
    }

    private Handler route(Route route) {
        return (request, response) -> {
            Reply reply;
            try {
                authenticate(request);
                reply = route.reply(request, new QueryParameters(request.query().rawValue()));
            } catch (ApiError error) {
                reply = Reply.Whole.of(error);
            } catch (ProcessGone | NoAnswer _) {
                reply = Reply.Whole.of(Forwarding.unreachable(request, "Disconnected"));
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

    private Reply config() {
        return Reply.Whole.json(
                200,
                Json.createObjectBuilder()
                        .add("version", DescriptorJson.PLATFORM_VERSION)
                        .add("edition", settings.edition().title())
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
        Pipeline pipeline = define(name, json.getString("program_code", ""), faultTolerance(json));
        checkpointInterval(json).ifPresent(pipeline::checkpointEvery);
        return Reply.Whole.json(known ? 200 : 201, pipeline.descriptor(false).toString());
    }

    /** Creates the pipeline, or gives it another program. */
    Pipeline define(String name, String programCode, FaultTolerance tolerance) {
        Pipeline pipeline =
                pipelines.computeIfAbsent(name, missing -> new Pipeline(missing, settings, clock, identities));
        pipeline.define(programCode, tolerance);
        return pipeline;
    }

    /** {@code runtime_config.fault_tolerance}, or an object without members. */
    private static JsonObject tolerance(JsonObject pipeline) {
        JsonValue runtime = pipeline.getOrDefault("runtime_config", JsonValue.EMPTY_JSON_OBJECT);
        return runtime instanceof JsonObject config
                        && config.getOrDefault("fault_tolerance", JsonValue.NULL) instanceof JsonObject tolerance
                ? tolerance
                : JsonValue.EMPTY_JSON_OBJECT;
    }

    private static Optional<Duration> checkpointInterval(JsonObject pipeline) {
        return tolerance(pipeline).getOrDefault("checkpoint_interval_secs", JsonValue.NULL)
                        instanceof JsonNumber seconds
                ? Optional.of(Duration.ofSeconds(seconds.longValue()))
                : Optional.empty();
    }

    private static FaultTolerance faultTolerance(JsonObject pipeline) {
        if (!(tolerance(pipeline).getOrDefault("model", JsonValue.NULL) instanceof JsonString model)) {
            return FaultTolerance.NONE;
        }
        return FaultTolerance.named(model.getString())
                .orElseThrow(() -> new ApiError(
                        400, "InvalidRuntimeConfig", "unknown variant `" + model.getString() + "` of fault_tolerance"));
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

    Pipeline pipeline(ServerRequest request) {
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
        return Reply.Whole.accepted("Pipeline is starting");
    }

    private Reply stop(ServerRequest request, QueryParameters query) {
        Pipeline pipeline = pipeline(request);
        if (!query.first("force").orElse("false").equals("true")) {
            pipeline.suspend();
            return Reply.Whole.accepted("Pipeline is stopping");
        }
        pipeline.stop();
        return Reply.Whole.accepted("Pipeline is forcefully stopping");
    }

    private Reply clear(ServerRequest request) {
        pipeline(request).clear();
        return Reply.Whole.accepted("Pipeline storage is being cleared");
    }

    /** Whoever waits in a process looks again at what it waits for. */
    void wake() {
        pipelines.values().forEach(Pipeline::wake);
    }

    /** Ends all processes. */
    void close() {
        pipelines.values().forEach(Pipeline::stop);
    }
}
