package tidemark.delivery;

import static tidemark.delivery.InvariantViolation.require;

import java.time.Duration;
import java.util.Optional;
import tidemark.decode.Lsn;

/**
 * Decides when the next mark is made durable, and what PostgreSQL may be told once it is.
 *
 * <p>Always: confirmed ≤ recorded ≤ what is confirmable. The first two are one position until {@link #hold}: from then
 * on the tables' marks go on, and PostgreSQL is told of no newer position (docs/adr/0017). One mark is on its way to
 * the disk at a time. Times are nanoseconds of the caller's clock. Owned by {@link DeliveryCore}, and lost with it.
 */
final class Marks {
    /** Ten durable marks a second: an fsync each, and a tenth of a second of replay window. */
    private static final long EVERY_NANOS = Duration.ofMillis(100).toNanos();

    private Lsn confirmed;
    private Lsn recorded;
    private boolean held;
    private boolean underWay;
    private long begunNanos;
    /** Marks that began, ended, and that one which somebody waits for, each by its number. */
    private long begun;

    private long ended;
    private long awaited;

    Marks(Lsn confirmed, long nanos) {
        this.confirmed = confirmed;
        this.recorded = confirmed;
        this.begunNanos = nanos;
    }

    Lsn confirmed() {
        return confirmed;
    }

    /** PostgreSQL is told of nothing newer, and a mark is due at once, whatever it says. */
    void hold() {
        held = true;
        awaited = begun + 1;
    }

    boolean isHeld() {
        return held;
    }

    /** Whether a mark is on disk that began after the last {@link #hold}. */
    boolean isAwaitedDone() {
        return ended >= awaited;
    }

    /** Whether everything that is confirmable is on disk. */
    boolean haveAll(AckLedger ledger) {
        return !underWay && isAwaitedDone() && recorded.equals(ledger.confirmableLsn());
    }

    /** The mark to be written now, if one is due. */
    Optional<Mark> next(AckLedger ledger, boolean draining, long nanos) {
        boolean newer = ledger.confirmableLsn().isAfter(recorded);
        boolean due = awaited > begun || (newer && (draining || nanos - begunNanos >= EVERY_NANOS));
        if (!due || !begins()) return Optional.empty();
        begunNanos = nanos;
        Mark mark = ledger.confirmable();
        return Optional.of(held ? new Mark(confirmed, mark.covered(), mark.counts()) : mark);
    }

    /** Returns whether one may be written now. */
    boolean begins() {
        if (underWay) return false;
        underWay = true;
        begun++;
        return true;
    }

    /** The one under way is on disk. */
    void recorded(Mark mark, Lsn confirmable) {
        ended();
        require(
                !confirmed.isAfter(mark.confirmable()),
                "the mark would go back from %s to %s",
                confirmed,
                mark.confirmable());
        require(!mark.covered().isAfter(confirmable), "a mark at %s is past what is confirmable", mark.covered());
        confirmed = mark.confirmable();
        recorded = mark.covered();
    }

    /** The one under way is on disk, and it told of no newer position. */
    void ended() {
        underWay = false;
        ended = begun;
    }
}
