package tidemark.sink;

import java.time.Duration;
import java.util.Optional;

/**
 * The rows of one query as they arrive, in memory of one network buffer and the widest row. One thread uses it at a
 * time. What was returned before a failure is not the whole result; nor is what came before an end that nothing proves.
 *
 * <p>A row whose only column is a string named {@code error} looks like an error of Feldera's (feldera.md §4), and is
 * taken for one: a query that wants such a column gives it another name.
 */
public interface QueryRows extends AutoCloseable {
    /**
     * What one answer may cost.
     *
     * @param rowBytes of the widest row; beyond it the answer is refused
     * @param silence how long Feldera may take for the first byte, and for any later one: it sorts before it answers
     */
    record Limits(long rowBytes, Duration silence) {
        /** What every JVM can allocate as one array. */
        static final int LARGEST_BUFFER_BYTES = Integer.MAX_VALUE - 8;

        public Limits {
            rowBytes = Math.min(rowBytes, LARGEST_BUFFER_BYTES - 1L);
        }
    }

    /**
     * One row as Feldera wrote it, a JSON object, or nothing after the last.
     *
     * @throws SinkFailure when the query failed or the stream broke
     */
    Optional<byte[]> next();

    /** Before the last row this ends the query in Feldera. */
    @Override
    void close();
}
