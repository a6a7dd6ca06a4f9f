package tidemark.delivery;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import tidemark.replication.SourceIdentity;
import tidemark.replication.SourceSession;
import tidemark.replication.SourceSession.Publication;

/**
 * Keeps a session alive while something else is waited for: the status replies go on, and a stop is heard.
 *
 * <p>Runs on the connector's thread, but for both {@code interrupt}.
 */
final class Upkeep {
    private static final Duration BREATH = Duration.ofMillis(1);

    private final Surroundings around;
    private volatile Optional<SourceSession> notStreaming = Optional.empty();
    private volatile Optional<Failure> interruption = Optional.empty();

    Upkeep(Surroundings around) {
        this.around = around;
    }

    /** From here on the session is kept alive, and ended by a stop, until it streams. */
    SourceSession open() {
        SourceSession source = around.source().open();
        interruption = Optional.empty(); // of one that is closed
        notStreaming = Optional.of(source);
        try {
            around.stopHere(); // asked for before it could be interrupted
        } catch (StoppedEarly stopped) {
            source.close();
            throw stopped;
        }
        return source;
    }

    /** A stop drains from here on, and does not interrupt. */
    void streams() {
        notStreaming = Optional.empty();
        interruption = Optional.empty(); // that it came so far
        around.stopHere(); // asked for while it could be
    }

    /**
     * From any thread: before it streams a session has nothing to drain, and may wait for PostgreSQL as long as
     * somebody else's transaction is open: for its slot, or for the lock on a table to look at or to copy.
     */
    void interrupt() {
        notStreaming.ifPresent(SourceSession::close);
    }

    /** The same, because waiting is in vain. Returns why, if that is news to a session that waits. */
    Optional<Failure> interrupt(Function<SourceIdentity, Failure> why) {
        Optional<SourceSession> waiting = notStreaming;
        Optional<Failure> news = waiting.filter(_ -> interruption.isEmpty())
                .map(SourceSession::identity)
                .map(why);
        if (news.isPresent()) interruption = news; // before the first thing that the closing causes
        waiting.ifPresent(SourceSession::close);
        return news;
    }

    /** Why waiting was in vain, if it was. */
    Optional<Failure> interruption() {
        return interruption;
    }

    /**
     * What a slot's creation brings, which waits for older transactions: shown meanwhile, and bounded by the source.
     */
    <T> T created(SourceSession source, Supplier<T> creation) {
        around.board()
                .phase(Phase.CREATING_SLOT, () -> Optional.of(source.waitsFor().orElse("older transactions to end")));
        return patiently(creation);
    }

    /** It opens every table of the publication, and waits for whoever holds one exclusively: shown and bounded, too. */
    Publication publication(SourceSession source) {
        around.board().phase(Phase.CHECKING, source::waitsFor);
        return patiently(source::publication);
    }

    private <T> T patiently(Supplier<T> question) {
        around.patience().waits(around.now());
        T answer = question.get();
        around.patience().waitIsOver();
        return answer;
    }

    /** Asks what blocks. */
    <T> T ask(Supplier<T> question) {
        Errand.Answer<T> answer = around.errands().ask(question);
        while (!answer.isThere()) breathe(BREATH);
        return answer.get();
    }

    void pause(Duration wait) {
        long until = around.now() + wait.toNanos();
        for (long left = wait.toNanos(); left > 0; left = until - around.now()) breathe(Duration.ofNanos(left));
    }

    /** Waits until nothing is under way any more, of this session or of one before. */
    boolean settled(Duration wait) {
        around.stopHere();
        return around.errands().settled(wait);
    }

    private void breathe(Duration wait) {
        around.stopHere();
        around.errands().next(wait.compareTo(PipelineLook.EVERY) < 0 ? wait : PipelineLook.EVERY);
        notStreaming.ifPresent(source -> source.heartbeat(around.now()));
    }
}
