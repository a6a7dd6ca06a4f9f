package tidemark.delivery;

/** The process is dead: unwinds the connector's thread, and nothing that it would still do takes effect. */
final class SimulatedCrash extends Error {
    private static final long serialVersionUID = 1;

    SimulatedCrash() {
        super("the process died", null, false, false);
    }
}
