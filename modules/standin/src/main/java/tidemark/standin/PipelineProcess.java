package tidemark.standin;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One life of a pipeline, as its clients reach it: they put rows into its endpoints, ask after tokens, open and commit
 * the transaction, ask for checkpoints and read its tables. Its end loses everything that is not in the storage, and
 * the open-source edition puts nothing there.
 */
final class PipelineProcess {
    /**
     * How many values of a body are queued between two looks at pause and back-pressure; one frame of the network, say.
     */
    private static final int FRAME_VALUES = 1000;

    private static final String NO_CHECKPOINTS =
            "The pipeline does not support checkpointing for the following reasons: Suspend is an enterprise feature";

    private final Boot boot;
    private final ProcessLife life = new ProcessLife();
    private final Endpoints endpoints;
    private final Circuit circuit;
    private boolean running;

    PipelineProcess(Boot boot) {
        this.boot = boot;
        this.running = boot.running();
        Map<String, TableContent> tables = new LinkedHashMap<>();
        boot.program().forEach(table -> tables.put(table.name().text(), TableContent.empty(table)));
        Optional<Checkpoint> resumed = boot.storage().latest();
        resumed.ifPresent(from -> from.tables().forEach((name, table) -> tables.put(name, table.copy())));
        endpoints = new Endpoints(tables);
        resumed.ifPresent(from -> from.endpoints().forEach(endpoints::restore));
        circuit = new Circuit(boot, life, tables, endpoints);
        circuit.start();
    }

    String incarnation() {
        return boot.incarnation();
    }

    /** Sets Running or Paused, and says which it was. */
    boolean run(boolean on) {
        return life.locked(() -> {
            boolean before = running;
            life.change(() -> running = on);
            return before;
        });
    }

    /** {@code runtime_status}: the only one that tells of a replay (counters.md). */
    String status() {
        return life.locked(() -> circuit.isReplaying() ? "Replaying" : desiredStatus());
    }

    String desiredStatus() {
        return life.locked(() -> running ? "Running" : "Paused");
    }

    /** Kill -9: whoever is still inside finds out, nobody gets an answer. */
    void kill() {
        life.end();
    }

    /** The held completions are over, or a delay is another: whoever waits looks again. */
    void faultsChanged() {
        life.change(() -> circuit.counters().complete(boot.faults()));
    }

    /**
     * Takes the body of one POST; answers with the token. Blocks while the pipeline is paused or the endpoint full, for
     * as long as that lasts: whoever waits for the answer may be gone by then, and the rows arrive all the same
     * (feldera.md 3).
     */
    CompletionToken ingest(IngressParameters parameters, boolean force, ReceivedBody received, Duration delay) {
        Endpoint endpoint = life.locked(() -> endpoints.of(parameters, circuit.isReplaying()));
        life.awaitDelay(() -> delay);
        var body = new IngressBody(received.bytes(), received.length(), parameters);
        do {
            awaitOpen(endpoint, force);
            ingestFrame(endpoint, parameters, body);
        } while (body.hasNext());
        if (!received.complete()) {
            String error = "Error reading request payload: the client disconnected";
            life.change(() -> endpoint.abandoned(error));
            throw new ApiError(500, "InputTransportError", error);
        }
        if (!body.errors().isEmpty()) {
            life.change(() -> endpoint.refused(body.errors().count()));
            throw body.errors().toApiError();
        }
        return life.locked(() -> new CompletionToken(boot.incarnation(), endpoint.id(), endpoint.totalRecords()));
    }

    /** {@code force} goes past a pause and past a full endpoint (feldera.md 1.6). */
    private void awaitOpen(Endpoint endpoint, boolean force) {
        life.locked(() -> {
            while (circuit.isReplaying() || (!force && (!running || endpoint.isFull()))) {
                life.awaitChange();
            }
            return true;
        });
    }

    private void ingestFrame(Endpoint endpoint, IngressParameters parameters, IngressBody body) {
        endpoint.parser().lock();
        try {
            int values = parameters.array() ? 1 : FRAME_VALUES;
            List<Endpoint.Chunk> chunks = new ArrayList<>();
            List<Change> changes = new ArrayList<>();
            for (int i = 0; i < values && body.hasNext(); i++) {
                int bytes = body.next(endpoint.events(), changes);
                if (parameters.lines() == IngressParameters.Lines.MULTIPLE) {
                    chunks.add(new Endpoint.Chunk(changes, bytes));
                    changes = new ArrayList<>(1);
                }
            }
            chunks.add(new Endpoint.Chunk(changes, 0));
            life.change(() -> chunks.forEach(endpoint::push));
        } finally {
            endpoint.parser().unlock();
        }
    }

    /** {@code {"status":…,"step":…}} of a token (feldera.md 2). */
    Completion completion(CompletionToken token) {
        return life.locked(() -> {
            if (!token.incarnation().equals(boot.incarnation())) {
                throw ApiError.restarted(token.incarnation(), boot.incarnation());
            }
            Endpoint endpoint = endpoints.byId(token.endpoint());
            if (token.count() > endpoint.totalRecords() - endpoint.bufferedRecords()) {
                return new Completion(false, Optional.empty());
            }
            long completed = circuit.counters().completed();
            long step = endpoint.stepOf(token.count()).orElse(completed);
            return new Completion(completed >= step, Optional.of(step));
        });
    }

    /** @param step empty while some of the counted operations wait for a step */
    record Completion(boolean complete, Optional<Long> step) {}

    long startTransaction() {
        return life.locked(() -> {
            requireRestored();
            return circuit.transactions().start();
        });
    }

    /** Asks for the commit; it comes later. */
    void commitTransaction() {
        life.change(() -> {
            requireRestored();
            circuit.transactions().commit();
        });
    }

    private void requireRestored() {
        if (circuit.isReplaying()) {
            throw ApiError.restoreInProgress();
        }
    }

    /** The sequence number of a checkpoint that comes later, or that fails in the open-source edition. */
    long checkpoint() {
        return checkpoint(() -> {});
    }

    /** @param taken runs in the circuit as soon as the checkpoint is there */
    long checkpoint(Runnable taken) {
        return life.locked(() -> {
            Checkpoints checkpoints = circuit.checkpoints();
            long number = switch (boot.edition()) {
                case OPEN_SOURCE ->
                    checkpoints.refuse(NO_CHECKPOINTS, boot.clock().instant());
                case ENTERPRISE -> checkpoints.request(taken);
            };
            life.change(() -> {});
            return number;
        });
    }

    JsonObject checkpointStatus() {
        return life.locked(() -> circuit.checkpoints().json());
    }

    JsonArray checkpoints() {
        return boot.storage().json();
    }

    /** Runs the query against the content as of the last step; not before what was is restored. */
    <T> T readTables(Function<Map<String, TableContent>, T> reader) {
        life.locked(() -> {
            requireRestored();
            return true;
        });
        return circuit.readTables(reader);
    }

    /** The counters at one moment. */
    String stats() {
        return life.locked(() -> new StatsJson(boot, desiredStatus(), circuit, endpoints.all()).text());
    }

    /** The metrics at one moment, as Prometheus reads them. */
    String metrics() {
        long late = circuit.readTables(tables -> tables.values().stream()
                .mapToLong(table -> table.dropped().get())
                .sum());
        return life.locked(() -> new MetricsText(circuit, endpoints.all(), late).text());
    }

    /** Parse and transport errors of all endpoints. */
    long errors() {
        return life.locked(() -> endpoints.all().stream()
                .mapToLong(endpoint -> endpoint.parseErrors() + endpoint.transportErrors())
                .sum());
    }
}
