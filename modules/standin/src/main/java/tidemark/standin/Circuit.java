package tidemark.standin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The one thread that moves rows from the endpoints into the tables, step by step; commits, takes checkpoints, and goes
 * through the phases of a start before anything else.
 *
 * <p>What a step took is visible before it counts as applied. In an open transaction steps take rows and apply nothing:
 * the commit applies them all at once. The content of the tables is guarded by {@code tables}, which is taken before
 * the process's lock and never after it; all else by that lock.
 */
final class Circuit {
    /** What comes next, decided between two steps. */
    private sealed interface Work {}

    private record Step(List<Fed> fed) implements Work {}

    private record Commit() implements Work {}

    private record Checkpointing() implements Work {}

    private final Boot boot;
    private final ProcessLife life;
    private final Endpoints endpoints;
    private final Transactions transactions;
    private final Checkpoints checkpoints;
    private final Map<String, TableContent> tablesByName;
    private final ReentrantLock tables = new ReentrantLock();
    private final List<Fed> uncommitted = new ArrayList<>();
    private final List<List<Storage.Replayable>> journal;
    private final StepCounters counters;
    private final CheckpointTimer timer;
    private Phase phase;
    private boolean wedged;

    Circuit(Boot boot, ProcessLife life, Map<String, TableContent> tablesByName, Endpoints endpoints) {
        this.boot = boot;
        this.life = life;
        this.tablesByName = tablesByName;
        this.endpoints = endpoints;
        this.transactions = new Transactions(boot.clock());
        this.checkpoints = new Checkpoints();
        this.counters = new StepCounters(boot.storage().latest());
        this.journal = boot.journal();
        this.timer = new CheckpointTimer(boot.checkpoints());
        this.phase = boot.refused() ? Phase.REFUSED : needed(Phase.INITIALIZING);
    }

    void start() {
        if (phase == Phase.REFUSED) {
            return;
        }
        if (phase == Phase.SERVING) {
            publish(List.of());
        }
        Thread.ofPlatform().daemon().name("circuit-" + boot.incarnation()).start(this::run);
    }

    StepCounters counters() {
        return counters;
    }

    Transactions transactions() {
        return transactions;
    }

    Checkpoints checkpoints() {
        return checkpoints;
    }

    Phase phase() {
        return phase;
    }

    boolean isRestoring() {
        return phase.restoring().isPresent();
    }

    void requireAnswering() {
        phase.answersOnly().ifPresent(error -> {
            throw error;
        });
    }

    void requireRestored() {
        requireAnswering();
        phase.restoring().ifPresent(error -> {
            throw error;
        });
    }

    /** No step ends any more (recorded exchange 19). */
    void wedge() {
        wedged = true;
    }

    /** It has served; only answers to those who ask are left. */
    void halt(Phase last) {
        phase = last;
    }

    /** Runs the reader against the content as of the last step, tables as they all stood between the same two. */
    <T> T readTables(Function<Map<String, TableContent>, T> reader) {
        tables.lock();
        try {
            return reader.apply(tablesByName);
        } finally {
            tables.unlock();
        }
    }

    private void run() {
        try {
            while (phase != Phase.SERVING) {
                startUp();
            }
            while (true) {
                switch (life.locked(this::nextWork)) {
                    case Step(List<Fed> fed) -> step(fed);
                    case Commit _ -> commit();
                    case Checkpointing _ -> checkpoint();
                }
            }
        } catch (ProcessGone _) {
            // The process was killed; what it held is garbage now.
        }
    }

    /** The first phase from this one on that the process has to go through, and that is not over at once. */
    private Phase needed(Phase first) {
        return switch (first) {
            case INITIALIZING -> boot.faults().isHeld(first) ? first : needed(Phase.AWAITING_APPROVAL);
            case AWAITING_APPROVAL ->
                boot.isModified() && boot.faults().isHeld(first) ? first : needed(Phase.BOOTSTRAPPING);
            case BOOTSTRAPPING -> boot.isModified() ? first : needed(Phase.REPLAYING);
            case REPLAYING -> journal.isEmpty() ? Phase.SERVING : first;
            case SERVING, SUSPENDED, UNSUSPENDABLE, REFUSED -> first;
        };
    }

    private void startUp() {
        if (phase == Phase.REPLAYING) {
            replay();
        }
        awaitWhile(() -> boot.faults().isHeld(phase));
        Phase next = switch (phase) {
            case INITIALIZING -> needed(Phase.AWAITING_APPROVAL);
            case AWAITING_APPROVAL -> needed(Phase.BOOTSTRAPPING);
            case BOOTSTRAPPING, REPLAYING -> Phase.SERVING;
            case SERVING, SUSPENDED, UNSUSPENDABLE, REFUSED -> phase;
        };
        if (next == Phase.SERVING) {
            publish(List.of());
        }
        life.change(() -> phase = next);
    }

