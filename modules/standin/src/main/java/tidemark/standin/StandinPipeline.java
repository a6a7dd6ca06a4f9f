package tidemark.standin;

import java.time.Duration;

/** What a test does to a pipeline behind its clients' backs. Thread safe. */
public final class StandinPipeline {
    private final Pipeline pipeline;

    StandinPipeline(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** Requests to {@code /ingress} block from now on, and take effect after {@link #resume}. */
    public void pause() {
        pipeline.process().run(false);
    }

    /** Ends a pause. */
    public void resume() {
        pipeline.process().run(true);
    }

    /** Starts a pipeline that is stopped; it is empty. */
    public void start() {
        pipeline.start("running");
    }

    /** Kill -9 of the process: everything is gone and nobody starts it again. */
    public void kill() {
        pipeline.kill();
    }

    /**
     * Kill -9 and a start: empty, a new incarnation, endpoints from 0; requests that were inside get no answer of their
     * own.
     */
    public void restartEmpty() {
        pipeline.restartEmpty();
    }

    /** How long every later step takes before its rows are visible. */
    public void stepDelay(Duration delay) {
        pipeline.faults().stepDelay(delay);
        faultsChanged();
    }

    /** Rows go on becoming visible, but no token becomes complete: an output connector is stuck. */
    public void holdCompletions() {
        pipeline.faults().completionsHeld(true);
    }

    /** What was held completes. */
    public void releaseCompletions() {
        pipeline.faults().completionsHeld(false);
        faultsChanged();
    }

    private void faultsChanged() {
        if (pipeline.isDeployed()) {
            pipeline.process().faultsChanged();
        }
    }

    /** Which life of the process runs. */
    public String incarnation() {
        return pipeline.process().incarnation();
    }

    /** How many POSTs for this table, as spelled in the URL, were passed on to a process, whatever became of them. */
    public long ingressRequests(String table) {
        return pipeline.ingressRequests(table);
    }
}
