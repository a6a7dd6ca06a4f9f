package tidemark.delivery;

import java.time.Duration;

/** When something that goes on is said again. Owned by whoever says it; times are nanoseconds of the caller's clock. */
final class OnceAMinute {
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

    private boolean begun;
    private long saidNanos;

    /** It was said now. */
    void said(long nanos) {
        begun = true;
        saidNanos = nanos;
    }

    /** Whether it is to be said now, as it never was, or not for a minute; then it counts as said. */
    boolean isDue(long nanos) {
        if (begun && nanos - saidNanos < MINUTE_NANOS) return false;
        said(nanos);
        return true;
    }
}
