package tidemark.delivery;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import tidemark.sink.IngressReply;

/**
 * Keeps account of the errands under way and brings each outcome back to the loop as one {@link Event}.
 *
 * <p>At most one POST, one completion question, one life question, one tenure question and one state write are under
 * way: the core asks for no more. Outlives sessions: what comes back for an earlier core is dropped, except that the
 * {@link GhostWatch} and the {@link EndpointCounts} learn what became of its POST. Owned by the connector's thread.
 */
final class Errands {
    private final Workers workers;
    private final GhostWatch ghosts;
    private final EndpointCounts counts;
    private final LongSupplier nanos;
    private long core;
    private int underWay;

    Errands(Workers workers, GhostWatch ghosts, EndpointCounts counts, LongSupplier nanos) {
        this.workers = workers;
        this.ghosts = ghosts;
        this.counts = counts;
        this.nanos = nanos;
    }

    /** What comes back from now on for earlier cores is nobody's business any more. */
    void beginCore() {
        core++;
    }

    void run(Errand errand) {
        if (errand instanceof Errand.Post) ghosts.sent();
        underWay++;
        workers.begin(new Workers.Ticket(core, errand));
    }

    /** Begins a question that blocks; {@link Errand.Answer} has what came of it. */
    <T> Errand.Answer<T> ask(Supplier<T> question) {
        var answer = new Errand.Answer<T>();
        run(new Errand.Question(() -> answer.ask(question)));
        return answer;
    }

    /** The next event of this core, waiting for at most {@code wait} for one. */
    Optional<Event> next(Duration wait) {
        long deadline = nanos.getAsLong() + wait.toNanos();
        Optional<Workers.Outcome> outcome = take(wait);
        while (outcome.filter(of -> of.ticket().core() != core).isPresent()) outcome = take(until(deadline));
        return outcome.map(Workers.Outcome::event);
    }

    private Optional<Workers.Outcome> take(Duration wait) {
        Optional<Workers.Outcome> outcome = workers.take(wait);
        outcome.ifPresent(this::learn);
        return outcome;
    }

    private void learn(Workers.Outcome outcome) {
        underWay--;
        if (!(outcome.ticket().errand() instanceof Errand.Post post)) return;
        if (outcome.ticket().core() != core && outcome.event() instanceof Event.Answered(var _, IngressReply late)) {
            counts.answeredLate(post.body().table(), late);
        }
        boolean known = outcome.event() instanceof Event.Answered(var _, IngressReply reply)
                && !(reply instanceof IngressReply.Unknown);
        if (known) ghosts.answered();
        else ghosts.lost(nanos.getAsLong());
    }

    /** Waits until nothing is under way any more; every errand is bounded by its own time-out. */
    boolean settled(Duration wait) {
        long deadline = nanos.getAsLong() + wait.toNanos();
        while (underWay > 0 && nanos.getAsLong() < deadline) take(until(deadline));
        return underWay == 0;
    }

    private Duration until(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - nanos.getAsLong()));
    }
}
