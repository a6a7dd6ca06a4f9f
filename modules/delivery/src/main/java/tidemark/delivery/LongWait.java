package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import tidemark.sink.PipelineStatus;
import tidemark.sink.SinkFailure;

/**
 * Says what delivery waits for once it has waited long, with the pipeline's own word for its state: one that was paused
 * under us answers nothing by itself. Owned by the connector's thread, but for the answer.
 */
final class LongWait {
    private static final Logger LOG = System.getLogger("tidemark.delivery");
    private static final Duration SAY_AFTER = Duration.ofSeconds(5);
    private static final Duration SAY_AGAIN_AFTER = Duration.ofSeconds(30);

    private final Surroundings around;
    private Optional<String> what = Optional.empty();
    private long sinceNanos;
    private long sayNanos;
    private volatile Optional<Said> answer = Optional.empty();

    /** The pipeline's word, and the wait that it was asked for: it may come when that is long over. */
    private record Said(String waiting, String pipeline) {}

    LongWait(Surroundings around) {
        this.around = around;
    }

    void look(Optional<String> waitingFor) {
        long now = around.now();
        if (!waitingFor.equals(what)) {
            what = waitingFor;
            sinceNanos = now;
            sayNanos = now + SAY_AFTER.toNanos();
        } else if (what.isPresent() && now - sayNanos >= 0) {
            sayNanos = now + SAY_AGAIN_AFTER.toNanos();
            String said = what.get();
            long waited = now - sinceNanos;
            around.errands().run(new Errand.Question(() -> say(said, Duration.ofNanos(waited))));
        }
    }

    private void say(String said, Duration waited) {
        String state = state();
        LOG.log(
                Level.WARNING,
                "waiting for=\"{0}\" for_ms={1} pipeline=\"{2}\"",
                said,
                Long.toString(waited.toMillis()),
                state);
        answer = Optional.of(new Said(said, state)); // in the status when the log has it
    }

    private String state() {
        try {
            PipelineStatus status = around.destination().pipeline();
            return status.deploymentStatus();
        } catch (SinkFailure e) {
            return "not known: " + e.problem();
        }
    }

    /** For {@code /status}. */
    Optional<String> inWords() {
        return what.map(waits -> answer.filter(said -> said.waiting().equals(waits))
                .map(said -> "%s; the pipeline is %s".formatted(waits, said.pipeline()))
                .orElse(waits));
    }
}
