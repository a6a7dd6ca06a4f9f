package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tidemark.delivery.ComparableForm.Wording;

/**
 * One row of one end, each column in its {@link ComparableForm}. Read again and again; holds on to its widest row and
 * to the bytes that it was read from.
 */
final class ComparedRow {
    private final List<ComparedTable.Column> columns;
    private final ComparableBytes bytes = new ComparableBytes();
    /** Where each column's form begins, and behind the last one where it ends. */
    private final int[] starts;

    private final int[] jsonStarts;
    private final int[] jsonEnds;
    private byte[] json = {};

    ComparedRow(ComparedTable table) {
        this.columns = table.columns();
        this.starts = new int[columns.size() + 1];
        this.jsonStarts = new int[columns.size()];
        this.jsonEnds = new int[columns.size()];
    }

    /**
     * Takes the columns of one JSON object, from its bracket to what follows its last column.
     *
     * @throws UnreadableValue for anything but these columns in this order
     */
    void read(JsonCursor in, Wording wording) {
        bytes.clear();
        json = in.bytes();
        in.expect('{');
        for (int position = 0; position < columns.size(); position++) {
            ComparedTable.Column column = columns.get(position);
            if (position > 0) in.expect(',');
            if (!in.takeWord(column.jsonKey())) throw new UnreadableValue("column " + column.name());
            in.expect(':');
            in.peek();
            jsonStarts[position] = in.at();
            read(column, in, wording);
            jsonEnds[position] = in.at();
            starts[position + 1] = bytes.length();
        }
    }

    private void read(ComparedTable.Column column, JsonCursor in, Wording wording) {
        try {
            column.form().put(in, wording, bytes);
        } catch (UnreadableValue unreadable) {
            throw new UnreadableValue(column.name(), unreadable);
        }
    }

    byte[] bytes() {
        return bytes.array();
    }

    int start(int position) {
        return starts[position];
    }

    int end(int position) {
        return starts[position + 1];
    }

    int compare(ComparedRow other, int position) {
        return Arrays.compareUnsigned(
                bytes(), start(position), end(position), other.bytes(), other.start(position), other.end(position));
    }

    /** A column as it stood in the row that was read, to be read again. */
    void readAgain(int position, JsonCursor by) {
        by.read(json, jsonStarts[position], jsonEnds[position]);
    }

    /** A column's value as text, while the row that was read is still there; empty for null. */
    Optional<byte[]> text(int position) {
        var cursor = new JsonCursor();
        readAgain(position, cursor);
        if (cursor.takeNull()) return Optional.empty();
        if (cursor.peek() != '"')
            return Optional.of(Arrays.copyOfRange(json, jsonStarts[position], jsonEnds[position]));
        var text = new ComparableBytes();
        cursor.string(text);
        return Optional.of(text.copy());
    }

    /** A column as it stood in the row that was read, while that is still there. */
    String json(int position) {
        return new String(
                json, jsonStarts[position], jsonEnds[position] - jsonStarts[position], StandardCharsets.UTF_8);
    }
}
