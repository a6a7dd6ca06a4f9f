package tidemark.delivery;

import java.util.List;
import java.util.Optional;

/**
 * Compares one table at both ends by a merge of two streams that are sorted alike: what PostgreSQL has under a snapshot
 * against what Feldera answers. Memory is two rows of each, whatever the table has.
 *
 * <p>What it found is complete only when {@link #next} has come to the end: only there do the ends say whether they
 * told everything. A failure before that is no finding. Owned by one thread.
 */
final class TableComparison {
    enum Difference {
        /** PostgreSQL has it and Feldera does not. */
        MISSING,
        /** Only Feldera has it. */
        EXTRA,
        /** Both have it, and not alike. */
        DIFFERENT
    }

    private final ComparedTable table;
    private final PostgresRows postgres;
    private final FelderaRows feldera;
    private boolean begun;
    private int order;

    TableComparison(ComparedTable table, PostgresRows postgres, FelderaRows feldera) {
        this.table = table;
        this.postgres = postgres;
        this.feldera = feldera;
    }

    /** The next difference, in the order of the key; empty when both ends have come to their end. */
    Optional<Difference> next() {
        advance();
        while (!postgres.isOver() || !feldera.isOver()) {
            order = postgres.isOver() ? 1 : feldera.isOver() ? -1 : table.compareKeys(postgres.row(), feldera.row());
            if (order < 0) return Optional.of(Difference.MISSING);
            if (order > 0) return Optional.of(Difference.EXTRA);
            if (!table.isSame(postgres.row(), feldera.row())) return Optional.of(Difference.DIFFERENT);
            advance();
        }
        return Optional.empty();
    }

    /** The ends whose row has been dealt with. */
    private void advance() {
        if ((!begun || order <= 0) && !postgres.isOver()) postgres.advance();
        if ((!begun || order >= 0) && !feldera.isOver()) feldera.advance();
        begun = true;
    }

    /** Of the difference that was found last: its key, for people. */
    String key() {
        return table.describeKey(order > 0 ? feldera.row() : postgres.row());
    }

    /** Of the {@link Difference#DIFFERENT} that was found last. */
    List<String> differingColumns() {
        return table.differingColumns(postgres.row(), feldera.row());
    }

    long postgresRows() {
        return postgres.count();
    }

    long felderaRows() {
        return feldera.count();
    }
}
