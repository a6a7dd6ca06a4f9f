package tidemark.standin;

import java.util.Arrays;

/**
 * One row at rest: the JSON texts of its columns as {@code /query} shows them, joined by commas, in the order of
 * {@link RowLayout} (key columns first). Immutable, and compact, because the demo holds millions.
 *
 * <p>Two rows are equal when their first {@code keyLength} bytes are: the same key in a keyed table, the same row in a
 * keyless one, where the key is the whole row.
 */
final class StoredRow {
    private final byte[] text;
    private final int keyLength;
    private final int hash;

    StoredRow(byte[] text, int keyLength) {
        this.text = text;
        this.keyLength = keyLength;
        int code = 1;
        for (int i = 0; i < keyLength; i++) {
            code = 31 * code + text[i];
        }
        this.hash = code;
    }

    /** Not a copy; nobody writes to it. */
    byte[] text() {
        return text;
    }

    int keyLength() {
        return keyLength;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StoredRow row
                && row.hash == hash
                && Arrays.equals(text, 0, keyLength, row.text, 0, row.keyLength);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
