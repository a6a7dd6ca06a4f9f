package tidemark.app;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.faulttolerance.Timeout;
import org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException;
import tidemark.sink.Completion;
import tidemark.sink.CompletionToken;
import tidemark.sink.Destination;
import tidemark.sink.FelderaTable;
import tidemark.sink.PipelineStats;
import tidemark.sink.PipelineStatus;
import tidemark.sink.SinkFailure;

/**
 * Puts single idempotent questions to Feldera: again when a failure passes by itself, never for longer than the
 * time-out, and for a moment not at all while none of them is answered. What goes on for longer than these few attempts
 * is a matter of the core's own backoff, which sees positions (ADR 0008).
 *
 * <p>Every number can be overridden by MicroProfile Config:
 * {@code tidemark.app.FelderaQuestions/completion/Retry/maxRetries=5}. Posts do not pass here.
 */
@ApplicationScoped
class FelderaQuestions {
    private static final long TIMEOUT_MILLIS = 10_000;
    private static final int RETRIES = 3;
    private static final long DELAY_MILLIS = 250;
    private static final long JITTER_MILLIS = 100;

    /** No attempt begins later: of a silent Feldera a question is given up after two time-outs, within stop.budget. */
    private static final long BEGIN_WITHIN_MILLIS = 10_000;

    /** Every attempt of two questions in a row: one that is answered in between is reason enough to go on asking. */
    private static final int FAILURES_TO_OPEN = 8;

    /**
     * Well below the 15 s that the core's backoff may wait, so that the breaker hides no recovery which that would see.
     */
    private static final long OPEN_MILLIS = 5_000;

    /** Why an attempt last failed: for who is not let through by an open breaker, which knows no reason. */
    private volatile Optional<SinkFailure> lastPassing = Optional.empty();

    @Timeout(TIMEOUT_MILLIS)
    @Retry(
            maxRetries = RETRIES,
            delay = DELAY_MILLIS,
            jitter = JITTER_MILLIS,
            maxDuration = BEGIN_WITHIN_MILLIS,
            retryOn = {Passing.class, TimeoutException.class})
    @CircuitBreaker(
            requestVolumeThreshold = FAILURES_TO_OPEN,
            failureRatio = 1,
            delay = OPEN_MILLIS,
            failOn = {Passing.class, TimeoutException.class})
    PipelineStatus pipeline(Destination feldera) {
        return ask(feldera::pipeline);
    }

    @Timeout(TIMEOUT_MILLIS)
    @Retry(
            maxRetries = RETRIES,
            delay = DELAY_MILLIS,
            jitter = JITTER_MILLIS,
            maxDuration = BEGIN_WITHIN_MILLIS,
            retryOn = {Passing.class, TimeoutException.class})
    @CircuitBreaker(
            requestVolumeThreshold = FAILURES_TO_OPEN,
            failureRatio = 1,
            delay = OPEN_MILLIS,
            failOn = {Passing.class, TimeoutException.class})
    List<FelderaTable> tables(Destination feldera) {
        return ask(feldera::tables);
    }

    @Timeout(TIMEOUT_MILLIS)
    @Retry(
            maxRetries = RETRIES,
            delay = DELAY_MILLIS,
            jitter = JITTER_MILLIS,
            maxDuration = BEGIN_WITHIN_MILLIS,
            retryOn = {Passing.class, TimeoutException.class})
    @CircuitBreaker(
            requestVolumeThreshold = FAILURES_TO_OPEN,
            failureRatio = 1,
            delay = OPEN_MILLIS,
            failOn = {Passing.class, TimeoutException.class})
    Completion completion(Destination feldera, CompletionToken token) {
        return ask(() -> feldera.completion(token));
    }

    @Timeout(TIMEOUT_MILLIS)
    @Retry(
            maxRetries = RETRIES,
            delay = DELAY_MILLIS,
            jitter = JITTER_MILLIS,
            maxDuration = BEGIN_WITHIN_MILLIS,
            retryOn = {Passing.class, TimeoutException.class})
    @CircuitBreaker(
            requestVolumeThreshold = FAILURES_TO_OPEN,
            failureRatio = 1,
            delay = OPEN_MILLIS,
            failOn = {Passing.class, TimeoutException.class})
    PipelineStats stats(Destination feldera) {
        return ask(feldera::stats);
    }

    /** Of any question: an open breaker and this one have the same cause, or had it a moment ago. */
    Optional<SinkFailure> lastPassing() {
        return lastPassing;
    }

    /** {@code @Retry} chooses by class, and a failure's kind is not one. */
    private <T> T ask(Supplier<T> question) {
        try {
            return question.get();
        } catch (SinkFailure failure) {
            throw switch (failure.kind()) {
                case TRANSIENT -> {
                    lastPassing = Optional.of(failure);
                    yield new Passing(failure);
                }
                case CREDENTIALS, MISCONFIGURED, PROTOCOL, PERMANENT -> failure;
            };
        }
    }

    /** A failure worth asking again after. */
    static final class Passing extends RuntimeException {
        private final SinkFailure failure;

        Passing(SinkFailure failure) {
            super(failure.getMessage(), failure);
            this.failure = failure;
        }

        SinkFailure failure() {
            return failure;
        }
    }
}
