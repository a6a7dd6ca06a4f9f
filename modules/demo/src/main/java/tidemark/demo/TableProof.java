package tidemark.demo;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import tidemark.delivery.ExitCode;

/**
 * Whether one table is the same on both sides, row by row and value by value.
 *
 * @param differences rows that are missing, left over or unlike
 * @param examples the first few of them: what is wrong and under which key, never a value outside the key
 */
record TableProof(
        String table,
        long postgresRows,
        long felderaRows,
        long differences,
        List<String> examples,
        List<String> notCompared) {

    static final int EXAMPLES_MAX = 10;

    boolean isEqual() {
        return differences == 0;
    }

    /**
     * Merges two streams sorted by key, holding one row of each: memory is two rows, whatever the table.
     *
     * @throws DemoFailure when a side is not strictly in key order, for then a merge proves nothing
     */
    static TableProof of(ComparedTable table, Iterator<List<Cell>> postgres, Iterator<List<Cell>> feldera) {
        SortedRows left = new SortedRows("PostgreSQL", table, postgres);
        SortedRows right = new SortedRows("Feldera", table, feldera);
        long differences = 0;
        List<String> examples = new ArrayList<>();
        while (left.hasRow() || right.hasRow()) {
            int order = !left.hasRow() ? 1 : !right.hasRow() ? -1 : table.compareKeys(left.row(), right.row());
            Optional<String> difference = difference(table, order, left, right);
            if (difference.isPresent()) {
                differences++;
                if (examples.size() < EXAMPLES_MAX) examples.add(difference.get());
            }
            if (order <= 0) left.advance();
            if (order >= 0) right.advance();
        }
        return new TableProof(table.postgres(), left.count, right.count, differences, examples, table.notCompared());
    }

    private static Optional<String> difference(ComparedTable table, int order, SortedRows left, SortedRows right) {
        if (order < 0) return Optional.of("missing in Feldera: " + table.describeKey(left.row()));
        if (order > 0) return Optional.of("only in Feldera: " + table.describeKey(right.row()));
        List<String> columns = table.differingColumns(left.row(), right.row());
        return columns.isEmpty()
                ? Optional.empty()
                : Optional.of("%s: differs in %s".formatted(table.describeKey(left.row()), String.join(", ", columns)));
    }

    /** One side: its current row, checked to come after the one before it. */
    private static final class SortedRows {
        private final String side;
        private final ComparedTable table;
        private final Iterator<List<Cell>> rows;
        private List<Cell> row = List.of();
        private long count;

        SortedRows(String side, ComparedTable table, Iterator<List<Cell>> rows) {
            this.side = side;
            this.table = table;
            this.rows = rows;
            advance();
        }

        boolean hasRow() {
            return !row.isEmpty();
        }

        List<Cell> row() {
            return row;
        }

        void advance() {
            List<Cell> next = rows.hasNext() ? rows.next() : List.of();
            if (!row.isEmpty() && !next.isEmpty() && table.compareKeys(row, next) >= 0) {
                throw new DemoFailure(
                        ExitCode.BROKEN_INVARIANT,
                        "%s does not return %s in key order: %s is followed by %s"
                                .formatted(side, table.postgres(), table.describeKey(row), table.describeKey(next)));
            }
            row = next;
            if (!next.isEmpty()) count++;
        }
    }
}
