package tidemark.delivery;

import java.time.Duration;

/**
 * Remembers whether a POST may still take effect though nobody waits for it any more, and for how long
 * (delivery-rules.md R7, design §5): Feldera never withdraws a request whose client gave up.
 *
 * <p>Outlives sessions; lost with the process, therefore {@link ReplicationState#clean()} on disk. Times are
 * nanoseconds of the caller's clock. Owned by the connector's thread.
 */
final class GhostWatch {
    /**
     * Over {@code feldera.request-limit}: the longest delay ever seen on a running pipeline was 108 ms (counters.md).
     */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final long quietNanos;
    private boolean doubt;
    private long doubtSince;
    private int unanswered;

    GhostWatch(Duration requestLimit) {
        quietNanos = requestLimit.plus(MARGIN).toNanos();
    }

    /**
     * Something may have been left by another process, which lost the slot now and may not know it yet: it posts until
     * its last proof is over.
     */
    void inherited(long nanos) {
        doubted(nanos + SlotTenure.LONGEST_PROOF.toNanos());
    }

    /** The pipeline does not run: what is blocked in it stays there, and the time says nothing. */
    void heldUp(long nanos) {
        if (doubt) doubted(nanos);
    }

    void sent() {
        unanswered++;
    }

    /** The POST was answered, and the answer said what became of it. */
    void answered() {
        unanswered--;
    }

    /** The POST came to an end that says nothing about its effect. */
    void lost(long nanos) {
        unanswered--;
        doubted(nanos);
    }

    private void doubted(long nanos) {
        doubtSince = doubt ? Math.max(doubtSince, nanos) : nanos;
        doubt = true;
    }

    /** A POST of ours is still under way; its answer or its end will come. */
    boolean isUnderWay() {
        return unanswered > 0;
    }

    /** How long until nothing that was sent before can take effect any more; zero when nothing is in doubt. */
    Duration quietLeft(long nanos) {
        if (!doubt) return Duration.ZERO;
        long left = quietNanos - (nanos - doubtSince);
        if (left > 0) return Duration.ofNanos(left);
        doubt = false;
        return Duration.ZERO;
    }

    /** Whether a process that stops here leaves nothing behind. */
    boolean leavesNothing(long nanos) {
        return !isUnderWay() && quietLeft(nanos).isZero();
    }
}
