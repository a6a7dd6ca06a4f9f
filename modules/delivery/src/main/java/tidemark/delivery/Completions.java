package tidemark.delivery;

import static tidemark.delivery.InvariantViolation.require;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.random.RandomGenerator;
import tidemark.sink.CompletionToken;

/**
 * Batches that were accepted and are not complete, and when to ask for the oldest token's completion: one question at a
 * time, soon at first, ever less often while it stays open. Times are nanoseconds of the caller's clock. Owned by the
 * core.
 */
final class Completions {
    /** About what a small step takes (feldera.md, measured 9). */
    private static final long FIRST = Duration.ofMillis(5).toNanos();
    /** A long commit or a slow output: asking more often would not make it faster. */
    private static final long LONGEST = Duration.ofMillis(250).toNanos();

    /** Its tokens in the order of their POSTs. */
    private record Accepted(long batchId, ArrayDeque<CompletionToken> tokens, long sinceNanos) {}

    private final long limitNanos;
    private final RandomGenerator random;
    private final ArrayDeque<Accepted> accepted = new ArrayDeque<>();
    private boolean asking;
    private long askedNanos;
    private long interval = FIRST;
    private long notBefore = Long.MIN_VALUE;

    /**
     * @param limit how long an accepted batch may stay incomplete
     * @param random spreads the questions of many connectors that wait for one pipeline
     */
    Completions(Duration limit, RandomGenerator random) {
        this.limitNanos = limit.toNanos();
        this.random = random;
    }

    void accepted(long batchId, ArrayDeque<CompletionToken> tokens, long nanos) {
        accepted.addLast(new Accepted(batchId, tokens, nanos));
    }

    /** The batch that has waited longest. */
    Optional<Long> oldest() {
        return Optional.ofNullable(accepted.peekFirst()).map(Accepted::batchId);
    }

    /** The token to ask for now; says so once. */
    Optional<CompletionToken> next(long nanos) {
        if (accepted.isEmpty() || asking || nanos < notBefore) return Optional.empty();
        asking = true;
        askedNanos = nanos;
        return Optional.of(accepted.getFirst().tokens().getFirst());
    }

    /** The batch whose last token this was. */
    Optional<Long> complete(CompletionToken token, long nanos) {
        asking = false;
        notBefore = nanos;
        interval = FIRST;
        require(
                !accepted.isEmpty() && accepted.getFirst().tokens().getFirst().equals(token),
                "an answer for a token not asked");
        Accepted oldest = accepted.getFirst();
        oldest.tokens().removeFirst();
        if (!oldest.tokens().isEmpty()) return Optional.empty();
        accepted.removeFirst();
        return Optional.of(oldest.batchId());
    }

    /**
     * The batch that has waited for too long. The caller may come back from a long wait for PostgreSQL: only a question
     * asked after the limit decides.
     */
    Optional<Long> stillOpen(CompletionToken token, long nanos) {
        require(asking, "an answer for token %s, which was not asked", token.text());
        asking = false;
        notBefore = nanos + interval / 2 + random.nextLong(interval / 2 + 1);
        interval = Math.min(interval + interval / 2, LONGEST);
        Accepted oldest = accepted.getFirst();
        return askedNanos - oldest.sinceNanos() < limitNanos ? Optional.empty() : Optional.of(oldest.batchId());
    }
}
