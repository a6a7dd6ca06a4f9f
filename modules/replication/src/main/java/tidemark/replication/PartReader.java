package tidemark.replication;

/** One transaction under a snapshot, which reads one part after the other. Owned by one thread at a time. */
public interface PartReader extends AutoCloseable {
    /**
     * Starts {@code COPY … TO STDOUT} of the part, as {@link Snapshot#copy(TableShape)} does; the one before has ended.
     */
    TableCopy copy(TablePart part);

    /** Ends the transaction, also in the middle of a copy and by another thread: that copy then fails, transient. */
    @Override
    void close();
}
