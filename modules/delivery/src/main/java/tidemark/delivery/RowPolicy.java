package tidemark.delivery;

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

    RowPolicy {
        maxRowBytes = Math.min(maxRowBytes, LARGEST_ROW_BYTES);
    }

    static RowPolicy of(DeliverySettings settings, NulledValues nulled) {
        return new RowPolicy(settings.unrepresentable(), settings.maxRowBytes(), nulled);
    }
}
