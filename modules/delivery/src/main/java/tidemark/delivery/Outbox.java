package tidemark.delivery;

import static tidemark.delivery.InvariantViolation.require;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.sink.FelderaName;

/**
 * The open batch: rows are encoded into it as they are read, and nothing else holds them.
 *
 * <p>Bounds: at most {@code maxRows} operations or {@code maxBytes} bytes and one more row; the caller stops reading
 * while {@link #isFull()}. Two batches exist at a time, this one and the one being sent, so memory is at most twice the
 * bounds and the widest rows. A body that was filled elsewhere ({@link Filling}) is a batch of its own; whoever has
 * several filled bounds their number. Times are nanoseconds of the caller's clock. Not thread safe; owned by the
 * delivery loop. A crash loses it: the slot replays.
 */
final class Outbox {
    private static final class OpenBody {
        final RowBytes bytes;
        long boundary = RowBytes.EMPTY_MARK;

        OpenBody(RowBytes bytes) {
            this.bytes = bytes;
        }

        boolean hasOpenRows() {
            return bytes.mark() != boundary;
        }
    }

    private final int maxRows;
    private final long maxBytes;
    private final long lingerNanos;
    private final int retainBytes;
    private final Map<FelderaName, OpenBody> bodies = new LinkedHashMap<>();
    private final ArrayDeque<RowBytes> spare = new ArrayDeque<>();
    private long lastBatchId;
    private int rows;
    private long bytes;
    private long oldestNanos;
    private boolean insideTransaction;
    /** Of the open transaction. */
    private boolean partsCut;
    /** The open batch is one body that came filled, or nothing more may come to it. */
    private boolean whole;

    private Optional<Lsn> endLsn = Optional.empty();

    Outbox(DeliverySettings settings) {
        this.maxRows = settings.maxRows();
        this.maxBytes = settings.maxBytes();
        this.lingerNanos = settings.linger().toNanos();
        this.retainBytes = (int) Math.min(settings.maxBytes(), Integer.MAX_VALUE / 4);
    }

    /** Where the next row of the table is encoded; {@link #added} must follow. */
    RowBytes into(FelderaName table) {
        OpenBody open = bodies.get(table);
        if (open == null) {
            open = new OpenBody(blank());
            bodies.put(table, open);
        }
        return open.bytes;
    }

    /** A body without operations, to be filled elsewhere; {@link #take} or {@link #release} must follow. */
    RowBytes blank() {
        RowBytes reused = spare.poll();
        return reused == null ? new RowBytes(retainBytes) : reused;
    }

    /**
     * Makes a body that was filled elsewhere the open batch, due at once. Inside a transaction it is a part of that.
     * Only when nothing else is in the open batch.
     */
    void take(FelderaName table, RowBytes filled) {
        require(isEmpty(), "a filled body came beside %d rows", rows);
        require(filled.operations() > 0, "a body without operations was taken");
        bodies.clear(); // of rows that were rolled back
        bodies.put(table, new OpenBody(filled));
        rows = filled.operations();
        bytes = filled.length();
        whole = true;
    }

    /** A row was encoded: so many operations, so many bytes. */
    void added(int operations, int addedBytes, long nanos) {
        if (rows == 0) oldestNanos = nanos;
        rows += operations;
        bytes += addedBytes;
    }

    void begin() {
        require(!insideTransaction, "a transaction begins inside another");
        insideTransaction = true;
        partsCut = false;
    }

    /** The transaction is whole; without rows of its own it still moves the end of a batch that has some. */
    void commit(Lsn end) {
        require(insideTransaction, "a commit at %s without a begin", end);
        boundary();
        coveredUntil(end);
    }

    /** No transaction is open and everything below {@code walEnd} was read. */
    void coveredUntil(Lsn walEnd) {
        if (rows > 0)
            endLsn = Optional.of(endLsn.map(end -> Lsn.later(end, walEnd)).orElse(walEnd));
    }

    /** What was added until now may be sent whenever it suits. */
    void boundary() {
        insideTransaction = false;
        for (OpenBody open : bodies.values()) open.boundary = open.bytes.mark();
    }

    /** Rows of a copy have no transaction: they go when the batch is full, and when the copy ends. */
    void beginCopy() {
        insideTransaction = true;
    }

    /**
     * Forgets the rows of a transaction that was not read to its end: the slot replays it whole. Returns whether parts
     * of it went before.
     */
    boolean dropOpenTransaction() {
        if (!insideTransaction) return false;
        insideTransaction = false;
        whole = false;
        rows = 0;
        bytes = 0;
        for (OpenBody open : bodies.values()) {
            open.bytes.rollback(open.boundary);
            rows += open.bytes.operations();
            bytes += open.bytes.length();
        }
        return partsCut;
    }

    /** Forgets the rows of the open transaction in this table: they are not to be sent. */
    void dropOpenRows(FelderaName table) {
        OpenBody open = bodies.get(table);
        if (open == null) return;
        rows -= open.bytes.operations();
        bytes -= open.bytes.length();
        open.bytes.rollback(open.boundary);
        rows += open.bytes.operations();
        bytes += open.bytes.length();
    }

    /** What is in the open batch, also of the open transaction, is due. */
    void close() {
        whole = rows > 0;
    }

    boolean isEmpty() {
        return rows == 0;
    }

    int rows() {
        return rows;
    }

    /** What the batch will be called when it is cut. */
    long openBatchId() {
        return lastBatchId + 1;
    }

    /** The one that has the row which was added last. */
    long lastBatchId() {
        return isEmpty() ? lastBatchId : openBatchId();
    }

    boolean isInsideTransaction() {
        return insideTransaction;
    }

    /**
     * No row may be added before the batch was cut. Without linger every commit fills it: one flush per transaction.
     */
    boolean isFull() {
        return whole || rows >= maxRows || bytes >= maxBytes || (lingerNanos == 0 && rows > 0 && !insideTransaction);
    }

    /** Whether the batch should be cut now. */
    boolean isDue(long nanos) {
        return isFull() || (rows > 0 && !insideTransaction && nanos - oldestNanos >= lingerNanos);
    }

    /** Takes the batch out; an empty one follows, inside the same transaction if one is open. */
    Batch cut() {
        require(rows > 0, "an empty batch was cut");
        List<Batch.Body> cut = new ArrayList<>(bodies.size());
        bodies.forEach((table, open) -> {
            if (open.bytes.operations() > 0) {
                cut.add(new Batch.Body(table, open.bytes));
            }
        });
        partsCut |= insideTransaction && bodies.values().stream().anyMatch(OpenBody::hasOpenRows);
        Batch batch = new Batch(++lastBatchId, List.copyOf(cut), endLsn);
        bodies.clear();
        whole = false;
        rows = 0;
        bytes = 0;
        endLsn = Optional.empty();
        return batch;
    }

    /** The POST that carried these bytes was answered. */
    void release(RowBytes answered) {
        answered.clear();
        if (spareBytes() + answered.capacity() <= 2 * maxBytes) spare.push(answered);
    }

    /** Each buffer has once held a batch's bytes: of many tables together they would outgrow the bounds. */
    long spareBytes() {
        return spare.stream().mapToLong(RowBytes::capacity).sum();
    }
}
