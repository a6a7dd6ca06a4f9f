package tidemark.delivery;

/**
 * The state file exists and cannot be used. Never treated as absent: that would read every table again, or skip one.
 */
final class UnreadableState extends RuntimeException {
    private final String remedy;

    UnreadableState(String what, String remedy, Throwable cause) {
        super(what, cause);
        this.remedy = remedy;
    }

    UnreadableState(String what, String remedy) {
        super(what);
        this.remedy = remedy;
    }

    String remedy() {
        return remedy;
    }
}
