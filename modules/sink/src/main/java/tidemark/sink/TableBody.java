package tidemark.sink;

/**
 * The bytes of one POST: a JSON array in {@code bytes[0, length)} for the table with Feldera's name {@code table}. Not
 * copied: the caller leaves them alone until the reply.
 */
public record TableBody(FelderaName table, byte[] bytes, int length) {
    private static final byte[] EMPTY = {'[', ']'};

    /** Counts nothing, changes nothing, and is answered with a token for all that came before it on the endpoint. */
    public static TableBody empty(FelderaName table) {
        return new TableBody(table, EMPTY, EMPTY.length);
    }
}
