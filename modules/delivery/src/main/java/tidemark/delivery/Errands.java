package tidemark.delivery;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import tidemark.sink.Completion;
import tidemark.sink.CompletionToken;
import tidemark.sink.Destination;
import tidemark.sink.IngressReply;
import tidemark.sink.TableBody;

/**
 * Runs what blocks (HTTP, fsync) on virtual threads and brings each outcome back to the loop as one {@link Event}.
 *
 * <p>At most one POST, one completion question, one life question and one state write are under way: the core asks for
 * no more. Outlives sessions: what comes back for an earlier core is dropped, except that the {@link GhostWatch} learns
 * what became of its POST. Called by the connector's thread only.
 */
final class Errands implements AutoCloseable {
    /** @param post the outcome is a POST's */
    private record Outcome(long core, boolean post, Event event) {}

    private final Destination destination;
    private final StateFile file;
    private final GhostWatch ghosts;
    private final LongSupplier nanos;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final LinkedBlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
    private long core;
    private int underWay;

    Errands(Destination destination, StateFile file, GhostWatch ghosts, LongSupplier nanos) {
        this.destination = destination;
        this.file = file;
        this.ghosts = ghosts;
        this.nanos = nanos;
    }

    /** What comes back from now on for earlier cores is nobody's business any more. */
    void beginCore() {
        core++;
    }

    void post(long batchId, TableBody body) {
        ghosts.sent();
        run(true, () -> new Event.Answered(batchId, destination.post(body)));
    }

    void askCompletion(CompletionToken token) {
        run(false, () -> switch (destination.completion(token)) {
            case Completion.Complete() -> new Event.Complete(token);
            case Completion.InProgress _ -> new Event.Incomplete(token);
            case Completion.Voided() -> new Event.TokenVoid(token);
        });
    }

    void askLife() {
        run(false, () -> new Event.LifeSeen(destination.stats()));
    }

    void record(ReplicationState state, Mark mark) {
        run(false, () -> {
            file.write(state);
            return new Event.Recorded(mark);
        });
    }

    private void run(boolean post, Supplier<Event> errand) {
        long of = core;
        underWay++;
        threads.execute(() -> outcomes.add(new Outcome(of, post, outcomeOf(errand))));
    }

    private static Event outcomeOf(Supplier<Event> errand) {
        try {
            return errand.get();
        } catch (RuntimeException e) {
            return new Event.QuestionFailed(FailurePolicy.of(e));
        } catch (Error e) { // out of memory, say: an outcome that never comes would be waited for for ever
            return new Event.QuestionFailed(FailurePolicy.of(e));
        }
    }

    /** The next event of this core, waiting for at most {@code wait} for one. */
    Optional<Event> next(Duration wait) {
        long deadline = nanos.getAsLong() + wait.toNanos();
        Optional<Outcome> outcome = take(wait.toNanos());
        while (outcome.isPresent() && outcome.get().core() != core) outcome = take(deadline - nanos.getAsLong());
        return outcome.map(Outcome::event);
    }

    private Optional<Outcome> take(long waitNanos) {
        Outcome outcome;
        try {
            outcome = waitNanos <= 0 ? outcomes.poll() : outcomes.poll(waitNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            throw new InvariantViolation("the connector's thread was interrupted: nobody may do that");
        }
        if (outcome == null) return Optional.empty();
        underWay--;
        if (outcome.post()) learn(outcome.event());
        return Optional.of(outcome);
    }

    private void learn(Event event) {
        boolean known =
                event instanceof Event.Answered(var _, IngressReply reply) && !(reply instanceof IngressReply.Unknown);
        if (known) ghosts.answered();
        else ghosts.lost(nanos.getAsLong());
    }

    /** Waits until nothing of earlier sessions is under way any more; every errand is bounded by its own time-out. */
    boolean settled(Duration wait) {
        long deadline = nanos.getAsLong() + wait.toNanos();
        while (underWay > 0 && nanos.getAsLong() < deadline) take(deadline - nanos.getAsLong());
        return underWay == 0;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
