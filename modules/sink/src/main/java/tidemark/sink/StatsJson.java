package tidemark.sink;

import jakarta.json.bind.annotation.JsonbProperty;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * {@code GET /stats} (feldera.md §8), and what delivery makes of it. See {@link ReplyJson} for the form of its records.
 */
final class StatsJson {
    private StatsJson() {}

    public record Global(
            Optional<String> state,
            @JsonbProperty("incarnation_uuid") Optional<String> incarnation,
            @JsonbProperty("start_time") Optional<Long> startTime,
            @JsonbProperty("initial_start_time") Optional<Long> initialStartTime,
            @JsonbProperty("transaction_status") Optional<String> transactionStatus,
            @JsonbProperty("transaction_initiators") Optional<Initiators> transactionInitiators,
            @JsonbProperty("total_input_records") Optional<Long> totalInputRecords,
            @JsonbProperty("total_completed_records") Optional<Long> totalCompletedRecords) {

        /** Started but not yet seen by a step reads NoTransaction, so the initiator counts too (counters.md). */
        boolean transactionOpen() {
            return !transactionStatus.orElse("NoTransaction").equals("NoTransaction")
                    || transactionInitiators.flatMap(Initiators::initiatedByApi).isPresent();
        }

        boolean allCompleted() {
            return totalInputRecords.isPresent() && totalInputRecords.equals(totalCompletedRecords);
        }

        boolean fresh() {
            return startTime.isPresent() && startTime.equals(initialStartTime);
        }
    }

    public record Initiators(
            @JsonbProperty("initiated_by_api") Optional<String> initiatedByApi) {}

    public record Input(
            @JsonbProperty("endpoint_name") Optional<String> endpointName,
            Optional<Metrics> metrics,
            Optional<Boolean> paused,
            Optional<Boolean> barrier) {
        boolean held() {
            return paused.orElse(false) || barrier.orElse(false);
        }

        long operations() {
            return metrics.flatMap(Metrics::totalRecords).orElse(0L);
        }
    }

    public record Metrics(@JsonbProperty("total_records") Optional<Long> totalRecords) {}

    public record Stats(@JsonbProperty("global_metrics") Optional<Global> global, Optional<List<Input>> inputs) {
        /** Empty without an incarnation: whose counts these are would be a guess. */
        Optional<PipelineStats> stats() {
            List<Input> endpoints = inputs.orElse(List.of());
            boolean noneHeld = endpoints.stream().noneMatch(Input::held);
            Map<String, Long> operations = endpoints.stream()
                    .filter(input -> input.endpointName().isPresent())
                    .collect(Collectors.toUnmodifiableMap(
                            input -> input.endpointName().orElseThrow(), Input::operations, (_, last) -> last));
            return global.flatMap(metrics -> metrics.incarnation()
                    .map(incarnation -> new PipelineStats(
                            incarnation,
                            metrics.fresh(),
                            metrics.state().orElse(""),
                            metrics.transactionOpen(),
                            noneHeld && metrics.allCompleted() && !metrics.transactionOpen(),
                            operations)));
        }
    }
}
