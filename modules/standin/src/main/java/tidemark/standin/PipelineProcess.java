package tidemark.standin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One life of a pipeline: its endpoints, its tables and the circuit that moves rows from the ones to the others, step
 * by step. Open-source edition: it begins empty, and its end loses everything.
 *
 * <p>Counters: {@code completed steps <= applied steps <= initiated steps}, and what a step took is visible before the
 * step counts as applied. {@code lock} guards counters, endpoints and state; {@code tables} guards the content of the
 * tables and is only held while a step is applied or a query copies what it needs.
 */
final class PipelineProcess {
    /** Each endpoint takes one of these slots, and never gives it back (feldera.md 1.3). */
    private static final int API_CONNECTIONS_MAX = 100;

    /** {@code max_batch_size} of HTTP endpoints, 10 000 for each of Feldera's workers, of which there are two here. */
    private static final int STEP_RECORDS = 20_000;

    /**
     * How many values of a body are queued between two looks at pause and back-pressure; one frame of the network, say.
     */
    private static final int FRAME_VALUES = 1000;

    private final String incarnation;
    private final Instant started;
    private final Faults faults;
    private final Map<String, TableContent> tablesByName = new LinkedHashMap<>();
    private final Map<IngressParameters, Endpoint> endpoints = new LinkedHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ReentrantLock tables = new ReentrantLock();
    private boolean running;
    private boolean dead;
    private long initiatedSteps;
    private long appliedSteps;
    private long completedSteps;
    private long processedRecords;
    private long completedRecords;

    PipelineProcess(
            List<TableDefinition> program, String incarnation, Instant started, boolean running, Faults faults) {
        this.incarnation = incarnation;
        this.started = started;
        this.running = running;
        this.faults = faults;
        for (TableDefinition table : program) {
            tablesByName.put(table.name().text(), new TableContent(table));
        }
        Thread.ofPlatform().daemon().name("circuit-" + incarnation).start(this::runCircuit);
    }

    String incarnation() {
        return incarnation;
    }

    Instant started() {
        return started;
    }

    /** Sets Running or Paused, and says which it was. */
    boolean run(boolean on) {
        return locked(() -> {
            boolean before = running;
            running = on;
            changed.signalAll();
            return before;
        });
    }

    boolean isRunning() {
        return locked(() -> running);
    }

    /** Kill -9: whoever is still inside finds out, nobody gets an answer. */
    void kill() {
        locked(() -> {
            dead = true;
            changed.signalAll();
            return true;
        });
    }

    /** The held completions are over, or the delay is another: steps that were applied may count now. */
    void faultsChanged() {
        locked(() -> {
            countCompleted();
            changed.signalAll();
            return true;
        });
    }

    /**
     * Takes the body of one POST; answers with the token. Blocks while the pipeline is paused or the endpoint full, for
     * as long as that lasts: whoever waits for the answer may be gone by then, and the rows arrive all the same
     * (feldera.md 3).
     */
    CompletionToken ingest(IngressParameters parameters, boolean force, ReceivedBody received) {
        Endpoint endpoint = endpoint(parameters);
        var body = new IngressBody(received.bytes(), received.length(), parameters);
        do {
            awaitOpen(endpoint, force);
            ingestFrame(endpoint, parameters, body);
        } while (body.hasNext());
        if (!received.complete()) {
            String error = "Error reading request payload: the client disconnected";
            locked(() -> {
                endpoint.abandoned(error);
                return true;
            });
            throw new ApiError(500, "InputTransportError", error);
        }
        if (!body.errors().isEmpty()) {
            locked(() -> {
                endpoint.refused(body.errors().count());
                return true;
            });
            throw body.errors().toApiError();
        }
        return locked(() -> new CompletionToken(incarnation, endpoint.id(), endpoint.totalRecords()));
    }

    private Endpoint endpoint(IngressParameters parameters) {
        TableContent table = Optional.ofNullable(
                        tablesByName.get(SqlName.inPath(parameters.table()).text()))
                .orElseThrow(() -> ApiError.unknownTable(parameters));
        return locked(() -> {
            if (!endpoints.containsKey(parameters) && endpoints.size() == API_CONNECTIONS_MAX) {
                throw new ApiError(
                        429,
                        "ApiConnectionLimit",
                        "The API connection limit is exceeded: there are already " + API_CONNECTIONS_MAX
                                + " HTTP connections to the pipeline");
            }
            return endpoints.computeIfAbsent(
                    parameters,
                    wanted -> new Endpoint(
                            endpoints.size(),
                            wanted,
                            table.definition().name().text(),
                            table.store(),
                            table.newReader()));
        });
    }

    /** {@code force} goes past a pause and past a full endpoint (feldera.md 1.6). */
    private void awaitOpen(Endpoint endpoint, boolean force) {
        locked(() -> {
            while (!force && (!running || endpoint.isFull())) {
                changed.awaitUninterruptibly();
                requireAlive();
            }
            return true;
        });
    }

