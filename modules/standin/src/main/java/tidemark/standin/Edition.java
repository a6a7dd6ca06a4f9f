package tidemark.standin;

/** Which Feldera it is. */
public enum Edition {
    /** Every start is empty; checkpoints answer 501. */
    OPEN_SOURCE("Open source"),
    /** Checkpoints, suspend and fault tolerance. */
    ENTERPRISE("Enterprise");

    private final String title;

    Edition(String title) {
        this.title = title;
    }

    /** As {@code /v0/config} says it. */
    String title() {
        return title;
    }
}
