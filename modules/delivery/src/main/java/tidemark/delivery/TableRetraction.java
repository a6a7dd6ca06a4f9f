package tidemark.delivery;

import java.util.Optional;
import tidemark.sink.Destination;
import tidemark.sink.FelderaName;
import tidemark.sink.QueryRows;
import tidemark.sink.SinkFailure;

/**
 * Deletes of all rows that Feldera has of one table, from one streamed query: its rows are those of one step, whatever
 * is posted while it is read. Asks when it is first filled; everything that was sent for the table must be complete by
 * then, or a row is named that is yet to go, or missed that is yet to come.
 *
 * <p>Only an answer that proves its end is believed. One that does not, or says that it failed, ends the session: the
 * slot replays the TRUNCATE, and what is left is read anew.
 *
 * <p>Memory: the body, a network buffer and the widest row.
 */
final class TableRetraction implements BodySource {
    private final RetractedTable table;
    private final Destination feldera;
    private final QueryRows.Limits limits;
    private final BodyBounds bounds;
    private Optional<CountedRows> rows = Optional.empty();
    /** Guarded by this. */
    private Optional<Thread> filler = Optional.empty();

    private boolean closed;

    TableRetraction(RetractedTable table, Destination feldera, QueryRows.Limits limits, BodyBounds bounds) {
        this.table = table;
        this.feldera = feldera;
        this.limits = limits;
        this.bounds = bounds;
    }

    @Override
    public FelderaName table() {
        return table.name();
    }

    @Override
    public boolean fill(RowBytes body) {
        begin();
        try {
            CountedRows answer = answer();
            while (!bounds.isFull(body)) {
                if (!append(answer, body)) return false;
            }
            return true;
        } catch (SinkFailure failure) {
            throw FailurePolicy.ofAnswer(table.plan(), "truncated", failure);
        } finally {
            end();
        }
    }

    private synchronized void begin() {
        if (closed) throw new IllegalStateException("closed before it began");
        filler = Optional.of(Thread.currentThread());
    }

    private synchronized void end() {
        filler = Optional.empty();
        if (closed) rows.ifPresent(CountedRows::close);
    }

    private CountedRows answer() {
        if (rows.isEmpty()) {
            CountedSelect select = table.select();
            rows = Optional.of(new CountedRows(select, feldera.query(select.sql(), limits)));
        }
        return rows.get();
    }

    private boolean append(CountedRows answer, RowBytes body) {
        long mark = body.mark();
        if (answer.next(object -> table.delete(object, body))) return true;
        body.rollback(mark); // the object that has their number names no row
        answer.close();
        return false;
    }

    /** An interrupt ends whatever the filling thread waits for. */
    @Override
    public synchronized void close() {
        closed = true;
        if (filler.isPresent()) filler.get().interrupt();
        else rows.ifPresent(CountedRows::close);
    }
}
