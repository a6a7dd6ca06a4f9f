package tidemark.delivery;

/** What must always hold did not. An Error, so that no policy of the core makes a failure of it. */
final class SimViolation extends Error {
    private static final long serialVersionUID = 1;

    SimViolation(String what) {
        super(what);
    }
}
