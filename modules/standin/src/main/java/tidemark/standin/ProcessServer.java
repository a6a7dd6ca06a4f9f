package tidemark.standin;

import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import java.util.function.Function;

/**
 * The pipelines' own HTTP servers, which the API server stands in front of: no authentication, no limit of time, pause
 * and start by GET, {@code /status}. All processes share one port here; the first part of the path says which.
 */
final class ProcessServer implements HttpService {
    private final Function<ServerRequest, Pipeline> pipelines;
    private final Resets resets;

    /** @param resets of the connections to this server */
    ProcessServer(Function<ServerRequest, Pipeline> pipelines, Resets resets) {
        this.pipelines = pipelines;
        this.resets = resets;
    }

    @Override
    public void routing(HttpRules rules) {
        rules.post("/{name}/ingress/{table}", route(this::ingress))
                .get(
                        "/{name}/completion_status",
                        route((request, query) -> ProcessAnswers.completionStatus(process(request), query)))
                .get("/{name}/status", route((request, _) -> ProcessAnswers.status(process(request))))
                .get("/{name}/stats", route((request, _) -> ProcessAnswers.stats(process(request))))
                .get("/{name}/metrics", route((request, _) -> ProcessAnswers.metrics(process(request))))
                .post(
                        "/{name}/start_transaction",
                        route((request, _) -> ProcessAnswers.startTransaction(process(request))))
                .post(
                        "/{name}/commit_transaction",
                        route((request, _) -> ProcessAnswers.commitTransaction(process(request))))
                .post("/{name}/checkpoint", route((request, _) -> ProcessAnswers.checkpoint(process(request))))
                .get(
                        "/{name}/checkpoint_status",
                        route((request, query) -> ProcessAnswers.checkpointStatus(process(request), query)))
                .get("/{name}/checkpoints", route((request, _) -> ProcessAnswers.checkpoints(process(request))))
                .get("/{name}/pause", route((request, _) -> ProcessAnswers.run(process(request), false)))
                .get("/{name}/start", route((request, _) -> ProcessAnswers.run(process(request), true)))
                .post("/{name}/suspend", route((request, _) -> suspend(request)))
                .get("/{name}/input_endpoints/{endpoint}/pause", route((request, _) -> pauseEndpoint(request, true)))
                .get("/{name}/input_endpoints/{endpoint}/start", route((request, _) -> pauseEndpoint(request, false)))
                .get(
                        "/{name}/input_endpoints/{endpoint}/stats",
                        route((request, _) -> ProcessAnswers.endpointStats(process(request), endpoint(request))))
                .get(
                        "/{name}/input_endpoints/{endpoint}/completion_token",
                        route((request, _) -> ProcessAnswers.endpointToken(process(request), endpoint(request))))
                .get("/{name}/query", route(this::query));
    }

    /** Who asks a dead process finds its connection closed. */
    private static Handler route(Route route) {
        return (request, response) -> {
            Reply reply;
            try {
                reply = route.reply(request, new QueryParameters(request.query().rawValue()));
            } catch (ProcessGone | NoAnswer | ApiError gone) {
                throw new CloseConnectionException("the pipeline process has no answer", gone);
            }
            reply.send(response);
        };
    }

    private PipelineProcess process(ServerRequest request) {
        return pipelines.apply(request).process();
    }

    private Reply ingress(ServerRequest request, QueryParameters query) {
        Pipeline pipeline = pipelines.apply(request);
        PipelineProcess process = pipeline.process();
        int port = request.remotePeer().port();
        return ProcessAnswers.ingress(
                process, IngressRequest.direct(request, query, pipeline, () -> resets.includes(port)));
    }

    private Reply suspend(ServerRequest request) {
        Pipeline pipeline = pipelines.apply(request);
        return ProcessAnswers.suspend(pipeline.process(), pipeline.deploymentId());
    }

    private static String endpoint(ServerRequest request) {
        return request.path().pathParameters().get("endpoint");
    }

    private Reply pauseEndpoint(ServerRequest request, boolean on) {
        return ProcessAnswers.pauseEndpoint(process(request), endpoint(request), on);
    }

    private Reply query(ServerRequest request, QueryParameters query) {
        Pipeline pipeline = pipelines.apply(request);
        return ProcessAnswers.query(pipeline.process(), query, pipeline.faults());
    }
}
