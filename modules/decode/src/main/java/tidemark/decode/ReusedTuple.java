package tidemark.decode;

import java.util.Arrays;
import java.util.Objects;

/**
 * The one tuple object of a reader: filled column by column, overwritten by the next row. Three arrays that grow to the
 * widest table seen, at most {@link #COLUMNS_MAX} columns; nothing is allocated per row.
 *
 * <p>{@code 0 <= size <= COLUMNS_MAX}; only columns below {@code size} mean anything.
 */
final class ReusedTuple implements Tuple {
    /** MaxTupleAttributeNumber of PostgreSQL's htup_details.h; a table has at most 1600. */
    static final int COLUMNS_MAX = 1664;

    private byte[] buffer = {};
    private int size;
    private ColumnKind[] kinds = {};
    private int[] starts = {};
    private int[] lengths = {};

    /** Empties the tuple and makes room. */
    void begin(byte[] buffer, int columns) {
        this.buffer = buffer;
        this.size = 0;
        if (columns > kinds.length) {
            kinds = new ColumnKind[columns];
            Arrays.fill(kinds, ColumnKind.NULL);
            starts = new int[columns];
            lengths = new int[columns];
        }
    }

    /** Columns already there keep their offsets: {@code copy} has the same bytes at the same places. */
    void moveTo(byte[] copy) {
        buffer = copy;
    }

    void addNull() {
        kinds[size++] = ColumnKind.NULL;
    }

    void addUnchanged() {
        kinds[size++] = ColumnKind.UNCHANGED_TOAST;
    }

    void addText(int start, int length) {
        kinds[size] = ColumnKind.TEXT;
        starts[size] = start;
        lengths[size++] = length;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public ColumnKind kind(int column) {
        return kinds[Objects.checkIndex(column, size)];
    }

    @Override
    public int start(int column) {
        return starts[textual(column)];
    }

    @Override
    public int length(int column) {
        return lengths[textual(column)];
    }

    @Override
    public byte[] buffer() {
        return buffer;
    }

    /**
     * The arrays still hold offsets of earlier rows: whoever asks for a value that is not there must not get one of
     * those.
     */
    private int textual(int column) {
        if (kind(column) != ColumnKind.TEXT)
            throw new IllegalStateException("column %d is %s, it has no bytes".formatted(column, kind(column)));
        return column;
    }

    /** Never the values. */
    @Override
    public String toString() {
        return size + " columns";
    }
}
