package tidemark.delivery;

/**
 * What the operator decided about rows, the same for every table.
 *
 * @param maxRowBytes of one encoded row
 */
record RowPolicy(DeliverySettings.Unrepresentable unrepresentable, long maxRowBytes, NulledValues nulled) {
    static RowPolicy of(DeliverySettings settings, NulledValues nulled) {
        return new RowPolicy(settings.unrepresentable(), settings.maxRowBytes(), nulled);
    }
}
