package tidemark.delivery;

import java.util.function.Supplier;
import tidemark.replication.SourceSession;
import tidemark.sink.Completion;
import tidemark.sink.CompletionToken;
import tidemark.sink.Destination;
import tidemark.sink.TableBody;

/**
 * Something that blocks: on HTTP, on PostgreSQL or on the disk. Done by {@link Workers}; its outcome is an
 * {@link Event}.
 */
sealed interface Errand {
    record Post(Destination to, long batchId, TableBody body) implements Errand {}

    record AskCompletion(Destination of, CompletionToken token) implements Errand {}

    record AskLife(Destination of) implements Errand {}

    record AskTenure(SourceSession of) implements Errand {}

    record Persist(StateStore to, ReplicationState state, Mark mark) implements Errand {}

    /** Before a session streams; the answer reaches whoever asked on another way. */
    record Question(Runnable ask) implements Errand {}

    /** Does it, on the calling thread. */
    default Event outcome() {
        try {
            return done();
        } catch (RuntimeException e) {
            return failed(FailurePolicy.of(e));
        } catch (Error e) { // out of memory, say: an outcome that never comes would be waited for for ever
            return failed(FailurePolicy.of(e));
        }
    }

    private Event failed(Failure why) {
        return this instanceof Persist ? new Event.NotRecorded(why) : new Event.QuestionFailed(why);
    }

    private Event done() {
        return switch (this) {
            case Post(Destination to, long batchId, TableBody body) -> new Event.Answered(batchId, to.post(body));
            case AskCompletion(Destination of, CompletionToken token) ->
                switch (of.completion(token)) {
                    case Completion.Complete() -> new Event.Complete(token);
                    case Completion.InProgress _ -> new Event.Incomplete(token);
                    case Completion.Voided() -> new Event.TokenVoid(token);
                };
            case AskLife(Destination of) -> new Event.LifeSeen(of.stats());
            case AskTenure(SourceSession of) -> new Event.TenureSeen(of.holdsSlot());
            case Persist(StateStore to, ReplicationState state, Mark mark) -> {
                to.write(state);
                yield new Event.Recorded(mark);
            }
            case Question(Runnable ask) -> {
                ask.run();
                yield new Event.Elapsed();
            }
        };
    }

    /** What an asker waits for: set by the errand, read by the loop once the errand is over. */
    final class Answer<T> {
        private volatile Supplier<T> told = () -> {
            throw new InvariantViolation("a question is read before it was answered");
        };
        private volatile boolean there;

        void ask(Supplier<T> question) {
            try {
                T answer = question.get();
                told = () -> answer;
            } catch (RuntimeException e) {
                told = () -> {
                    throw e;
                };
            } finally {
                there = true;
            }
        }

        boolean isThere() {
            return there;
        }

        T get() {
            return told.get();
        }
    }
}
