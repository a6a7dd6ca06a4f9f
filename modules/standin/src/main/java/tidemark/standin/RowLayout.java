package tidemark.standin;

import java.util.ArrayList;
import java.util.List;

/**
 * Where each column of a table stands inside a {@link StoredRow}: key columns first, in key order, then the others as
 * declared.
 */
final class RowLayout {
    private final int[] columnAt;
    private final int[] positionOf;
    private final int keyColumns;

    RowLayout(TableDefinition table) {
        List<Integer> order = new ArrayList<>(table.key());
        for (int column = 0; column < table.columns().size(); column++) {
            if (!table.key().contains(column)) {
                order.add(column);
            }
        }
        columnAt = order.stream().mapToInt(Integer::intValue).toArray();
        positionOf = new int[columnAt.length];
        for (int position = 0; position < columnAt.length; position++) {
            positionOf[columnAt[position]] = position;
        }
        keyColumns = table.keyed() ? table.key().size() : columnAt.length;
    }

    int columns() {
        return columnAt.length;
    }

    int keyColumns() {
        return keyColumns;
    }

    int columnAt(int position) {
        return columnAt[position];
    }

    int positionOf(int column) {
        return positionOf[column];
    }

    /**
     * Fills {@code bounds} with where each position starts; {@code bounds[columns()]} is one past the end, plus one.
     */
    void locate(byte[] row, int[] bounds) {
        int position = 0;
        int depth = 0;
        bounds[0] = 0;
        for (int i = 0; i < row.length; i++) {
            switch (row[i]) {
                case '"' -> i = closingQuote(row, i);
                case '[', '{' -> depth++;
                case ']', '}' -> depth--;
                case ',' -> {
                    if (depth == 0) {
                        bounds[++position] = i + 1;
                    }
                }
                default -> {}
            }
        }
        bounds[position + 1] = row.length + 1;
    }

    private static int closingQuote(byte[] row, int opening) {
        int i = opening + 1;
        while (row[i] != '"') {
            i += row[i] == '\\' ? 2 : 1;
        }
        return i;
    }
}
