package tidemark.delivery;

import java.time.Duration;
import java.util.Optional;
import tidemark.sink.CompletionToken;

/**
 * When to ask for a token's completion: one question at a time, soon at first, ever less often while it stays open.
 * Times are nanoseconds of the caller's clock. Owned by the core.
 */
final class CompletionPolling {
    /** About what a small step takes (feldera.md, measured 9). */
    private static final long FIRST = Duration.ofMillis(5).toNanos();
    /** A long commit or a slow output: asking more often would not make it faster. */
    private static final long LONGEST = Duration.ofMillis(250).toNanos();

    private boolean asking;
    private long askedNanos;
    private long interval = FIRST;
    private long notBefore = Long.MIN_VALUE;

    /** The token, if it should be asked for now. */
    Optional<CompletionToken> next(CompletionToken oldest, long nanos) {
        if (asking || nanos < notBefore) return Optional.empty();
        asking = true;
        askedNanos = nanos;
        return Optional.of(oldest);
    }

    /** Returns when the question was asked: of what happened since the answer says nothing. */
    long stillOpen(CompletionToken token, long nanos) {
        InvariantViolation.require(asking, "an answer for token %s, which was not asked", token.text());
        asking = false;
        notBefore = nanos + interval;
        interval = Math.min(interval + interval / 2, LONGEST);
        return askedNanos;
    }

    void answered(long nanos) {
        asking = false;
        notBefore = nanos;
        interval = FIRST;
    }
}
