package tidemark.standin;

import java.time.Instant;

/** Whether a pipeline has a process, as the API server sees it. */
sealed interface Deployment {
    /** When it came to be so. */
    Instant since();

    /** Never started, or stopped by somebody. */
    record Stopped(Instant since) implements Deployment {}

    /** The process died of itself; there is no automatic restart. */
    record Failed(Instant since, String error) implements Deployment {}

    record Deployed(Instant since, String deploymentId, String initial, PipelineProcess process)
            implements Deployment {}
}
