package tidemark.app;

import java.util.List;
import java.util.function.Supplier;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException;
import tidemark.sink.Completion;
import tidemark.sink.CompletionToken;
import tidemark.sink.Destination;
import tidemark.sink.FelderaTable;
import tidemark.sink.IngressReply;
import tidemark.sink.PipelineStats;
import tidemark.sink.PipelineStatus;
import tidemark.sink.Problem;
import tidemark.sink.QueryRows;
import tidemark.sink.SinkFailure;
import tidemark.sink.TableBody;

/**
 * Feldera as delivery sees it: questions are put by {@link FelderaQuestions}, posts go straight to the client, once. A
 * post whose outcome is not known must never be repeated.
 */
final class PatientDestination implements Destination {
    private final Destination feldera;
    private final FelderaQuestions questions;

    PatientDestination(Destination feldera, FelderaQuestions questions) {
        this.feldera = feldera;
        this.questions = questions;
    }

    @Override
    public String address() {
        return feldera.address();
    }

    @Override
    public PipelineStatus pipeline() {
        return answer("pipeline", () -> questions.pipeline(feldera));
    }

    @Override
    public List<FelderaTable> tables() {
        return answer("tables", () -> questions.tables(feldera));
    }

    @Override
    public IngressReply post(TableBody body) {
        return feldera.post(body);
    }

    @Override
    public Completion completion(CompletionToken token) {
        return answer("completion", () -> questions.completion(feldera, token));
    }

    @Override
    public PipelineStats stats() {
        return answer("stats", () -> questions.stats(feldera));
    }

    /** Once: whoever asks has begun a session by it, which another one asks anew. */
    @Override
    public QueryRows query(String sql, QueryRows.Limits limits) {
        return feldera.query(sql, limits);
    }

    /** Delivery knows one kind of failure. */
    private <T> T answer(String question, Supplier<T> asked) {
        try {
            return asked.get();
        } catch (FelderaQuestions.Passing passing) {
            throw passing.failure();
        } catch (TimeoutException | io.helidon.faulttolerance.TimeoutException timeout) {
            // Helidon's own, when the last attempt that maxDuration left time for was a silent one.
            throw unanswered(question, "no answer in time", timeout);
        } catch (CircuitBreakerOpenException open) {
            throw unanswered(question, "not asked: the last attempts all failed" + lastReason(), open);
        }
    }

    /** An operator reads this line alone: without it nothing would say what is wrong with Feldera or the way to it. */
    private String lastReason() {
        return questions
                .lastPassing()
                .map(failure -> ", with: " + failure.problem())
                .orElse("");
    }

    private static SinkFailure unanswered(String question, String why, RuntimeException cause) {
        return new SinkFailure(new Problem(question, 0, "", why, SinkFailure.Kind.TRANSIENT), cause);
    }
}
