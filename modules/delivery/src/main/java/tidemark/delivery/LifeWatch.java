package tidemark.delivery;

import java.time.Duration;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.sink.PipelineStats;

/**
 * When to look at the pipeline's life while nothing is in flight, and which position the look vouches for
 * (delivery-rules.md R3): no token does then. Times are nanoseconds of the caller's clock. Owned by the core.
 */
final class LifeWatch {
    /** A pipeline that restarts empty while the source is idle is noticed within this. */
    private static final long IDLE_NANOS = Duration.ofSeconds(2).toNanos();
    /** While a position waits to be confirmed. */
    private static final long WAITING_NANOS = Duration.ofMillis(200).toNanos();

    private Optional<Lsn> waiting = Optional.empty();
    private Optional<Lsn> covered = Optional.empty();
    private boolean asking;
    private long seenNanos;
    private Optional<Standstill> standstill = Optional.empty();

    /** The pipeline does not run, in its own word, and has not since. */
    private record Standstill(String state, long sinceNanos) {}

    LifeWatch(long nanos) {
        seenNanos = nanos;
    }

    /** Everything below was read and nothing is in flight: a look that is asked for from now on vouches for it. */
    void waits(Lsn lsn) {
        waiting = Optional.of(lsn);
    }

    /** Says so once: the caller asks. */
    boolean isAskDue(long nanos) {
        boolean soon = waiting.isPresent() || standstill.isPresent();
        if (asking || nanos - seenNanos < (soon ? WAITING_NANOS : IDLE_NANOS)) return false;
        asking = true;
        covered = waiting;
        return true;
    }

    /** The same life answered: what may be confirmed, unless something is in flight again. */
    Optional<Lsn> seen(PipelineStats stats, long nanos) {
        asking = false;
        seenNanos = nanos;
        standstill = stats.isRunning()
                ? Optional.empty()
                : Optional.of(new Standstill(
                        stats.state(), standstill.map(Standstill::sinceNanos).orElse(nanos)));
        Optional<Lsn> vouched = covered;
        if (waiting.equals(covered)) waiting = Optional.empty();
        covered = Optional.empty();
        return vouched;
    }

    /** A POST would be blocked in it, and outlive its answer. */
    boolean standsStill() {
        return standstill.isPresent();
    }

    /** Feldera's word for it. */
    Optional<String> state() {
        return standstill.map(Standstill::state);
    }

    long stillForNanos(long nanos) {
        return standstill.map(still -> nanos - still.sinceNanos()).orElse(0L);
    }
}
