package tidemark.standin;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a process is started with.
 *
 * @param program with the code that it was compiled from, which tells whether a checkpoint is another's
 * @param begun when the first process of this state started; {@code started} when there is no older state
 * @param running or paused
 * @param refused the deployment is one that was suspended
 * @param journals every step goes into the storage
 * @param checkpoints how often one is taken that nobody asks for
 * @param storage what the process resumes from, and where it leaves checkpoints
 */
record Boot(
        List<TableDefinition> program,
        String code,
        String incarnation,
        Instant begun,
        Instant started,
        boolean running,
        Edition edition,
        boolean refused,
        boolean journals,
        Optional<Duration> checkpoints,
        Storage storage,
        Faults faults,
        Recordings recordings,
        Identities identities,
        Clock clock) {
    /** A checkpoint of another program (feldera.md 6). */
    boolean isModified() {
        return storage.latest().filter(latest -> !latest.code().equals(code)).isPresent();
    }

    /** The steps to do again; those of another program cannot be. */
    List<List<Storage.Replayable>> journal() {
        return isModified() ? List.of() : storage.journal();
    }
}
