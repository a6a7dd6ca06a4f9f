package tidemark.standin;

/** Good JSON that is no update object. */
final class BadEnvelope extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadEnvelope(String message) {
        super(message, null, false, false);
    }
}
