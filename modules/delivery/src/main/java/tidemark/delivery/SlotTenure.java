package tidemark.delivery;

import java.time.Duration;

/**
 * Whether a POST may leave: only from a process that holds the slot (delivery-rules.md R14). One that was frozen, or
 * whose walsender was killed unseen, may have a successor already.
 *
 * <p>Proven by an answer to a question, for so long after the question was asked: at most one interval of the status
 * replies, since the server waits for three before it gives the slot away. A freeze between this decision and the
 * socket remains. Times are nanoseconds of the caller's clock. Owned by the core.
 */
final class SlotTenure {
    /** A successor waits out this much more ({@link GhostWatch}): a slot is also taken away by hand, at any time. */
    static final Duration LONGEST_PROOF = Duration.ofSeconds(3);

    private final boolean needsProof;
    private final long proofNanos;
    private boolean proven;
    private long provenNanos;
    private boolean asking;
    private long askedNanos;

    private SlotTenure(boolean needsProof, Duration statusInterval) {
        this.needsProof = needsProof;
        this.proofNanos = Math.min(statusInterval.toNanos(), LONGEST_PROOF.toNanos());
    }

    /** As long as the state's turn is held no slot need be: a successor would wait for the turn. */
    static SlotTenure byTurn() {
        return new SlotTenure(false, LONGEST_PROOF);
    }

    /** @param statusInterval between two status replies of this session */
    static SlotTenure bySlot(Duration statusInterval) {
        return new SlotTenure(true, statusInterval);
    }

    boolean isProven(long nanos) {
        return !needsProof || (proven && nanos - provenNanos < proofNanos);
    }

    /** Says so once: the caller asks. */
    boolean isAskDue(long nanos) {
        if (!needsProof || asking || (proven && nanos - provenNanos < proofNanos / 2)) return false;
        asking = true;
        askedNanos = nanos;
        return true;
    }

    /** Whether the answer, that the slot is ours, came early enough to say anything. */
    boolean confirmed(long nanos) {
        asking = false;
        proven = true;
        provenNanos = askedNanos;
        return isProven(nanos);
    }
}
