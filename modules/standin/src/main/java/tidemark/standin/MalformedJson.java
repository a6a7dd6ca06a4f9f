package tidemark.standin;

/**
 * The text is no JSON document. The message is serde_json's, without the position, which depends on where "line 1" is.
 */
final class MalformedJson extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int offset;

    MalformedJson(String message, int offset) {
        super(message, null, false, false);
        this.offset = offset;
    }

    /** The byte that was one too many. */
    int offset() {
        return offset;
    }
}
