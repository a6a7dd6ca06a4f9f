package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import tidemark.replication.SourceFailure;

/**
 * Looks whether a session could begin: who begins one asks for the publication's tables, and waits for whoever has one
 * of them exclusively. The one that streams need not end before. Says once a minute whom it waits for, as the position
 * is held meanwhile.
 *
 * <p>Owned by the connector's thread.
 */
final class NextSession {
    private static final Logger LOG = System.getLogger("tidemark.delivery");
    private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

    private final Surroundings around;
    private Errand.Answer<Optional<String>> holder;
    private long askedNanos;
    private final OnceAMinute said = new OnceAMinute();

    NextSession(Surroundings around) {
        this.around = around;
        this.holder = ask();
    }

    private Errand.Answer<Optional<String>> ask() {
        askedNanos = around.now();
        return around.errands().ask(() -> around.source().exclusiveHolder());
    }

    /** As far as is known; whatever cannot be known the next session finds out. */
    boolean couldBegin() {
        if (!holder.isThere()) return false;
        Optional<String> by = answered();
        if (by.isEmpty()) return true;
        say(by.get());
        if (around.now() - askedNanos >= LOOK_NANOS) holder = ask();
        return false;
    }

    private Optional<String> answered() {
        try {
            return holder.get();
        } catch (SourceFailure _) {
            return Optional.empty();
        }
    }

    private void say(String by) {
        if (!said.isDue(around.now())) return;
        LOG.log(
                Level.WARNING,
                "waiting to go back while the position is held for=\"{0}\" remedy=\"end that transaction\"",
                by);
    }
}
