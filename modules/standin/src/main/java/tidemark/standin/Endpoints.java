package tidemark.standin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The endpoints of one process, made by their first request and never given back (feldera.md 1.3). Those that a
 * checkpoint or the journal brought back take no connection. Guarded by the process's lock.
 */
final class Endpoints {
    private static final int API_CONNECTIONS_MAX = 100;

    private final Map<String, TableContent> tables;
    private final Map<IngressParameters, Endpoint> byParameters = new LinkedHashMap<>();
    private int connections;

    Endpoints(Map<String, TableContent> tables) {
        this.tables = tables;
    }

    Collection<Endpoint> all() {
        return byParameters.values();
    }

    /** The endpoint of a request; {@code restoring} processes make no new ones. */
    Endpoint of(IngressParameters parameters, boolean restoring) {
        TableContent table = table(parameters);
        Endpoint known = byParameters.get(parameters);
        if (known != null) {
            return known;
        }
        if (restoring) {
            throw ApiError.restoreInProgress();
        }
        if (connections == API_CONNECTIONS_MAX) {
            throw new ApiError(
                    429,
                    "ApiConnectionLimit",
                    "The API connection limit is exceeded: there are already " + API_CONNECTIONS_MAX
                            + " HTTP connections to the pipeline");
        }
        connections++;
        return add(new Endpoint(byParameters.size(), parameters, table));
    }

    private TableContent table(IngressParameters parameters) {
        return Optional.ofNullable(tables.get(SqlName.inPath(parameters.table()).text()))
                .orElseThrow(() -> ApiError.unknownTable(parameters));
    }

    private Endpoint add(Endpoint endpoint) {
        byParameters.put(endpoint.parameters(), endpoint);
        return endpoint;
    }

    void restore(Endpoint.Image image) {
        add(new Endpoint(byParameters.size(), image, table(image.parameters())));
    }

    /** The endpoint of a journalled chunk. */
    Endpoint replayed(IngressParameters parameters) {
        return Optional.ofNullable(byParameters.get(parameters))
                .orElseGet(() -> add(new Endpoint(byParameters.size(), parameters, table(parameters))));
    }

    Endpoint byId(long id) {
        return all().stream().filter(one -> one.id() == id).findFirst().orElseThrow(() -> ApiError.unknownEndpoint(id));
    }

    boolean isAnyQueued() {
        return all().stream().anyMatch(endpoint -> !endpoint.isEmpty());
    }

    /** Operations that steps have taken. */
    long fedRecords() {
        return all().stream()
                .mapToLong(endpoint -> endpoint.totalRecords() - endpoint.bufferedRecords())
                .sum();
    }

    List<Endpoint.Image> images() {
        List<Endpoint.Image> images = new ArrayList<>();
        all().forEach(endpoint -> images.add(endpoint.image()));
        return images;
    }
}
