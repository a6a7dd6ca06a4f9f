package tidemark.delivery;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The rows of one table at one end, in the order of Feldera's key. Every row is checked to come after the one before
 * it: of rows in another order a merge would say anything. Memory is two rows. Owned by the comparing thread.
 */
abstract class SortedRows implements AutoCloseable {
    final ComparedTable table;
    private ComparedRow row;
    private ComparedRow before;
    private boolean over;
    /** Read by whoever shows how far it is. */
    private final AtomicLong count = new AtomicLong();

    SortedRows(ComparedTable table) {
        this.table = table;
        this.row = new ComparedRow(table);
        this.before = new ComparedRow(table);
    }

    /** Reads the next row into {@code into}; false when there is none and the end is sound. */
    abstract boolean read(ComparedRow into);

    /** What is wrong with an end whose rows are not in order. */
    abstract RuntimeException disordered(boolean sameKey);

    /** Goes on to the next row, the first one at first. False behind the last. */
    final boolean advance() {
        ComparedRow next = before;
        over = !read(next);
        if (over) return false;
        count.lazySet(count.getPlain() + 1); // one writer: cheaper than an atomic add
        if (count.getPlain() > 1) {
            int order = table.compareKeys(row, next);
            if (order > 0 || (order == 0 && table.isKeyed())) throw disordered(order == 0);
        }
        before = row;
        row = next;
        return true;
    }

    /** Before the first {@link #advance} this says nothing. */
    final boolean isOver() {
        return over;
    }

    /** Valid until the next {@link #advance}. */
    final ComparedRow row() {
        return row;
    }

    /** Rows so far. Any thread. */
    final long count() {
        return count.get();
    }

    @Override
    public abstract void close();
}
