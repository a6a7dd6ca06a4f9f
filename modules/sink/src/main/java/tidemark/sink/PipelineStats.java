package tidemark.sink;

import java.util.Map;

/**
 * {@code /stats}, as far as it matters to delivery.
 *
 * @param incarnation the life of the pipeline process
 * @param fresh the process began without state ({@code initial_start_time == start_time}), else it resumed from a
 *     checkpoint
 * @param state Running, Paused, …
 * @param transactionOpen a pipeline transaction is open or committing
 * @param settled {@code total_input_records == total_completed_records} and no input is paused or at a barrier
 * @param operations endpoint name → {@code total_records} of every input endpoint
 */
public record PipelineStats(
        String incarnation,
        boolean fresh,
        String state,
        boolean transactionOpen,
        boolean settled,
        Map<String, Long> operations) {
    /**
     * The most operations that our endpoint of the table can have taken: those of all that are posted to under the same
     * spelling. Which of them is ours only its token tells, as the name ends in a hash of the parameters (feldera.md
     * §1.3).
     */
    public long mostOperations(FelderaName table) {
        String beginning = table.spelling() + ".api-ingress-";
        return operations.entrySet().stream()
                .filter(endpoint -> endpoint.getKey().startsWith(beginning))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Neither paused nor starting: requests take effect. */
    public boolean isRunning() {
        return state.equals("Running");
    }
}
