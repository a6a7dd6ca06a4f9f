package tidemark.decode;

import java.nio.charset.StandardCharsets;

/**
 * The columns of one row, read in place: no object per value. Offsets are in bytes from the start of {@link #buffer()}.
 *
 * <p>Valid only until its producer reads the next message or row: whoever wants to keep a value copies its bytes. Owned
 * by the reading thread.
 */
public interface Tuple {
    /** "Unchanged" is a case of its own, so it can never be mistaken for SQL null. */
    enum ColumnKind {
        NULL,
        UNCHANGED_TOAST,
        TEXT
    }

    int size();

    ColumnKind kind(int column);

    /** Offset of the first byte of a TEXT column. */
    int start(int column);

    /** Length in bytes of a TEXT column. */
    int length(int column);

    byte[] buffer();

    /**
     * A copy of a TEXT column, for what is rare: names, keys in an error's remedy, tests. Rows are encoded from the
     * bytes.
     */
    default String text(int column) {
        return new String(buffer(), start(column), length(column), StandardCharsets.UTF_8);
    }
}
