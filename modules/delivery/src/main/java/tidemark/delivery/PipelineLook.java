package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import tidemark.sink.Destination;
import tidemark.sink.PipelineStats;
import tidemark.sink.PipelineStatus;
import tidemark.sink.SinkFailure;

/**
 * Looks at the pipeline before a session sends to it: whether it runs, and whether everything that was sent earlier has
 * taken effect or cannot any more (design §5, delivery-rules.md R7, state S of counters.md).
 *
 * <p>Runs on the connector's thread.
 */
final class PipelineLook {
    private static final Logger LOG = System.getLogger("tidemark.delivery");
    /** Between two looks at whether to go on waiting. */
    static final Duration EVERY = Duration.ofMillis(200);
    /** Other inputs may never pause. Then the counts are believed as the tokens tell them, one by one. */
    private static final Duration SETTLING = Duration.ofSeconds(2);

    private final Surroundings around;
    private final Upkeep upkeep;

    PipelineLook(Surroundings around, Upkeep upkeep) {
        this.around = around;
        this.upkeep = upkeep;
    }

    /**
     * Only a running pipeline lets a blocked request through: any other moment restarts the clock (counters.md 2).
     *
     * @throws SessionOver transient, when it does not run: it is waited for and never started
     */
    PipelineStats running() {
        try {
            return look();
        } catch (SessionOver | SinkFailure e) {
            around.ghosts().heldUp(around.now());
            throw e;
        }
    }

    /** Whether anybody has sent to one of these tables in this life. */
    boolean hasTakenAny(List<TablePlan> tables) {
        PipelineStats life = running();
        return tables.stream()
                .anyMatch(table -> life.mostOperations(table.feldera().name()) > 0);
    }

    private PipelineStats look() {
        Destination feldera = around.destination();
        PipelineStatus pipeline = upkeep.ask(feldera::pipeline);
        if (!pipeline.isRunning()) {
            throw waiting("%s (program %s)".formatted(pipeline.deploymentStatus(), pipeline.programStatus()));
        }
        PipelineStats life = upkeep.ask(feldera::stats); // the descriptor lags behind the process
        if (!life.isRunning()) throw waiting(life.state());
        return life;
    }

    /** The status shows it as what the next session backs off for, once the log has said so. */
    private static SessionOver waiting(String state) {
        return new SessionOver(Failure.peer(
                "the pipeline is " + state, "Start the pipeline: Tidemark waits for it and never starts it."));
    }

    /** The life that answers once nothing sent earlier can take effect any more, and its counts stand still. */
    PipelineStats quiet() {
        waitOutGhosts();
        long deadline = around.now() + SETTLING.toNanos();
        PipelineStats before = running();
        while (true) {
            PipelineStats now = running();
            if (now.settled() && now.equals(before)) return now;
            if (around.now() - deadline >= 0) return unsettled(now);
            around.board()
                    .phase(
                            Phase.QUIETING,
                            now.transactionOpen()
                                    ? "the end of a pipeline transaction that is open"
                                    : "the pipeline to have processed all input");
            upkeep.pause(EVERY);
            before = now;
        }
    }

    private static PipelineStats unsettled(PipelineStats now) {
        if (now.transactionOpen()) {
            throw new SessionOver(Failure.peer(
                    "a pipeline transaction is open that this session did not start",
                    "Commit it, or find out who started it: what is sent meanwhile would be part of it."));
        }
        LOG.log(Level.INFO, "pipeline does not settle reason=\"other inputs, or a slow output connector\"");
        return now;
    }

    private void waitOutGhosts() {
        Duration left = around.ghosts().quietLeft(around.now());
        if (left.isZero()) return;
        LOG.log(
                Level.INFO,
                "quieting for_ms={0} reason=\"a request sent earlier may still take effect\"",
                Long.toString(left.toMillis()));
        around.board().phase(Phase.QUIETING, "requests sent earlier, which may still take effect");
        while (!left.isZero()) {
            running();
            upkeep.pause(left.compareTo(EVERY) < 0 ? left : EVERY);
            left = around.ghosts().quietLeft(around.now());
        }
    }
}
