package tidemark.standin;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Turns one JSON object into a row of one table, checking every column (feldera.md 5.1): keys match lower-cased, a
 * quoted column's key must match exactly, unknown keys are ignored, the last of equal keys wins, and what is missing is
 * its DEFAULT, else null, else an error.
 *
 * <p>Holds scratch space: one reader per endpoint, used under the endpoint's lock.
 */
final class RowReader {
    private static final int ABSENT = -1;
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};
    private static final String REFUSED = "failed to deserialize JSON record: ";

    private final TableDefinition table;
    private final RowLayout layout;
    private final List<ValueCodec> codecs;
    private final byte[][] names;
    private final Map<String, Integer> columnsByLowerName = new HashMap<>();
    private final List<Optional<byte[]>> absentTexts;
    private final boolean[] isKey;
    private final ByteWriter scratch = new ByteWriter(256);
    private final int[] starts;
    private final int[] ends;

    RowReader(TableDefinition table, RowLayout layout) {
        this.table = table;
        this.layout = layout;
        int width = table.columns().size();
        codecs = ValueCodec.ofColumns(table);
        names = new byte[width][];
        absentTexts = table.columns().stream().map(RowReader::absentText).toList();
        isKey = new boolean[width];
        starts = new int[width];
        ends = new int[width];
        for (int column = 0; column < width; column++) {
            String name = table.columns().get(column).name().text();
            names[column] = name.getBytes(StandardCharsets.UTF_8);
            columnsByLowerName.put(name.toLowerCase(Locale.ROOT), column);
            isKey[column] = table.key().contains(column);
        }
    }

    private static Optional<byte[]> absentText(TableDefinition.Column column) {
        return column.defaultValue()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .or(() -> column.type().nullable() ? Optional.of(NULL) : Optional.empty());
    }

    /** A whole row, as insert needs it, and as delete does in a keyless table. */
    StoredRow readRow(JsonCursor in) {
        readColumns(in, false);
        for (int column = 0; column < names.length; column++) {
            if (starts[column] == ABSENT) {
                byte[] text = absentTexts.get(column).orElseThrow(missing(in, column));
                starts[column] = scratch.length();
                scratch.put(text);
                ends[column] = scratch.length();
            }
        }
        return assemble(layout.columns());
    }

    /** The key alone: the other columns are not even looked at. */
    StoredRow readKey(JsonCursor in) {
        readColumns(in, true);
        return key(in);
    }

    Change.Patch readPatch(JsonCursor in) {
        readColumns(in, false);
        StoredRow key = key(in);
        List<Integer> given = new ArrayList<>();
        for (int position = layout.keyColumns(); position < layout.columns(); position++) {
            if (starts[layout.columnAt(position)] != ABSENT) {
                given.add(position);
            }
        }
        byte[][] values = new byte[given.size()][];
        for (int i = 0; i < values.length; i++) {
            int column = layout.columnAt(given.get(i));
            values[i] = Arrays.copyOfRange(scratch.buffer(), starts[column], ends[column]);
        }
        return new Change.Patch(key, given.stream().mapToInt(Integer::intValue).toArray(), values);
    }

    private StoredRow key(JsonCursor in) {
        for (int position = 0; position < layout.keyColumns(); position++) {
            if (starts[layout.columnAt(position)] == ABSENT) {
                throw missing(in, layout.columnAt(position)).get();
            }
        }
        return assemble(layout.keyColumns());
    }

    private Supplier<ValueRefused> missing(JsonCursor in, int column) {
        return () -> new ValueRefused(
                REFUSED + "missing field `" + table.columns().get(column).name().text() + "`" + in.position());
    }

    private void readColumns(JsonCursor in, boolean keyOnly) {
        if (!in.isNext('{')) {
            throw new ValueRefused(REFUSED
                    + ValueCodec.mismatch(in, "struct " + table.name().text()).description());
        }
        scratch.clear();
        Arrays.fill(starts, ABSENT);
        in.enterObject();
        int expected = 0;
        for (boolean first = true; in.nextKey(first); first = false) {
            int column = columnOf(in, expected);
            in.enterValue();
            if (column == ABSENT || (keyOnly && !isKey[column])) {
                in.skipValue();
            } else {
                readColumn(in, column);
            }
            expected = column + 1;
        }
    }

    private void readColumn(JsonCursor in, int column) {
        int start = scratch.length();
        try {
            codecs.get(column).transcode(in, scratch);
        } catch (ValueRefused refused) {
            String name = table.columns().get(column).name().text();
            throw new ValueRefused(REFUSED + "error parsing field '" + name + "': " + refused.description(), name);
        }
        starts[column] = start;
        ends[column] = scratch.length();
    }

    /** Columns usually come in order: the next one is tried by its bytes before the map is asked. */
    private int columnOf(JsonCursor in, int expected) {
        if (expected < names.length
                && !in.isEscaped()
                && Arrays.equals(names[expected], 0, names[expected].length, in.buffer(), in.rawStart(), in.rawEnd())) {
            return expected;
        }
        String key = in.string();
        int column = columnsByLowerName.getOrDefault(key.toLowerCase(Locale.ROOT), ABSENT);
        if (column != ABSENT) {
            SqlName name = table.columns().get(column).name();
            if (name.caseSensitive() && !name.text().equals(key)) {
                throw new ValueRefused(REFUSED + "incorrect case-sensitive field name: expected: " + name.text()
                        + ", found: " + key + in.position());
            }
        }
        return column;
    }

    private StoredRow assemble(int positions) {
        int length = positions - 1;
        int keyLength = layout.keyColumns() - 1;
        for (int position = 0; position < positions; position++) {
            int column = layout.columnAt(position);
            length += ends[column] - starts[column];
            if (position < layout.keyColumns()) {
                keyLength += ends[column] - starts[column];
            }
        }
        byte[] text = new byte[length];
        int at = 0;
        for (int position = 0; position < positions; position++) {
            int column = layout.columnAt(position);
            if (position > 0) {
                text[at++] = ',';
            }
            int size = ends[column] - starts[column];
            System.arraycopy(scratch.buffer(), starts[column], text, at, size);
            at += size;
        }
        return new StoredRow(text, keyLength);
    }
}
