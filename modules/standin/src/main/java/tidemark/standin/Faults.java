package tidemark.standin;

import java.time.Duration;

/**
 * What a test or the demo has set going wrong with one pipeline. Outlives the pipeline's processes. Thread safe; read
 * by the circuit at each step.
 */
final class Faults {
    private volatile Duration stepDelay;
    private volatile boolean completionsHeld;

    Faults(Duration stepDelay) {
        this.stepDelay = stepDelay;
    }

    /** How long a step takes before what it took is visible. */
    Duration stepDelay() {
        return stepDelay;
    }

    void stepDelay(Duration delay) {
        stepDelay = delay;
    }

    /** Steps are done and visible, and not reported complete: as with an output connector that is stuck. */
    boolean completionsHeld() {
        return completionsHeld;
    }

    void completionsHeld(boolean held) {
        completionsHeld = held;
    }
}
