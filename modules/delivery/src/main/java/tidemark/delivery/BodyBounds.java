package tidemark.delivery;

/**
 * When a body that is filled off the loop is full: the bounds of a batch, whose bytes those share that are filled at
 * the same time. One row may exceed them. Any thread.
 */
record BodyBounds(int maxRows, long maxBytes) {
    /** @param sources that fill bodies at the same time */
    static BodyBounds of(DeliverySettings settings, int sources) {
        return new BodyBounds(settings.maxRows(), Math.max(1, settings.maxBytes() / sources));
    }

    boolean isFull(RowBytes body) {
        return body.operations() >= maxRows || body.length() >= maxBytes;
    }
}
