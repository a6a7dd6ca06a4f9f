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
    /** Neither paused nor starting: requests take effect. */
    public boolean isRunning() {
        return state.equals("Running");
    }
}
