package tidemark.replication;

/**
 * Something PostgreSQL, the network or the configuration of the source did, classified where it happened: by SQLSTATE
 * or exception type, never by message text. What is not recognised is {@link Kind#PERMANENT}.
 */
public final class SourceFailure extends RuntimeException {
    public enum Kind {
        /** Try again with backoff. */
        TRANSIENT,
        /** Somebody else holds the slot, {@code 55006}, or has just made it, {@code 42710}. */
        SLOT_BUSY,
        /** Wrong credentials or missing privileges: SQLSTATE class 28, {@code 42501}. */
        CREDENTIALS,
        /** Stop before starting: a person must change the configuration of one of the ends. */
        MISCONFIGURED,
        /** The WAL that the slot stood for is gone. */
        SLOT_LOST,
        /** A value or an expression in the source that PostgreSQL itself cannot give us: SQLSTATE class 22. */
        DATA,
        /** The server does not speak as documented. */
        PROTOCOL,
        /** A person is needed. */
        PERMANENT
    }

    private final Kind kind;
    private final String remedy;

    /**
     * @param attempted what was being done, and to what, without values or secrets
     * @param remedy one line: what a person can do about it
     */
    public SourceFailure(Kind kind, String attempted, String remedy, Throwable cause) {
        super(attempted, cause);
        this.kind = kind;
        this.remedy = remedy;
    }

    public SourceFailure(Kind kind, String attempted, String remedy) {
        super(attempted);
        this.kind = kind;
        this.remedy = remedy;
    }

    public Kind kind() {
        return kind;
    }

    public String remedy() {
        return remedy;
    }
}
