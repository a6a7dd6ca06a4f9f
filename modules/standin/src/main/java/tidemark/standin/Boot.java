package tidemark.standin;

import java.time.Clock;
import java.time.Instant;
import java.util.List;

/**
 * What a process is started with.
 *
 * @param begun when the first process of this state started; {@code started} when there is no older state
 * @param running or paused
 * @param journals every step goes into the storage
 * @param storage what the process resumes from, and where it leaves checkpoints
 */
record Boot(
        List<TableDefinition> program,
        String incarnation,
        Instant begun,
        Instant started,
        boolean running,
        Edition edition,
        boolean journals,
        Storage storage,
        Faults faults,
        Recordings recordings,
        Identities identities,
        Clock clock) {}
