package tidemark.delivery;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * Decides how long to wait before the next session, and when to stop trying.
 *
 * <p>Exponential backoff with full jitter: the n-th attempt without progress waits a random time of at most
 * {@code FIRST · 2ⁿ}, capped. Only progress resets it: a confirmed position that moved, a completed batch, or that
 * nothing was outstanding when it failed, with both ends alive. Connecting is not progress.
 *
 * <p>What begins again from its beginning when it breaks off (the copy or merge of a table, a TRUNCATE, a transaction
 * larger than a batch) is an <em>undertaking</em>. Its batches show that both ends are alive, and are lost with it: it
 * may break off {@link #TRIES} times within {@code giveUpAfter}, and then as soon as that is over, unless more was kept
 * than ever before: one more table that is whole on disk, or a confirmed position that moved.
 *
 * <p>Times are nanoseconds of the caller's clock. Not thread safe; owned by the connector's thread. A restart loses it:
 * a supervisor's own back-off takes over.
 */
final class Patience {
    /** One round trip and a breath: a walsender that was just terminated is free again within this. */
    private static final Duration FIRST = Duration.ofMillis(200);
    /** Rare enough to spare a server that restarts, often enough not to add minutes to an outage. */
    private static final Duration CAP = Duration.ofSeconds(15);

    /** Once may be bad luck, and a long copy may meet it twice. */
    static final int TRIES = 3;

    /** What to do after a transient failure. */
    sealed interface Next {
        record Retry(Duration after) implements Next {}

        record GiveUp(ExitCode exit, Duration afterFailingFor) implements Next {}

        /** An undertaking did so often, and no more was kept: to give up, too. */
        record BrokenOff(int times, Duration within) implements Next {}
    }

    private final Duration giveUpAfter;
    private final Duration slotBusyLimit;
    private final RandomGenerator random;
    private int attempts;
    private long failingSince;
    private int busyAttempts;
    private long busySince;
    private OptionalLong waitingSince = OptionalLong.empty();
    private boolean caughtUp;
    private boolean undertaking;
    private int brokenOff;
    private long brokenSince;
    private int mostWhole;

    Patience(Duration giveUpAfter, Duration slotBusyLimit, RandomGenerator random) {
        this.giveUpAfter = giveUpAfter;
        this.slotBusyLimit = slotBusyLimit;
        this.random = random;
    }

    void progressed() {
        attempts = 0;
        busyAttempts = 0;
    }

    /** Nothing is outstanding: what fails now fails for the first time. */
    void caughtUp() {
        caughtUp = true;
    }

    /** Something is sent, and is no progress before it is complete. */
    void begins() {
        caughtUp = false;
    }

    /** Both ends have answered, and what begins now counts when it is kept. */
    void undertakes() {
        progressed();
        undertaking = true;
    }

    /** So many tables are whole on disk, as long as the slot stands. */
    void whole(int tables) {
        if (tables <= mostWhole) return; // what went with a slot is not kept by being read again
        mostWhole = tables;
        brokenOff = 0;
    }

    /** The confirmed position moved: nothing up to there is ever done again. */
    void confirmed() {
        progressed();
        undertaking = false;
        brokenOff = 0;
        mostWhole = 0;
    }

    /** What is asked of a peer now has a limit of its own: should it fail, it has failed from now on. */
    void waits(long nanos) {
        waitingSince = OptionalLong.of(nanos);
    }

    void waitIsOver() {
        waitingSince = OptionalLong.empty();
    }

    Next after(Failure.Transient failure, long nanos) {
        if (caughtUp) progressed();
        caughtUp = false;
        if (attempts++ == 0) failingSince = waitingSince.orElse(nanos);
        waitIsOver();
        if (!failure.onSlot()) busyAttempts = 0;
        else if (busyAttempts++ == 0) busySince = nanos;
        Duration failing = Duration.ofNanos(nanos - failingSince);
        if (failure.onSlot() && nanos - busySince >= slotBusyLimit.toNanos()) {
            return new Next.GiveUp(ExitCode.TEMPORARY, Duration.ofNanos(nanos - busySince));
        }
        if (failing.compareTo(giveUpAfter) >= 0) return new Next.GiveUp(ExitCode.UNREACHABLE, failing);
        if (undertaking && brokenOff++ == 0) brokenSince = nanos;
        undertaking = false;
        Duration breaking = Duration.ofNanos(brokenOff == 0 ? 0 : nanos - brokenSince);
        if (brokenOff >= TRIES && breaking.compareTo(giveUpAfter) >= 0) {
            return new Next.BrokenOff(brokenOff, breaking);
        }
        long wait = random.nextLong(bound(Math.max(attempts, brokenOff)).toNanos()) + 1;
        return new Next.Retry(
                Duration.ofNanos(Math.min(wait, giveUpAfter.minus(failing).toNanos())));
    }

    /** The longest wait before attempt {@code attempt}, counted from 1. */
    static Duration bound(int attempt) {
        Duration bound = FIRST.multipliedBy(1L << Math.min(attempt - 1, 20));
        return bound.compareTo(CAP) > 0 ? CAP : bound;
    }
}
