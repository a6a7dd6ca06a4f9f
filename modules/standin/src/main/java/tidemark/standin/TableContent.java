package tidemark.standin;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One table of a running pipeline: what it is, how its rows are laid out, and what it holds. Written by the circuit
 * only.
 *
 * @param late the columns that drop what comes too late
 * @param dropped how many rows they have dropped
 */
record TableContent(
        TableDefinition definition, RowLayout layout, TableStore store, List<Lateness> late, AtomicLong dropped) {
    static TableContent empty(TableDefinition definition) {
        var layout = new RowLayout(definition);
        return new TableContent(
                definition,
                layout,
                TableStore.of(definition, layout),
                Lateness.of(definition, layout),
                new AtomicLong());
    }

    /** Shares nothing that changes. */
    TableContent copy() {
        return new TableContent(
                definition,
                layout,
                store.copy(),
                late.stream().map(Lateness::copy).toList(),
                new AtomicLong(dropped.get()));
    }

    EventReader newReader() {
        return new EventReader(new RowReader(definition, layout), definition.keyed());
    }

    void apply(Change change) {
        if (late.isEmpty()) {
            store.apply(change);
            return;
        }
        Optional<StoredRow> row = store.rowOf(change);
        int[] bounds = new int[layout.columns() + 1];
        row.ifPresent(whole -> layout.locate(whole.text(), bounds));
        if (row.isPresent() && late.stream().anyMatch(column -> column.isLate(row.get(), bounds))) {
            dropped.incrementAndGet();
            return;
        }
        store.apply(change);
        row.ifPresent(whole -> late.forEach(column -> column.seen(whole, bounds)));
    }

    void stepEnds() {
        late.forEach(Lateness::stepEnds);
    }
}
