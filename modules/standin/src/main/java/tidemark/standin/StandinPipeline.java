package tidemark.standin;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

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

    /** Starts a pipeline that is stopped: from its last checkpoint, if the edition has such. */
    public void start() {
        pipeline.start("running");
    }

    /** Kill -9 of the process, and nobody starts it again. */
    public void kill() {
        pipeline.kill();
    }

    /**
     * Kill -9, and the API server has not found out: it passes requests on to nobody, and says that it runs.
     * {@link #kill} is then that it finds out.
     */
    public void killUnnoticed() {
        pipeline.killUnnoticed();
    }

    /**
     * Kill -9 and an automatic restart: a new incarnation under the same deployment id; empty in the open-source
     * edition, else resumed from the last checkpoint, and with exactly-once fault tolerance every journalled step
     * replayed. Requests that were inside get no answer of their own.
     */
    public void restart() {
        pipeline.restart();
    }

    /** Kill -9, the storage gone, and a start: endpoints count from 0. */
    public void restartEmpty() {
        pipeline.restartEmpty();
    }

    /** How long every later step takes before its rows are visible. */
    public void stepDelay(Duration delay) {
        pipeline.faults().stepDelay(delay);
        faultsChanged();
    }

    /** How long every later commit takes, during which nothing is ingested. */
    public void commitDelay(Duration delay) {
        pipeline.faults().commitDelay(delay);
        faultsChanged();
    }

    /**
     * How long every later request to {@code /ingress} is on its way to its endpoint: one with a shorter delay
     * overtakes it, and its client may be gone when it arrives.
     */
    public void ingressDelay(Duration delay) {
        pipeline.faults().ingressDelay(delay);
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

    /** Checkpoints that are asked for are not taken. */
    public void holdCheckpoints() {
        pipeline.faults().checkpointsHeld(true);
    }

    /** What was held is taken. */
    public void releaseCheckpoints() {
        pipeline.faults().checkpointsHeld(false);
        faultsChanged();
    }

    /** The next checkpoint fails with this error, and {@code /checkpoint_status} says so. */
    public void failNextCheckpoint(String error) {
        pipeline.faults().failNextCheckpoint(error);
    }

    /** A replay stops before its next step: N stands in between. */
    public void holdReplay() {
        pipeline.faults().hold(Phase.REPLAYING);
    }

    /** The replay goes on. */
    public void releaseReplay() {
        release(Phase.REPLAYING);
    }

    /** The next process to start has no answers yet: 503 Initializing. */
    public void holdStart() {
        pipeline.faults().hold(Phase.INITIALIZING);
    }

    /** The process goes on with its start. */
    public void releaseStart() {
        release(Phase.INITIALIZING);
    }

    /** A start with a checkpoint of another program waits for {@link #approve}. */
    public void demandApproval() {
        pipeline.faults().hold(Phase.AWAITING_APPROVAL);
    }

    /** The changed program is meant; also those to come. */
    public void approve() {
        release(Phase.AWAITING_APPROVAL);
    }

    /** A start with a checkpoint of another program does not get done with what is new. */
    public void holdBootstrap() {
        pipeline.faults().hold(Phase.BOOTSTRAPPING);
    }

    /** What is new in the program is computed. */
    public void releaseBootstrap() {
        release(Phase.BOOTSTRAPPING);
    }

    private void release(Phase phase) {
        pipeline.faults().release(phase);
        faultsChanged();
    }

    /**
     * What often failed in a measured replay fails in every one from now on: a journalled row of a keyless table kills
     * the process, and one of an endpoint that the checkpoint does not know is waited for without end (counters.md).
     */
    public void replayAsMeasured() {
        pipeline.faults().replaysAsMeasured(true);
    }

    /** Takes a checkpoint that no client has asked for, as fault tolerance does by its clock, and waits for it. */
    public void checkpoint() {
        pipeline.process().automaticCheckpoint();
    }

    /** How often fault tolerance takes one, from the next start on. */
    public void checkpointEvery(Duration interval) {
        pipeline.checkpointEvery(interval);
    }

    /**
     * How long the first request to an endpoint takes between its look for the endpoint and making it: of two that come
     * meanwhile one is refused as a duplicate.
     */
    public void endpointCreationDelay(Duration delay) {
        pipeline.faults().creationDelay(delay);
        faultsChanged();
    }

    /** As a client of the API: requests to this endpoint block, named as {@code /stats} names it. */
    public void pauseEndpoint(String endpoint) {
        pipeline.process().pauseEndpoint(endpoint, true);
    }

    /** Ends that. */
    public void startEndpoint(String endpoint) {
        pipeline.process().pauseEndpoint(endpoint, false);
    }

    /**
     * The API server forwards the next start or commit of a transaction twice, as it does when the first answer is
     * lost: the client gets the second one, an error, although the call took effect.
     */
    public void repeatNextTransactionCall() {
        pipeline.faults().repeatNextTransactionCall();
    }

    /**
     * Steps take from the endpoints as this seed has it: the order within an endpoint stays, between them none does.
     */
    public void scrambleSteps(long seed) {
        pipeline.faults().scrambler(Optional.of(new Random(seed)));
    }

    /** Every query fails after so many rows, its 200 long sent. */
    public void breakQueries(int afterRows) {
        String error = "Arrow error: Cast error: Cannot cast string 'x' to value of Int32 type";
        pipeline.faults().brokenQuery(Optional.of(new Faults.BrokenQuery(afterRows, error)));
    }

    /** Queries are answered to their end again. */
    public void mendQueries() {
        pipeline.faults().brokenQuery(Optional.empty());
    }

    /** Records every state that a reader can see from the next one on, with the answers to these queries. */
    public Recording record(String... queries) {
        var recording = new Recording(List.of(queries));
        pipeline.recordings().add(recording);
        return recording;
    }

    private void faultsChanged() {
        pipeline.wake();
    }

    /** Which life of the process runs. */
    public String incarnation() {
        return pipeline.process().incarnation();
    }

    /** How many blocked POSTs their clients took back, by resetting a connection to the process itself. */
    public long withdrawnRequests() {
        return pipeline.faults().withdrawn();
    }

    /** How many POSTs for this table, as spelled in the URL, were passed on to a process, whatever became of them. */
    public long ingressRequests(String table) {
        return pipeline.ingressRequests(table);
    }
}
