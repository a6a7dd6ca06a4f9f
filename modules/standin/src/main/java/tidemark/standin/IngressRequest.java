package tidemark.standin;

import io.helidon.webserver.http.ServerRequest;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * One POST to {@code /ingress} as it came in, counted.
 *
 * @param delay how long it is on its way from here to its endpoint
 * @param withdrawn whether its client has taken it back, which only those who are connected directly can
 */
record IngressRequest(String table, QueryParameters query, BodyPieces body, Duration delay, BooleanSupplier withdrawn) {
    /**
     * By way of the API server, which reads it to the end first. Whoever sees the count knows that the delay is set.
     */
    static IngressRequest forwarded(ServerRequest request, QueryParameters query, Pipeline pipeline) {
        String table = table(request);
        Duration delay = pipeline.faults().ingressDelay();
        pipeline.countIngressRequest(table);
        ReceivedBody whole = ReceivedBody.of(request);
        return new IngressRequest(table, query, _ -> whole, delay, () -> false);
    }

    /** To the process itself. */
    static IngressRequest direct(
            ServerRequest request, QueryParameters query, Pipeline pipeline, BooleanSupplier withdrawn) {
        String table = table(request);
        Duration delay = pipeline.faults().ingressDelay();
        pipeline.countIngressRequest(table);
        return new IngressRequest(table, query, new StreamedBody(request), delay, withdrawn);
    }

    private static String table(ServerRequest request) {
        return request.path().pathParameters().get("table");
    }
}
