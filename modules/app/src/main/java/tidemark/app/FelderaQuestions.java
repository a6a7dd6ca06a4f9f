package tidemark.app;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.function.Supplier;
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
 * Puts single idempotent questions to Feldera: again when a failure passes by itself, and never for longer than the
 * time-out. What goes on for longer than these few attempts is a matter of the core's own backoff, which sees
 * positions.
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

    @Timeout(TIMEOUT_MILLIS)
    @Retry(
            maxRetries = RETRIES,
            delay = DELAY_MILLIS,
            jitter = JITTER_MILLIS,
            retryOn = {Passing.class, TimeoutException.class})
    PipelineStatus pipeline(Destination feldera) {
        return ask(feldera::pipeline);
    }

    @Timeout(TIMEOUT_MILLIS)
    @Retry(
            maxRetries = RETRIES,
            delay = DELAY_MILLIS,
            jitter = JITTER_MILLIS,
            retryOn = {Passing.class, TimeoutException.class})
    List<FelderaTable> tables(Destination feldera) {
        return ask(feldera::tables);
    }

    @Timeout(TIMEOUT_MILLIS)
    @Retry(
            maxRetries = RETRIES,
            delay = DELAY_MILLIS,
            jitter = JITTER_MILLIS,
            retryOn = {Passing.class, TimeoutException.class})
    Completion completion(Destination feldera, CompletionToken token) {
        return ask(() -> feldera.completion(token));
    }

    @Timeout(TIMEOUT_MILLIS)
    @Retry(
            maxRetries = RETRIES,
            delay = DELAY_MILLIS,
            jitter = JITTER_MILLIS,
            retryOn = {Passing.class, TimeoutException.class})
    PipelineStats stats(Destination feldera) {
        return ask(feldera::stats);
    }

    /** {@code @Retry} chooses by class, and a failure's kind is not one. */
    private static <T> T ask(Supplier<T> question) {
        try {
            return question.get();
        } catch (SinkFailure failure) {
            throw switch (failure.kind()) {
                case TRANSIENT -> new Passing(failure);
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