    private void ingestFrame(Endpoint endpoint, IngressParameters parameters, IngressBody body) {
        endpoint.parser().lock();
        try {
            int values = parameters.array() ? 1 : FRAME_VALUES;
            List<Endpoint.Chunk> chunks = new ArrayList<>();
            List<Change> changes = new ArrayList<>();
            for (int i = 0; i < values && body.hasNext(); i++) {
                int bytes = body.next(endpoint.events(), changes);
                if (parameters.lines() == IngressParameters.Lines.MULTIPLE) {
                    chunks.add(new Endpoint.Chunk(changes, bytes));
                    changes = new ArrayList<>(1);
                }
            }
            chunks.add(new Endpoint.Chunk(changes, 0));
            locked(() -> {
                chunks.forEach(endpoint::push);
                changed.signalAll();
                return true;
            });
        } finally {
            endpoint.parser().unlock();
        }
    }

    /** {@code {"status":…,"step":…}} of a token (feldera.md 2). */
    Completion completion(CompletionToken token) {
        return locked(() -> {
            if (!token.incarnation().equals(incarnation)) {
                throw ApiError.restarted(token.incarnation(), incarnation);
            }
            Endpoint endpoint = endpoints.values().stream()
                    .filter(one -> one.id() == token.endpoint())
                    .findFirst()
                    .orElseThrow(() -> ApiError.unknownEndpoint(token.endpoint()));
            if (token.count() > endpoint.totalRecords() - endpoint.bufferedRecords()) {
                return new Completion(false, Optional.empty());
            }
            long step = endpoint.stepOf(token.count()).orElse(completedSteps);
            return new Completion(completedSteps >= step, Optional.of(step));
        });
    }

    /** @param step empty while some of the counted operations wait for a step */
    record Completion(boolean complete, Optional<Long> step) {}

    private void runCircuit() {
        try {
            while (true) {
                List<Runnable> step = takeStep();
                awaitStepDelay();
                tables.lock();
                try {
                    step.forEach(Runnable::run);
                } finally {
                    tables.unlock();
                }
                finishStep();
            }
        } catch (ProcessGone _) {
            // The process was killed; what it held is garbage now.
        }
    }

    /** Waits until something is queued, then takes from every endpoint what fits into one step. */
    private List<Runnable> takeStep() {
        return locked(() -> {
            while (endpoints.values().stream().allMatch(Endpoint::isEmpty)) {
                changed.awaitUninterruptibly();
                requireAlive();
            }
            initiatedSteps++;
            List<Runnable> step = new ArrayList<>();
            for (Endpoint endpoint : endpoints.values()) {
                for (Endpoint.Chunk chunk : endpoint.feed(initiatedSteps, STEP_RECORDS)) {
                    step.add(() -> chunk.changes().forEach(endpoint.table()::apply));
                }
            }
            changed.signalAll();
            return step;
        });
    }

    private void awaitStepDelay() {
        locked(() -> {
            long begun = System.nanoTime();
            long left = faults.stepDelay().toNanos();
            while (left > 0) {
                try {
                    if (changed.awaitNanos(left) <= 0) {
                        requireAlive();
                    }
                } catch (InterruptedException _) {
                    throw new ProcessGone();
                }
                requireAlive();
                left = begun + faults.stepDelay().toNanos() - System.nanoTime();
            }
            return true;
        });
    }

    private void finishStep() {
        locked(() -> {
            appliedSteps = initiatedSteps;
            processedRecords = endpoints.values().stream()
                    .mapToLong(endpoint -> endpoint.totalRecords() - endpoint.bufferedRecords())
                    .sum();
            countCompleted();
            return true;
        });
    }

    private void countCompleted() {
        if (!faults.completionsHeld()) {
            completedSteps = appliedSteps;
            completedRecords = processedRecords;
        }
    }

    /** Runs the query against the content as of the last step, tables as they all stood between the same two steps. */
    <T> T readTables(Function<Map<String, TableContent>, T> reader) {
        tables.lock();
        try {
            return reader.apply(tablesByName);
        } finally {
            tables.unlock();
        }
    }

    /** The counters at one moment. */
    String stats(Duration uptime) {
        return locked(() -> new StatsJson(
                        running ? "Running" : "Paused",
                        incarnation,
                        started.getEpochSecond(),
                        uptime.toMillis(),
                        initiatedSteps,
                        completedSteps,
                        processedRecords,
                        completedRecords)
                .text(endpoints.values()));
    }

    private void requireAlive() {
        if (dead) {
            throw new ProcessGone();
        }
    }

    private <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            requireAlive();
            return body.get();
        } finally {
            lock.unlock();
        }
    }
}
