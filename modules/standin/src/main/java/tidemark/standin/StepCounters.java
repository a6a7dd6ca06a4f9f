package tidemark.standin;

import java.util.Optional;

/**
 * {@code completed steps <= applied steps <= initiated steps}, and the operations that those stand for. Guarded by the
 * process's lock.
 */
final class StepCounters {
    private long initiated;
    private long applied;
    private long completed;
    private long appliedRecords;
    private long processedRecords;
    private long completedRecords;

    StepCounters(Optional<Checkpoint> resumed) {
        initiated = resumed.map(Checkpoint::steps).orElse(0L);
        applied = initiated;
        completed = initiated;
        processedRecords = resumed.map(Checkpoint::processedRecords).orElse(0L);
        appliedRecords = processedRecords;
        completedRecords = processedRecords;
    }

    long initiate() {
        return ++initiated;
    }

    /** A step of an open transaction: taken, and visible to nobody. */
    void processed(long records) {
        processedRecords = records;
    }

    /** All that was initiated is visible. */
    void applied(long records, Faults faults) {
        applied = initiated;
        processedRecords = records;
        appliedRecords = records;
        complete(faults);
    }

    /** What is visible is also complete, unless an output holds it back. */
    void complete(Faults faults) {
        if (!faults.completionsHeld()) {
            completed = applied;
            completedRecords = appliedRecords;
        }
    }

    long initiated() {
        return initiated;
    }

    long completed() {
        return completed;
    }

    long processedRecords() {
        return processedRecords;
    }

    long completedRecords() {
        return completedRecords;
    }
}
