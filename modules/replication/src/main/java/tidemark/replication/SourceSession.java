package tidemark.replication;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;

/**
 * One session with the source: first looks, then perhaps copies, then streams. Owned by one thread, but for
 * {@link #close()}, {@link #identity()}, {@link #holdsSlot()}, {@link #waitsFor()} and {@link #snapshotBesideSlot()},
 * which any thread may call. Every method throws {@link SourceFailure}, already classified.
 */
public interface SourceSession extends AutoCloseable {
    SourceIdentity identity();

    /**
     * The slot as the server shows it now.
     *
     * @throws SourceFailure {@link SourceFailure.Kind#SLOT_BUSY} of a slot that a standby keeps in step with its
     *     primary's
     */
    SlotStatus slot();

    /**
     * What the publication publishes today, table by table, with the shape that the catalog shows. From PostgreSQL 16
     * on this opens every table: whoever holds one exclusively is waited for, and not for longer than the source's
     * patience.
     */
    Publication publication();

    /**
     * A type that a RELATION names, as the catalog has it: as {@link #publication()} last saw it, and asked for now if
     * it was not there. {@link TypeShape.Unknown} if the catalog has it no more.
     *
     * @param modifier the column's, -1 for none
     */
    TypeShape type(int oid, int modifier);

    /** The same, asked for now in any case: a composite may have other fields than it had. */
    TypeShape typeNow(int oid, int modifier);

    /**
     * What {@link TableShape#uniqueKeys()} of this table are, asked for now; none if there is no such table any more.
     */
    List<TableShape.UniqueKey> uniqueKeysNow(int oid);

    /**
     * Returns when questions are answered with what this transaction did. The stream may bring it before: PostgreSQL
     * sends a commit once it is flushed, and shows it only when its synchronous standbys have it, too. Waits for some
     * seconds, then it is a transient failure.
     *
     * @param xid of a transaction that the stream brought, unsigned 32 bit
     */
    void awaitVisible(int xid);

    /**
     * Creates the slot and exports its snapshot, which is exactly its consistent point. Waits for every transaction
     * older than itself, and says in the log whom it waits for. The source's patience ends the wait with a transient
     * failure that names them, as {@link #close()} ends it; neither leaves a slot behind. A half-made slot is dropped
     * first; any other slot of this name is a failure.
     */
    Snapshot createSlot();

    /** Creates the slot without a snapshot, for a start that copies nothing. Returns its consistent point. */
    Lsn createSlotWithoutSnapshot();

    /**
     * A snapshot beside the slot: a temporary slot's, on a connection of its own, dropped when the snapshot or the
     * session is closed. Waits as {@link #createSlot()} does, so while streaming another thread than the owner asks for
     * it.
     */
    Snapshot snapshotBesideSlot();

    /**
     * Whom it is that this session waits for, in words, as last seen: for a slot that is being created, or for a table
     * that somebody holds exclusively. Empty while nobody was seen.
     */
    Optional<String> waitsFor();

    /** Drops the slot, whatever its state; nothing happens when there is none. */
    void dropSlot();

    /**
     * Starts streaming at the slot's confirmed position, which only PostgreSQL knows; reads the slot again afterwards
     * and returns that position.
     */
    Lsn start();

    /** Asks the server whether this session's walsender holds the slot now. False before {@link #start()}. */
    boolean holdsSlot();

    /**
     * Between two status replies: a third of the server's {@code wal_sender_timeout}, within 500 ms and 10 s. The
     * server gives the slot away after that timeout without one. Only after {@link #start()}.
     */
    Duration statusInterval();

    /** The next thing the server sent, never waiting for more than about a millisecond. */
    Received poll();

    /**
     * What the next status reply says: everything below {@code received} was read, everything below {@code confirmed}
     * may be forgotten. Nothing but this moves the slot: until it is called, status replies carry no position. Neither
     * ever goes back within a session; {@code received} is raised to {@code confirmed}.
     *
     * @throws IllegalArgumentException if {@code confirmed} would go back
     */
    void positions(Lsn received, Lsn confirmed);

    /**
     * Sends the status reply when it is due (a third of the server's {@code wal_sender_timeout}, within 500 ms and 10
     * s), was requested, or {@code confirmed} moved (within 100 ms), and pings when the server has been silent; to be
     * called often, also while nothing is polled. Silence counts only while {@link #poll()} finds the socket empty.
     * Before {@link #start()} it does nothing. Never waits for anything but the socket.
     *
     * @param nanos the caller's clock, {@link System#nanoTime()} in production
     * @throws SourceFailure transient, when the server has shown no life for longer than its {@code wal_sender_timeout}
     *     (60 s when that is off)
     */
    void heartbeat(long nanos);

    /** Status replies sent in this session. */
    long statusReplies();

    /**
     * Ends streaming in an orderly way after a last status reply, within 3 s: nothing is read any more. Whether the
     * server took the reply is read from {@link ChangeSource#slot()}.
     */
    void finish();

    /** Ends everything at once, also by another thread while the owner waits: that wait then fails, transient. */
    @Override
    void close();

    /** What {@link #poll()} found. */
    sealed interface Received {
        record Nothing() implements Received {}

        /**
         * One pgoutput message in {@code buffer[offset, offset + length)}; the buffer is the reader's own and is not
         * reused.
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
