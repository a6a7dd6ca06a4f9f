package tidemark.delivery;

import java.time.Duration;
import tidemark.sink.QueryRows;

/**
 * What the operator decided about rows, the same for every table.
 *
 * @param maxRowBytes of one encoded row, at most {@link #LARGEST_ROW_BYTES}
 */
record RowPolicy(DeliverySettings.Unrepresentable unrepresentable, long maxRowBytes, NulledValues nulled) {
    /**
     * One byte of text becomes at most six (a control character's escape): one column more never outgrows an array of 2
     * GiB. Names of fields are more than that, so a value with parts ends where it is over it, and is refused as too
     * large.
     */
    static final long LARGEST_ROW_BYTES = 256L << 20;

    /** Values that are longer in an answer than in what was sent: a document inside a string, all of it escaped. */
    private static final int ANSWER_PER_SENT_BYTE = 2;
    /** What an answer adds to a row: names, the number of rows, a decimal's zeros. */
    private static final int ANSWER_ALLOWANCE_BYTES = 1 << 20;

    RowPolicy {
        maxRowBytes = Math.min(maxRowBytes, LARGEST_ROW_BYTES);
    }

    static RowPolicy of(DeliverySettings settings, NulledValues nulled) {
        return new RowPolicy(settings.unrepresentable(), settings.maxRowBytes(), nulled);
    }

    /** Of rows that were sent, as {@code /query} answers them. */
    QueryRows.Limits ofAnswers(Duration patience) {
        return new QueryRows.Limits(ANSWER_PER_SENT_BYTE * maxRowBytes + ANSWER_ALLOWANCE_BYTES, patience);
    }
}
