package tidemark.delivery;

import java.util.Optional;
import java.util.function.Supplier;
import tidemark.delivery.ComparableForm.Wording;
import tidemark.sink.QueryRows;

/** Feldera's rows, from one query of {@link ComparedTable#query}. */
final class FelderaRows extends SortedRows {
    private final CountedRows rows;

    FelderaRows(ComparedTable table, QueryRows answer) {
        this(table, answer::next, answer::close);
    }

    /** @param answer its objects, one by one */
    FelderaRows(ComparedTable table, Supplier<Optional<byte[]>> answer, Runnable close) {
        super(table);
        this.rows = new CountedRows(table.query(), answer, close);
    }

    @Override
    boolean read(ComparedRow into) {
        return rows.next(object -> into.read(object, Wording.ANSWER));
    }

    @Override
    RuntimeException disordered(boolean sameKey) {
        return rows.unsound(sameKey ? "two rows have one key" : "the answer is not in the order that was asked for");
    }

    @Override
    public void close() {
        rows.close();
    }
}
