package tidemark.standin;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a test or the demo has set going wrong with one pipeline. Outlives the pipeline's processes. Thread safe; read
 * by the circuit at each step.
 */
final class Faults {
    /** A query fails after so many rows of its answer. */
    record BrokenQuery(int rows, String error) {}

    private final AtomicReference<Optional<String>> checkpointFailure = new AtomicReference<>(Optional.empty());
    private final LongAdder withdrawn = new LongAdder();
    private final AtomicBoolean callRepeated = new AtomicBoolean();
    private volatile Duration stepDelay;
    private volatile Duration commitDelay = Duration.ZERO;
    private volatile Duration ingressDelay = Duration.ZERO;
    private volatile boolean completionsHeld;
    private volatile boolean checkpointsHeld;
    private volatile boolean replaysAsMeasured;
    private volatile Duration creationDelay = Duration.ZERO;
    private final Set<Phase> heldPhases = ConcurrentHashMap.newKeySet();
    private volatile Optional<Random> scrambler = Optional.empty();
    private volatile Optional<BrokenQuery> brokenQuery = Optional.empty();

    Faults(Duration stepDelay) {
        this.stepDelay = stepDelay;
    }

    /** How long a step takes before what it took is visible. */
    Duration stepDelay() {
        return stepDelay;
    }

    void stepDelay(Duration delay) {
        stepDelay = delay;
    }

    /** How long a commit takes, during which nothing is ingested. */
    Duration commitDelay() {
        return commitDelay;
    }

    void commitDelay(Duration delay) {
        commitDelay = delay;
    }

    /** How long a request is on its way from the socket to its endpoint. */
    Duration ingressDelay() {
        return ingressDelay;
    }

    void ingressDelay(Duration delay) {
        ingressDelay = delay;
    }

    /** Steps are done and visible, and not reported complete: as with an output connector that is stuck. */
    boolean completionsHeld() {
        return completionsHeld;
    }

    void completionsHeld(boolean held) {
        completionsHeld = held;
    }

    /** Checkpoints are asked for and do not get done. */
    boolean checkpointsHeld() {
        return checkpointsHeld;
    }

    void checkpointsHeld(boolean held) {
        checkpointsHeld = held;
    }

    void failNextCheckpoint(String error) {
        checkpointFailure.set(Optional.of(error));
    }

    Optional<String> takeCheckpointFailure() {
        return checkpointFailure.getAndSet(Optional.empty());
    }

    /** A starting process stays in this phase; a replay also stands still between two of its steps. */
    boolean isHeld(Phase phase) {
        return heldPhases.contains(phase);
    }

    void hold(Phase phase) {
        heldPhases.add(phase);
    }

    void release(Phase phase) {
        heldPhases.remove(phase);
    }

    /** What often fails in a real replay always fails in this one. */
    boolean replaysAsMeasured() {
        return replaysAsMeasured;
    }

    void replaysAsMeasured(boolean as) {
        replaysAsMeasured = as;
    }

    /** How many requests were taken back. */
    long withdrawn() {
        return withdrawn.sum();
    }

    void countWithdrawn() {
        withdrawn.increment();
    }

    /** How long an endpoint's first request takes between its look for the endpoint and making it. */
    Duration creationDelay() {
        return creationDelay;
    }

    void creationDelay(Duration delay) {
        creationDelay = delay;
    }

    /** The API server will lose the process's answer to one call, and call again (feldera.md 3). */
    void repeatNextTransactionCall() {
        callRepeated.set(true);
    }

    boolean takeRepeatedCall() {
        return callRepeated.getAndSet(false);
    }

    /** Decides what each step takes; used by the circuit only. */
    Optional<Random> scrambler() {
        return scrambler;
    }

    void scrambler(Optional<Random> random) {
        scrambler = random;
    }

    Optional<BrokenQuery> brokenQuery() {
        return brokenQuery;
    }

    void brokenQuery(Optional<BrokenQuery> broken) {
        brokenQuery = broken;
    }
}
