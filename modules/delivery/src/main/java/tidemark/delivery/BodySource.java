package tidemark.delivery;

import tidemark.sink.FelderaName;

/**
 * What fills whole bodies with one Feldera table's operations, off the loop. May block, on PostgreSQL or on Feldera:
 * {@link Filling} asks it on one thread at a time, and what it wrote is seen by the thread that asks next.
 */
interface BodySource extends AutoCloseable {
    FelderaName table();

    /**
     * Appends operations until the body is full ({@link BodyBounds}) or there are no more; at the end it may append
     * none.
     *
     * @return whether there may be more
     */
    boolean fill(RowBytes body);

    /** Ends it, also in the middle, also while another thread waits in {@link #fill}: that then fails. */
    @Override
    void close();
}
