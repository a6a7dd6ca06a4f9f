package tidemark.delivery;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One table of one life of the pipeline: what it has taken, and what of that is complete. */
final class SimEndpoint {
    private record Taken(long count, List<SimBody.Operation> operations) {}

    private final boolean keyless;
    private final Map<Long, SimTable.Row> completedRows = new TreeMap<>();
    /** How often a row is there; of a table without key. */
    private final Map<Long, Integer> weights = new TreeMap<>();

    private final ArrayDeque<Taken> incomplete = new ArrayDeque<>();
    private long taken;
    private long completed;
    private long completesAt;

    SimEndpoint(boolean keyless) {
        this.keyless = keyless;
    }

    /** Starts with what a checkpoint holds. */
    static SimEndpoint restored(SimEndpoint from) {
        var endpoint = new SimEndpoint(from.keyless);
        endpoint.completedRows.putAll(from.completedRows);
        endpoint.weights.putAll(from.weights);
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
                if (keyless) weigh(operation);
                else put(operation.key(), operation.on(Optional.ofNullable(completedRows.get(operation.key()))));
            }
        }
        completed = Math.max(completed, count);
    }

    private void put(long key, Optional<SimTable.Row> row) {
        if (row.isPresent()) completedRows.put(key, row.get());
        else completedRows.remove(key);
    }

    /** Nobody changes a row of it: all of one key are the same. */
    private void weigh(SimBody.Operation operation) {
        int weight = weights.merge(operation.key(), operation.weight(), Integer::sum);
        if (weight < 0) throw new SimViolation("a row that was not there is deleted from a table without key");
        if (weight == 0) completedRows.remove(operation.key());
        else if (operation.weight() > 0) put(operation.key(), operation.on(Optional.empty()));
    }

    /** How often the row of this key is there. */
    int weight(long key) {
        return keyless ? weights.getOrDefault(key, 0) : completedRows.containsKey(key) ? 1 : 0;
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
