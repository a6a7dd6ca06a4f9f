package tidemark.standin;

import java.time.Duration;
import java.util.Optional;

/**
 * When fault tolerance takes its next checkpoint without being asked ({@code checkpoint_interval_secs}, feldera.md 6).
 * Used by the circuit only.
 */
final class CheckpointTimer {
    private final Optional<Duration> interval;
    private long begunNanos = System.nanoTime();

    CheckpointTimer(Optional<Duration> interval) {
        this.interval = interval;
    }

    /** Until the next one; empty when there is none to come. */
    Optional<Duration> left() {
        return interval.map(every -> every.minusNanos(System.nanoTime() - begunNanos));
    }

    boolean isDue() {
        return left().filter(time -> time.isNegative() || time.isZero()).isPresent();
    }

    /** When one is asked for and when one is taken, by whomever: it may be long on its way behind a transaction. */
    void restart() {
        begunNanos = System.nanoTime();
    }
}
