package tidemark.replication;

import java.util.List;
import tidemark.decode.Lsn;

/**
 * One session with the source: first looks, then perhaps copies, then streams. Owned by one thread. Every method throws
 * {@link SourceFailure}, already classified.
 */
public interface SourceSession extends AutoCloseable {
    SourceIdentity identity();

    SlotStatus slot();

    /** What the publication publishes today, table by table, with the shape that the catalog shows. */
    Publication publication();

    /**
     * Creates the slot and exports its snapshot, which is exactly its consistent point. Waits for every transaction older
     * than itself.
     */
    Snapshot createSlot();

    /** Creates the slot without a snapshot, for a start that copies nothing. Returns its consistent point. */
    Lsn createSlotWithoutSnapshot();

    /** A snapshot beside the slot: a temporary slot's, dropped with the session that owns it. */
    Snapshot snapshotBesideSlot();

    /**
     * Starts streaming at the slot's confirmed position, which only PostgreSQL knows; reads the slot again afterwards and
     * returns that position.
     */
    Lsn start();

    /** The next thing the server sent, never waiting for more than about a millisecond. */
    Received poll();

    /**
     * What the next status reply says: everything below {@code received} was read, everything below {@code confirmed} may be
     * forgotten. Nothing but this moves the slot. Neither ever goes back within a session.
     */
    void positions(Lsn received, Lsn confirmed);

    /**
     * Sends the status reply when it is due, was requested or {@code confirmed} moved, and pings when the server has been
     * silent; to be called often. Never waits for anything but the socket.
     *
     * @param nanos the caller's clock, {@link System#nanoTime()} in production
     * @throws SourceFailure transient, when the server has shown no life for longer than its {@code wal_sender_timeout}
     */
    void heartbeat(long nanos);

    /** Status replies sent in this session. */
    long statusReplies();

    /** Ends streaming in an orderly way after a last status reply: nothing is read any more. */
    void finish();

    /** Ends everything at once. */
    @Override
    void close();

    /** What {@link #poll()} found. */
    sealed interface Received {
        record Nothing() implements Received {}

        /**
         * One pgoutput message in {@code buffer[offset, offset + length)}; the buffer is the reader's own and is not reused.
         *
         * @param walStart of this message; 0/0 for RELATION and TYPE, shared by many rows: never a position to confirm
         */
        record WalMessage(Lsn walStart, byte[] buffer, int offset, int length) implements Received {}

        /** Everything below {@code walEnd} has been sent. */
        record Keepalive(Lsn walEnd) implements Received {}
    }

    /** The tables of a publication, and which operations it publishes. */
    record Publication(
            String name,
            List<TableShape> tables,
            boolean inserts,
            boolean updates,
            boolean deletes,
            boolean truncates,
            boolean viaPartitionRoot) {}
}
