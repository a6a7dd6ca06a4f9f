package tidemark.standin;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
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
    private final Boot boot;
    private final ProcessLife life = new ProcessLife();
    private final Endpoints endpoints;
    private final Circuit circuit;
    private final Ingestion ingestion;
    private boolean running;

    PipelineProcess(Boot boot) {
        this.boot = boot;
        this.running = boot.running();
        Map<String, TableContent> tables = new LinkedHashMap<>();
        boot.program().forEach(table -> tables.put(table.name().text(), TableContent.empty(table)));
        endpoints = new Endpoints(tables);
        boot.storage().latest().ifPresent(from -> restore(from, tables));
        circuit = new Circuit(boot, life, tables, endpoints);
        ingestion = new Ingestion(boot, life, endpoints, circuit, () -> running);
        circuit.start();
    }

    /**
     * Tables that the program still has as they were. Of another program's checkpoint no endpoint comes back
     * (feldera.md 6 says it of an unmodified program only): its tables have rows, and their counters begin at 0.
     */
    private void restore(Checkpoint from, Map<String, TableContent> tables) {
        from.tables()
                .forEach((name, table) -> tables.computeIfPresent(
                        name, (_, empty) -> empty.definition().equals(table.definition()) ? table.copy() : empty));
        endpoints.restore(boot.isModified() ? List.of() : from.endpoints(), from.processedRecords());
    }

    String incarnation() {
        return boot.incarnation();
    }

    Ingestion ingestion() {
        return ingestion;
    }

    /** Sets Running or Paused, and says which it was. */
    boolean run(boolean on) {
        return life.locked(() -> {
            boolean before = running;
            life.change(() -> running = on);
            return before;
        });
    }

    /** {@code runtime_status}: the only one that tells of a replay (counters.md). Of a dead process what it was. */
    String status() {
        return life.look(() -> {
            Phase phase = circuit.phase();
            return phase.failure().isPresent()
                    ? "Unavailable"
                    : phase.runtimeStatus().orElse(desiredStatus());
        });
    }

    String desiredStatus() {
        return life.look(() -> running ? "Running" : "Paused");
    }

    Phase phase() {
        return life.locked(circuit::phase);
    }

    /** Kill -9: whoever is still inside finds out, nobody gets an answer. */
    void kill() {
        life.end();
    }

    /** The held completions are over, or a delay is another: whoever waits looks again. */
    void faultsChanged() {
        life.remind(() -> circuit.counters().complete(boot.faults()));
    }

    /** Pauses or starts one endpoint; its name is as {@code /stats} has it. */
    void pauseEndpoint(String name, boolean on) {
        life.change(() -> {
            circuit.requireAnswering();
            endpoints.byName(name).pause(on);
        });
    }

    CompletionToken token(String endpoint) {
        return life.locked(() -> {
            circuit.requireAnswering();
            return ingestion.token(endpoints.byName(endpoint));
        });
    }

    String endpointStats(String name) {
        return life.locked(() -> {
            circuit.requireAnswering();
            return StatsJson.inputWithErrors(endpoints.byName(name)).build().toString();
        });
    }

    /** {@code {"status":…,"step":…}} of a token (feldera.md 2). */
    Completion completion(CompletionToken token) {
        return life.locked(() -> {
            circuit.requireAnswering();
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
            circuit.requireRestored();
            return circuit.transactions().start();
        });
    }

    /** Asks for the commit; it comes later. */
    void commitTransaction() {
        life.change(() -> {
            circuit.requireRestored();
            circuit.transactions().commit();
        });
    }

    /** The sequence number of a checkpoint that comes later, or that fails in the open-source edition. */
    long checkpoint() {
        return checkpoint(() -> {});
    }

    /** @param taken runs in the circuit as soon as the checkpoint is there */
    long checkpoint(Runnable taken) {
        return life.locked(() -> {
            circuit.requireAnswering();
            Checkpoints checkpoints = circuit.checkpoints();
            long number = switch (boot.edition()) {
                case OPEN_SOURCE ->
                    checkpoints.refuse(Checkpoints.IMPOSSIBLE, boot.clock().instant());
                case ENTERPRISE -> checkpoints.request(taken);
            };
            life.change(() -> {});
            return number;
        });
    }

    /** As fault tolerance does by itself; returns when it is there. */
    void automaticCheckpoint() {
        life.locked(() -> {
            life.change(circuit.checkpoints()::request);
            while (circuit.checkpoints().isWanted()) {
                life.awaitChange();
            }
            return true;
        });
    }

    /** A last checkpoint, and from then on no answers; in the open-source edition no answers without a checkpoint. */
    void suspend(String deploymentId) {
        life.change(circuit::requireRestored);
        switch (boot.edition()) {
            case OPEN_SOURCE -> life.change(() -> circuit.halt(Phase.UNSUSPENDABLE));
            case ENTERPRISE -> {
                long _ = checkpoint(() -> life.change(() -> {
                    boot.storage().suspend(deploymentId);
                    circuit.halt(Phase.SUSPENDED);
                }));
            }
        }
    }

    JsonObject checkpointStatus() {
        return life.locked(() -> {
            circuit.requireAnswering();
            return circuit.checkpoints().json();
        });
    }

    JsonArray checkpoints() {
        return boot.storage().json();
    }

    void requireRestored() {
        life.locked(() -> {
            circuit.requireRestored();
            return true;
        });
    }

    /** Runs the query against the content as of the last step; not before what was is restored. */
    <T> T readTables(Function<Map<String, TableContent>, T> reader) {
        requireRestored();
        return circuit.readTables(reader);
    }

    /** The counters at one moment. */
    String stats() {
        return life.locked(() -> {
            circuit.requireAnswering();
            return new StatsJson(boot, desiredStatus(), circuit, endpoints).text();
        });
    }

    /** The metrics at one moment, as Prometheus reads them. */
    String metrics() {
        long late = circuit.readTables(tables -> tables.values().stream()
                .mapToLong(table -> table.dropped().get())
                .sum());
        return life.locked(() -> {
            circuit.requireAnswering();
            return new MetricsText(circuit, endpoints.all(), late).text();
        });
    }

    /** Parse and transport errors of all endpoints. */
    long errors() {
        return life.locked(() -> endpoints.all().stream()
                .mapToLong(endpoint -> endpoint.parseErrors() + endpoint.transportErrors())
                .sum());
    }
}
