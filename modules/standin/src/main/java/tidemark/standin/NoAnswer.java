package tidemark.standin;

/** A request gets no answer at all, though the process that had it lives on: its connection just ends. */
final class NoAnswer extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoAnswer(String why) {
        super(why, null, false, false);
    }
}
