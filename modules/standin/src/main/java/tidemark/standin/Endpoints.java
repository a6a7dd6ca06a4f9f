package tidemark.standin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The endpoints of one process. Those of {@code /ingress} are made by their first request and never given back
 * (feldera.md 1.3); those that a checkpoint or the journal brought back take no connection. Those of SQL's INSERT last
 * until a step has taken their rows, and what they had taken is still counted. Guarded by the process's lock.
 */
final class Endpoints {
    private static final int API_CONNECTIONS_MAX = 100;

    private final Map<String, TableContent> tables;
    private final Map<IngressParameters, Endpoint> byParameters = new LinkedHashMap<>();
    private final List<Endpoint> adHoc = new ArrayList<>();
    private long goneRecords;
    private int connections;
    private int made;

    Endpoints(Map<String, TableContent> tables) {
        this.tables = tables;
    }

    List<Endpoint> all() {
        List<Endpoint> all = new ArrayList<>(byParameters.values());
        all.addAll(adHoc);
        return all;
    }

    /** The endpoint of a request, if it is not the first; the table must be there. */
    Optional<Endpoint> find(IngressParameters parameters) {
        TableContent _ = table(parameters);
        return Optional.ofNullable(byParameters.get(parameters));
    }

    Endpoint create(IngressParameters parameters) {
        if (byParameters.containsKey(parameters)) {
            throw ApiError.duplicateEndpoint(parameters.endpointName());
        }
        if (connections == API_CONNECTIONS_MAX) {
            throw new ApiError(
                    429,
                    "ApiConnectionLimit",
                    "The API connection limit is exceeded: there are already " + API_CONNECTIONS_MAX
                            + " HTTP connections to the pipeline");
        }
        connections++;
        return add(new Endpoint(made, parameters, table(parameters)));
    }

    private TableContent table(IngressParameters parameters) {
        return Optional.ofNullable(tables.get(SqlName.inPath(parameters.table()).text()))
                .orElseThrow(() -> ApiError.unknownTable(parameters));
    }

    private Endpoint add(Endpoint endpoint) {
        byParameters.put(endpoint.parameters(), endpoint);
        made++;
        return endpoint;
    }

    /** For the rows of one INSERT. */
    Endpoint adHoc(SqlName table, UUID id) {
        return adHoc(IngressParameters.adHoc(table), id);
    }

    private Endpoint adHoc(IngressParameters parameters, UUID id) {
        TableContent table = table(parameters);
        var endpoint = new Endpoint(
                made++, "adhoc-ingress-" + table.definition().name().text() + "-" + id, parameters, table);
        adHoc.add(endpoint);
        return endpoint;
    }

    /** Between two steps: what INSERTs brought is taken, and nobody asks for their endpoints again. */
    void forgetEmptyAdHoc() {
        adHoc.stream().filter(Endpoint::isEmpty).forEach(endpoint -> goneRecords += endpoint.totalRecords());
        adHoc.removeIf(Endpoint::isEmpty);
    }

    /** @param records all that steps had taken, also from endpoints that were gone by then */
    void restore(List<Endpoint.Image> images, long records) {
        images.forEach(image -> add(new Endpoint(made, image, table(image.parameters()))));
        goneRecords = records - totalRecords();
    }

    boolean isKeyed(IngressParameters parameters) {
        return table(parameters).definition().keyed();
    }

    /** The endpoint of a journalled chunk. */
    Endpoint replayed(IngressParameters parameters) {
        if (parameters.format() == IngressParameters.Format.AD_HOC) {
            return adHoc(parameters, new UUID(0, made));
        }
        return Optional.ofNullable(byParameters.get(parameters))
                .orElseGet(() -> add(new Endpoint(made, parameters, table(parameters))));
    }

    Endpoint byId(long id) {
        return all().stream().filter(one -> one.id() == id).findFirst().orElseThrow(() -> ApiError.unknownEndpoint(id));
    }

    Endpoint byName(String name) {
        return all().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> ApiError.unknownEndpoint(name));
    }

    boolean isAnyQueued() {
        return all().stream().anyMatch(endpoint -> !endpoint.isEmpty());
    }

    /** Operations that came in. */
    long totalRecords() {
        return goneRecords + all().stream().mapToLong(Endpoint::totalRecords).sum();
    }

    /** Operations that steps have taken. */
    long fedRecords() {
        return goneRecords
                + all().stream()
                        .mapToLong(endpoint -> endpoint.totalRecords() - endpoint.bufferedRecords())
                        .sum();
    }

    List<Endpoint.Image> images() {
        return byParameters.values().stream().map(Endpoint::image).toList();
    }
}
