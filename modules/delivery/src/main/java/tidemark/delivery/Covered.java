package tidemark.delivery;

import java.time.Duration;
import tidemark.sink.Completion;
import tidemark.sink.CompletionToken;
import tidemark.sink.Destination;
import tidemark.sink.FelderaName;
import tidemark.sink.IngressReply;
import tidemark.sink.TableBody;

/**
 * Finds out when everything that a table's endpoint has taken is complete, and so to be seen by a query: by the token
 * of an empty array, which stands for all that came before it (delivery-rules.md R6), whichever session sent it and
 * whatever the ack mode waits for. No POST to the table may be under way, or leave meanwhile. Owned by the connector's
 * thread.
 */
final class Covered {
    private static final long ASK_EVERY_NANOS = Duration.ofMillis(10).toNanos();

    private sealed interface State {
        record Posting(Errand.Answer<IngressReply> reply) implements State {}

        record Waiting(CompletionToken token, long askNanos) implements State {}

        record Asking(CompletionToken token, Errand.Answer<Completion> answer, long askedNanos) implements State {}

        record Complete() implements State {}
    }

    private final Surroundings around;
    private final Destination feldera;
    private final FelderaName table;
    private final String life;
    private final String why;
    private final long deadlineNanos;
    private State state;

    /**
     * @param life the incarnation that the session began with
     * @param why it is asked: the table is … truncated, merged
     */
    Covered(Surroundings around, FelderaName table, String life, String why) {
        this.around = around;
        this.feldera = around.destination();
        this.table = table;
        this.life = life;
        this.why = why;
        this.deadlineNanos =
                around.now() + around.settings().completionTimeout().toNanos();
        this.state = new State.Posting(around.errands().ask(() -> feldera.post(TableBody.empty(table))));
    }

    /** Goes on with it. Throws what ends the session. */
    boolean isComplete() {
        state = switch (state) {
            case State.Posting(var reply) when reply.isThere() -> new State.Waiting(token(reply.get()), around.now());
            case State.Waiting(var token, long askNanos)
            when around.now() - askNanos >= 0 ->
                new State.Asking(token, around.errands().ask(() -> feldera.completion(token)), around.now());
            case State.Asking(var token, var answer, long asked)
            when answer.isThere() -> after(token, answer.get(), asked);
            case State.Posting _, State.Waiting _, State.Asking _, State.Complete _ -> state;
        };
        return state instanceof State.Complete;
    }

    private CompletionToken token(IngressReply reply) {
        if (!(reply instanceof IngressReply.Accepted(CompletionToken token))) {
            throw new SessionOver(FailurePolicy.ofReply(table, reply));
        }
        boolean sameLife =
                token.mark().filter(mark -> !mark.incarnation().equals(life)).isEmpty();
        if (!sameLife) throw restarted();
        return token;
    }

    /** An answer may be looked at late: what counts is when it was asked for. */
    private State after(CompletionToken token, Completion answer, long askedNanos) {
        return switch (answer) {
            case Completion.Complete() -> new State.Complete();
            case Completion.Voided() -> throw restarted();
            case Completion.InProgress _ -> {
                if (askedNanos - deadlineNanos >= 0) throw overdue();
                yield new State.Waiting(token, around.now() + ASK_EVERY_NANOS);
            }
        };
    }

    private SessionOver restarted() {
        return new SessionOver(Failure.peer(
                "the pipeline was restarted before table %s was %s".formatted(table, why),
                "Nothing, if it was you: the next session looks at what came back."));
    }

    private SessionOver overdue() {
        return new SessionOver(Failure.peer(
                "what was accepted for table %s before it was %s did not complete within feldera.completion-timeout"
                        .formatted(table, why),
                "Look for a slow output connector, an open pipeline transaction or a paused pipeline."));
    }
}
