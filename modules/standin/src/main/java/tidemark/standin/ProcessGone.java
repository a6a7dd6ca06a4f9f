package tidemark.standin;

/** The pipeline process died while a request was with it. */
final class ProcessGone extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ProcessGone() {
        super("the pipeline process is gone", null, false, false);
    }
}
