package tidemark.delivery;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One table of one life of the pipeline: what it has taken, and what of that is complete. */
final class SimEndpoint {
    private record Taken(long count, List<SimBody.Operation> operations) {}

    private final Map<Long, SimTable.Row> completedRows = new TreeMap<>();
    private final ArrayDeque<Taken> incomplete = new ArrayDeque<>();
    private long taken;
    private long completed;
    private long completesAt;

    /** Starts with what a checkpoint holds. */
    static SimEndpoint restored(SimEndpoint from) {
        var endpoint = new SimEndpoint();
        endpoint.completedRows.putAll(from.completedRows);
        endpoint.taken = from.completed;
        endpoint.completed = from.completed;
        return endpoint;
    }

    /** Returns the count that the token carries. */
    long take(List<SimBody.Operation> operations) {
        taken += operations.size();
        incomplete.add(new Taken(taken, operations));
        return taken;
    }

    /** Everything taken so far is processed in order, never before what came earlier. */
    long completesAt(long nanos) {
        completesAt = Math.max(completesAt, nanos);
        return completesAt;
    }

    void complete(long count) {
        while (!incomplete.isEmpty() && incomplete.getFirst().count <= count) {
            for (SimBody.Operation operation : incomplete.removeFirst().operations) {
                Optional<SimTable.Row> row = operation.on(Optional.ofNullable(completedRows.get(operation.key())));
                if (row.isPresent()) completedRows.put(operation.key(), row.get());
                else completedRows.remove(operation.key());
            }
        }
        completed = Math.max(completed, count);
    }

    long taken() {
        return taken;
    }

    boolean isComplete(long count) {
        return completed >= count;
    }

    boolean isSettled() {
        return completed == taken;
    }

    Map<Long, SimTable.Row> completedRows() {
        return completedRows;
    }
}
