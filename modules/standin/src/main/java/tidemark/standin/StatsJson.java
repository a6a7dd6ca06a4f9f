package tidemark.standin;

import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import java.util.Collection;

/**
 * The process's counters as {@code /stats} says them, with the members of the recorded answers that the stand-in can
 * fill.
 */
record StatsJson(
        String state,
        String incarnation,
        long startSeconds,
        long uptimeMillis,
        long initiatedSteps,
        long completedSteps,
        long processedRecords,
        long completedRecords) {

    String text(Collection<Endpoint> endpoints) {
        var inputs = Json.createArrayBuilder();
        endpoints.forEach(endpoint -> inputs.add(input(endpoint)));
        JsonValue enterprise =
                Json.createArrayBuilder().add("EnterpriseFeature").build();
        return Json.createObjectBuilder()
                .add("global_metrics", global(endpoints))
                .add("suspend_error", Json.createObjectBuilder().add("Permanent", enterprise))
                .add("checkpoint_activity", Json.createObjectBuilder().add("status", "idle"))
                .add("permanent_checkpoint_errors", enterprise)
                .add("inputs", inputs)
                .add("outputs", JsonValue.EMPTY_JSON_ARRAY)
                .build()
                .toString();
    }

    private JsonObjectBuilder global(Collection<Endpoint> endpoints) {
        long input = endpoints.stream().mapToLong(Endpoint::totalRecords).sum();
        return Json.createObjectBuilder()
                .add("state", state)
                .add("bootstrap_in_progress", false)
                .add("transaction_status", "NoTransaction")
                .add("transaction_id", 0)
                .addNull("transaction_msecs")
                .addNull("transaction_records")
                .addNull("commit_progress")
                .add(
                        "transaction_initiators",
                        Json.createObjectBuilder()
                                .addNull("transaction_id")
                                .addNull("initiated_by_api")
                                .add("initiated_by_connectors", JsonValue.EMPTY_JSON_OBJECT))
                .add("uptime_msecs", uptimeMillis)
                .add("start_time", startSeconds)
                .add("incarnation_uuid", incarnation)
                .add("initial_start_time", startSeconds)
                .add(
                        "buffered_input_records",
                        endpoints.stream().mapToLong(Endpoint::bufferedRecords).sum())
                .add(
                        "buffered_input_bytes",
                        endpoints.stream().mapToLong(Endpoint::bufferedBytes).sum())
                .add("total_input_records", input)
                .add(
                        "total_input_bytes",
                        endpoints.stream().mapToLong(Endpoint::totalBytes).sum())
                .add("total_processed_records", processedRecords)
                .add("total_completed_records", completedRecords)
                .add("total_initiated_steps", initiatedSteps)
                .add("total_completed_steps", completedSteps)
                .add("pipeline_complete", false);
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
                .add("paused", false)
                .add("barrier", false)
                .addNull("completed_frontier");
    }
}