    /**
     * Each step of the journal again. A transaction that was open is not known any more: what of it was journalled is
     * visible at the end (feldera.md 3). Nobody can read meanwhile, but the counters can be seen to grow.
     */
    private void replay() {
        for (List<Storage.Replayable> step : journal) {
            awaitWhile(() -> boot.faults().isHeld(Phase.REPLAYING));
            requireReplayable(step);
            List<Fed> fed = life.locked(() -> fedAgain(step));
            fed.forEach(Fed::apply);
            tablesByName.values().forEach(TableContent::stepEnds);
            life.change(() -> counters.applied(endpoints.fedRecords(), boot.faults()));
        }
    }

    /** counters.md, "Seen in this version": a keyless table panics, an endpoint that the checkpoint lacks hangs. */
    private void requireReplayable(List<Storage.Replayable> step) {
        if (!boot.faults().replaysAsMeasured()) {
            return;
        }
        for (Storage.Replayable one : step) {
            if (!endpoints.isKeyed(one.parameters())) {
                life.end();
                throw new ProcessGone();
            }
            awaitWhile(() -> boot.faults().replaysAsMeasured()
                    && endpoints.find(one.parameters()).isEmpty());
        }
    }

    private List<Fed> fedAgain(List<Storage.Replayable> step) {
        long number = counters.initiate();
        List<Fed> fed = new ArrayList<>();
        for (Storage.Replayable one : step) {
            Endpoint endpoint = endpoints.replayed(one.parameters());
            endpoint.replay(one.chunk(), number);
            fed.add(new Fed(endpoint, one.chunk()));
        }
        return fed;
    }

    private Work nextWork() {
        while (true) {
            endpoints.forgetEmptyAdHoc();
            if (phase != Phase.SERVING) {
                life.awaitChange();
                continue;
            }
            if (timer.isDue()) {
                timer.restart();
                checkpoints.request();
            }
            if (transactions.commitBegins()) {
                counters.initiate();
                return new Commit();
            }
            if (checkpoints.isWanted()
                    && transactions.isIdle()
                    && !boot.faults().checkpointsHeld()) {
                return new Checkpointing();
            }
            if (endpoints.isAnyQueued()) {
                return new Step(takeStep());
            }
            timer.left().ifPresentOrElse(left -> life.awaitChange(left.toNanos()), life::awaitChange);
        }
    }

    private List<Fed> takeStep() {
        long step = counters.initiate();
        List<Fed> fed = Intake.take(endpoints.all(), step, boot.faults().scrambler());
        transactions.stepBegins(fed.stream().mapToLong(Fed::records).sum());
        return fed;
    }

    private void step(List<Fed> fed) {
        life.change(() -> {}); // who waits for room in a queue looks again
        awaitWhile(() -> wedged);
        life.change(() ->
                transactions.stepCommits(fed.stream().mapToLong(Fed::records).sum()));
        life.awaitDelay(boot.faults()::stepDelay);
        boolean open = life.locked(() -> {
            if (boot.journals()) {
                boot.storage().add(fed);
            }
            return !transactions.isIdle();
        });
        if (open) {
            uncommitted.addAll(fed);
            life.change(() -> counters.processed(endpoints.fedRecords()));
            return;
        }
        publish(fed);
        life.change(() -> {
            transactions.stepEnds();
            counters.applied(endpoints.fedRecords(), boot.faults());
        });
    }

    /** No input meanwhile. A transaction that was started meanwhile holds the end of this one up until a row comes. */
    private void commit() {
        awaitWhile(() -> wedged);
        life.awaitDelay(boot.faults()::commitDelay);
        awaitWhile(() -> transactions.isNextStarted() && !endpoints.isAnyQueued());
        publish(uncommitted);
        uncommitted.clear();
        life.change(() -> {
            transactions.commitEnds();
            counters.applied(endpoints.fedRecords(), boot.faults());
        });
    }

    /** Makes this visible in one move, and shows it to who records what can be seen. */
    private void publish(List<Fed> fed) {
        tables.lock();
        try {
            fed.forEach(Fed::apply);
            tablesByName.values().forEach(TableContent::stepEnds);
            life.change(() -> boot.recordings().visible(boot.incarnation(), counters.initiated(), tablesByName));
        } finally {
            tables.unlock();
        }
    }

    private void checkpoint() {
        timer.restart();
        Optional<String> failure = boot.faults().takeCheckpointFailure();
        if (failure.isPresent()) {
            life.change(() -> checkpoints.failed(failure.get(), boot.clock().instant()));
            return;
        }
        Map<String, TableContent> copies = new LinkedHashMap<>();
        tablesByName.forEach((name, table) -> copies.put(name, table.copy()));
        List<Runnable> whenTaken = life.locked(() -> {
            var checkpoint = new Checkpoint(
                    boot.identities().next(),
                    boot.code(),
                    counters.initiated(),
                    counters.processedRecords(),
                    endpoints.images(),
                    copies);
            boot.storage().add(checkpoint);
            List<Runnable> waiting = checkpoints.taken();
            life.change(() -> {});
            return waiting;
        });
        whenTaken.forEach(Runnable::run);
    }

    private void awaitWhile(BooleanSupplier held) {
        life.locked(() -> {
            while (held.getAsBoolean()) {
                life.awaitChange();
            }
            return true;
        });
    }
}
