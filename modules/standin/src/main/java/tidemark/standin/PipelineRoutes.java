package tidemark.standin;

import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.ServerRequest;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/** The routes of the API server that it passes on to the process of a pipeline (feldera.md 1.1). */
final class PipelineRoutes {
    private final Function<ServerRequest, Pipeline> pipelines;
    private final StandinSettings settings;

    PipelineRoutes(Function<ServerRequest, Pipeline> pipelines, StandinSettings settings) {
        this.pipelines = pipelines;
        this.settings = settings;
    }

    /** @param handler makes a handler of a route */
    void add(HttpRules rules, Function<Route, Handler> handler) {
        String root = "/pipelines/{name}";
        rules.post(root + "/ingress/{table}", handler.apply(this::ingress))
                .get(
                        root + "/completion_status",
                        handler.apply((request, query) -> ProcessAnswers.completionStatus(process(request), query)))
                .get(root + "/stats", handler.apply((request, _) -> ProcessAnswers.stats(process(request))))
                .get(root + "/metrics", handler.apply((request, _) -> ProcessAnswers.metrics(process(request))))
                .post(
                        root + "/start_transaction",
                        handler.apply((request, _) ->
                                twice(request, () -> ProcessAnswers.startTransaction(process(request)))))
                .post(
                        root + "/commit_transaction",
                        handler.apply((request, _) ->
                                twice(request, () -> ProcessAnswers.commitTransaction(process(request)))))
                .post(root + "/checkpoint", handler.apply((request, _) -> checkpoint(request)))
                .get(
                        root + "/checkpoint_status",
                        handler.apply((request, query) -> ProcessAnswers.checkpointStatus(process(request), query)))
                .get(root + "/checkpoints", handler.apply((request, _) -> ProcessAnswers.checkpoints(process(request))))
                .post(root + "/pause", handler.apply((request, _) -> ProcessAnswers.run(process(request), false)))
                .post(root + "/resume", handler.apply((request, _) -> ProcessAnswers.run(process(request), true)))
                .get(root + "/query", handler.apply(this::query))
                .post(root + "/query", handler.apply((_, _) -> unclassified()));
        addConnectors(rules, handler);
    }

    private PipelineProcess process(ServerRequest request) {
        return pipelines.apply(request).process();
    }

    private Reply ingress(ServerRequest request, QueryParameters query) {
        long begun = System.nanoTime();
        Pipeline pipeline = pipelines.apply(request);
        PipelineProcess process = pipeline.process();
        IngressRequest received = IngressRequest.forwarded(request, query, pipeline);
        Duration left = settings.apiServerLimit().minusNanos(System.nanoTime() - begun);
        if (left.isNegative()) {
            // The upload alone took too long, and nothing of it is applied (feldera.md 16).
            throw Forwarding.timedOut(request);
        }
        return Forwarding.await(request, left, () -> ProcessAnswers.ingress(process, received));
    }

    private void addConnectors(HttpRules rules, Function<Route, Handler> handler) {
        String connector = "/pipelines/{name}/tables/{table}/connectors/{connector}";
        rules.post(connector + "/pause", handler.apply((request, _) -> pauseEndpoint(request, true)))
                .post(connector + "/start", handler.apply((request, _) -> pauseEndpoint(request, false)))
                .get(
                        connector + "/stats",
                        handler.apply(
                                (request, _) -> ProcessAnswers.endpointStats(process(request), endpoint(request))))
                .get(
                        connector + "/completion_token",
                        handler.apply(
                                (request, _) -> ProcessAnswers.endpointToken(process(request), endpoint(request))));
    }

    private Reply pauseEndpoint(ServerRequest request, boolean on) {
        return ProcessAnswers.pauseEndpoint(process(request), endpoint(request), on);
    }

    /** By the table's canonical name: an endpoint of another spelling is not found this way (feldera.md 2). */
    private static String endpoint(ServerRequest request) {
        var path = request.path().pathParameters();
        return SqlName.inPath(path.get("table")).text() + '.' + path.get("connector");
    }

    /**
     * A call that is no stream is sent again by the API server when its first answer is lost: the client gets the
     * second one (feldera.md 3).
     */
    private Reply twice(ServerRequest request, Supplier<Reply> call) {
        if (pipelines.apply(request).faults().takeRepeatedCall()) {
            Reply _ = call.get();
        }
        return call.get();
    }

    private Reply checkpoint(ServerRequest request) {
        if (settings.edition() == Edition.OPEN_SOURCE) {
            throw ApiError.enterpriseFeature("checkpoint");
        }
        return ProcessAnswers.checkpoint(process(request));
    }

    private Reply query(ServerRequest request, QueryParameters query) {
        Pipeline pipeline = pipelines.apply(request);
        return ProcessAnswers.query(pipeline.process(), query, pipeline.faults());
    }

    /** The one error without details. */
    private static Reply unclassified() {
        return Reply.Whole.json(
                403,
                "{\"message\":\"This endpoint has no access-control classification and is denied\","
                        + "\"error_code\":\"InsufficientPermissions\"}");
    }
}
