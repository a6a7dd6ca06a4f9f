package tidemark.delivery;

/** The stop was asked for before anything was streaming: there is nothing to drain. */
final class StoppedEarly extends RuntimeException {
    StoppedEarly() {
        super("stopped before streaming");
    }
}
