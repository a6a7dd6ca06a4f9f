package tidemark.decode;

/**
 * Bytes that are not what PostgreSQL documents. Stops the connector: skipping bytes is losing data.
 *
 * <p>Says where (bytes from the start of the message) and what was expected there; never the bytes themselves, which
 * may be row values.
 */
public final class MalformedMessage extends RuntimeException {
    private final int offset;

    public MalformedMessage(int offset, String expectation) {
        super("malformed message from PostgreSQL: at byte %d expected %s".formatted(offset, expectation));
        this.offset = offset;
    }

    public int offset() {
        return offset;
    }
}
