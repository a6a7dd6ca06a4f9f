package tidemark.standin;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Counts requests by route. Thread safe. */
final class RequestLedger {
    private final Map<String, RequestCounts> routes = new ConcurrentHashMap<>();

    /** One request until it ends, which it does once however often it is told. */
    final class Flight {
        private final String route;
        private final AtomicBoolean ended = new AtomicBoolean();

        private Flight(String route) {
            this.route = route;
        }

        void end() {
            if (!ended.getAndSet(true)) routes.computeIfPresent(route, (_, counts) -> counts.ended());
        }
    }

    Flight begin(String route) {
        routes.compute(route, (_, counts) -> known(Optional.ofNullable(counts)).begun());
        return new Flight(route);
    }

    /** One that goes nowhere. */
    void held(String route) {
        routes.compute(route, (_, counts) -> known(Optional.ofNullable(counts)).held());
    }

    private static RequestCounts known(Optional<RequestCounts> counts) {
        return counts.orElse(RequestCounts.NONE);
    }

    RequestCounts of(String route) {
        return routes.getOrDefault(route, RequestCounts.NONE);
    }

    Map<String, RequestCounts> all() {
        return new TreeMap<>(routes);
    }
}
