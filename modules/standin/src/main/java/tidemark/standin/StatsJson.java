package tidemark.standin;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import java.time.Duration;
import java.util.function.ToLongFunction;

/**
 * The process's counters as {@code /stats} says them, with the members of the recorded answers that the stand-in can
 * fill.
 */
record StatsJson(Boot boot, String state, Circuit circuit, Endpoints endpoints) {

    String text() {
        var inputs = Json.createArrayBuilder();
        endpoints.all().forEach(endpoint -> inputs.add(input(endpoint)));
        JsonObjectBuilder stats = Json.createObjectBuilder().add("global_metrics", global());
        addCheckpointing(stats);
        return stats.add("inputs", inputs)
                .add("outputs", JsonValue.EMPTY_JSON_ARRAY)
                .build()
                .toString();
    }

    private void addCheckpointing(JsonObjectBuilder stats) {
        boolean wanted = circuit.checkpoints().isWanted();
        String activity = !wanted ? "idle" : circuit.transactions().isIdle() ? "in_progress" : "delayed";
        JsonObjectBuilder checkpointing = Json.createObjectBuilder().add("status", activity);
        switch (boot.edition()) {
            case OPEN_SOURCE -> {
                JsonValue enterprise =
                        Json.createArrayBuilder().add("EnterpriseFeature").build();
                stats.add("suspend_error", Json.createObjectBuilder().add("Permanent", enterprise))
                        .add("checkpoint_activity", checkpointing)
                        .add("permanent_checkpoint_errors", enterprise);
            }
            case ENTERPRISE ->
                stats.addNull("suspend_error")
                        .add("checkpoint_activity", checkpointing)
                        .addNull("permanent_checkpoint_errors");
        }
    }

    private JsonObjectBuilder global() {
        StepCounters counters = circuit.counters();
        JsonObjectBuilder global = Json.createObjectBuilder()
                .add("state", state)
                .add("bootstrap_in_progress", circuit.phase() == Phase.BOOTSTRAPPING);
        circuit.transactions().tell(global);
        return global.add(
                        "uptime_msecs",
                        Duration.between(boot.started(), boot.clock().instant()).toMillis())
                .add("start_time", boot.started().getEpochSecond())
                .add("incarnation_uuid", boot.incarnation())
                .add("initial_start_time", boot.begun().getEpochSecond())
                .add("buffered_input_records", sum(Endpoint::bufferedRecords))
                .add("buffered_input_bytes", sum(Endpoint::bufferedBytes))
                .add("total_input_records", endpoints.totalRecords())
                .add("total_input_bytes", sum(Endpoint::totalBytes))
                .add("total_processed_records", counters.processedRecords())
                .add("total_completed_records", counters.completedRecords())
                .add("total_initiated_steps", counters.initiated())
                .add("total_completed_steps", counters.completed())
                .add("pipeline_complete", false);
    }

    private long sum(ToLongFunction<Endpoint> metric) {
        return endpoints.all().stream().mapToLong(metric).sum();
    }

    /** As the endpoint's own route has it, with the errors of its last bad request. */
    static JsonObjectBuilder inputWithErrors(Endpoint endpoint) {
        JsonArray errors = endpoint.lastErrors().map(ParseErrors::json).orElse(JsonValue.EMPTY_JSON_ARRAY);
        return input(endpoint).add("parse_errors", errors).add("transport_errors", JsonValue.EMPTY_JSON_ARRAY);
    }

    private static JsonObjectBuilder input(Endpoint endpoint) {
        JsonObjectBuilder input = Json.createObjectBuilder()
                .add("endpoint_name", endpoint.name())
                .add("config", Json.createObjectBuilder().add("stream", endpoint.stream()))
                .add(
                        "metrics",
                        Json.createObjectBuilder()
                                .add("total_bytes", endpoint.totalBytes())
                                .add("total_records", endpoint.totalRecords())
                                .add("buffered_records", endpoint.bufferedRecords())
                                .add("buffered_bytes", endpoint.bufferedBytes())
                                .add("num_transport_errors", endpoint.transportErrors())
                                .add("num_parse_errors", endpoint.parseErrors())
                                .add("end_of_input", false));
        endpoint.fatalError()
                .ifPresentOrElse(error -> input.add("fatal_error", error), () -> input.addNull("fatal_error"));
        return input.addNull("health")
                .add("paused", endpoint.isPaused())
                .add("barrier", false)
                .addNull("completed_frontier");
    }
}
