package tidemark.standin;

import io.helidon.webserver.http.ServerRequest;
import java.time.Duration;

/**
 * One POST to {@code /ingress} as it came in, counted.
 *
 * @param delay how long it is on its way from here to its endpoint
 */
record IngressRequest(String table, QueryParameters query, ReceivedBody body, Duration delay) {
    /** Reads the body; whoever sees the count also knows that the delay is set. */
    static IngressRequest read(ServerRequest request, QueryParameters query, Pipeline pipeline) {
        String table = request.path().pathParameters().get("table");
        Duration delay = pipeline.faults().ingressDelay();
        pipeline.countIngressRequest(table);
        return new IngressRequest(table, query, ReceivedBody.of(request), delay);
    }
}
