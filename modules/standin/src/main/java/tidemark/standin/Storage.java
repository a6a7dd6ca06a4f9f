package tidemark.standin;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a pipeline has on its disk, which outlives its processes: checkpoints, and with exactly-once fault tolerance the
 * journal of all steps since the last one. A process writes here under the lock of its life, so that a dead one cannot.
 * Thread safe.
 */
final class Storage {
    /** One chunk of a journalled step. */
    record Replayable(IngressParameters parameters, Endpoint.Chunk chunk) {}

    private Optional<Instant> begun = Optional.empty();
    private Optional<String> suspended = Optional.empty();
    private final List<Checkpoint> checkpoints = new ArrayList<>();
    private final List<List<Replayable>> journal = new ArrayList<>();

    /** {@code initial_start_time} of a process that starts now: its own, unless there is state to resume from. */
    synchronized Instant begun(Instant now) {
        if (isClear() || begun.isEmpty()) {
            begun = Optional.of(now);
        }
        return begun.get();
    }

    synchronized Optional<Checkpoint> latest() {
        return checkpoints.isEmpty() ? Optional.empty() : Optional.of(checkpoints.getLast());
    }

    /** The steps after the latest checkpoint, oldest first. */
    synchronized List<List<Replayable>> journal() {
        return List.copyOf(journal);
    }

    synchronized void add(Checkpoint checkpoint) {
        checkpoints.add(checkpoint);
        journal.clear();
    }

    /** Also a step of an open transaction: the journal does not know of transactions (feldera.md 3). */
    synchronized void add(List<Fed> step) {
        journal.add(step.stream()
                .map(fed -> new Replayable(fed.endpoint().parameters(), fed.chunk()))
                .toList());
    }

    /** This deployment has ended with a checkpoint, and its state is not for another process under the same id. */
    synchronized void suspend(String deploymentId) {
        suspended = Optional.of(deploymentId);
    }

    synchronized boolean isSuspended(String deploymentId) {
        return suspended.filter(deploymentId::equals).isPresent();
    }

    synchronized void clear() {
        suspended = Optional.empty();
        checkpoints.clear();
        journal.clear();
    }

    synchronized boolean isClear() {
        return checkpoints.isEmpty() && journal.isEmpty();
    }

    synchronized JsonArray json() {
        var all = Json.createArrayBuilder();
        checkpoints.forEach(checkpoint -> all.add(checkpoint.json()));
        return all.build();
    }
}
