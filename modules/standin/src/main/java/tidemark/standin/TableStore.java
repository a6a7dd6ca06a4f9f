package tidemark.standin;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The content of one table as of the last step. Written by the circuit only, between steps read by queries; both under
 * the pipeline's state lock. A restart loses it.
 */
sealed interface TableStore {
    void apply(Change change);

    /** The whole row that a change is about, as it would be or as it is; empty when there is none. */
    Optional<StoredRow> rowOf(Change change);

    long count();

    TableStore copy();

    /**
     * The rows, duplicates repeated; empty when a row has a negative weight, which fails every query (feldera.md 14).
     */
    Optional<StoredRow[]> rows();

    static TableStore of(TableDefinition table, RowLayout layout) {
        return table.keyed() ? new Keyed(layout) : new Keyless();
    }

    /** Insert is upsert; deletes and updates of a missing key do nothing. */
    final class Keyed implements TableStore {
        private final RowLayout layout;
        private final Map<StoredRow, StoredRow> rows = new HashMap<>();

        private Keyed(RowLayout layout) {
            this.layout = layout;
        }

        @Override
        public void apply(Change change) {
            switch (change) {
                case Change.Insert(StoredRow row) -> replace(row);
                case Change.Delete(StoredRow row) -> rows.remove(row);
                case Change.Patch patch ->
                    Optional.ofNullable(rows.get(patch.key())).ifPresent(row -> replace(patched(row, patch)));
            }
        }

        /** A map keeps the old key object when a value is replaced; here the key is the row, so both must go. */
        private void replace(StoredRow row) {
            if (rows.put(row, row) != null) {
                rows.remove(row);
                rows.put(row, row);
            }
        }

        private StoredRow patched(StoredRow row, Change.Patch patch) {
            int[] bounds = new int[layout.columns() + 1];
            layout.locate(row.text(), bounds);
            var text = new ByteWriter(row.text().length + 16);
            int given = 0;
            for (int position = 0; position < layout.columns(); position++) {
                if (position > 0) {
                    text.put(',');
                }
                if (given < patch.positions().length && patch.positions()[given] == position) {
                    text.put(patch.values()[given++]);
                } else {
                    text.put(row.text(), bounds[position], bounds[position + 1] - 1);
                }
            }
            return new StoredRow(text.copy(), row.keyLength());
        }

        @Override
        public Optional<StoredRow> rowOf(Change change) {
            return switch (change) {
                case Change.Insert(StoredRow row) -> Optional.of(row);
                case Change.Delete(StoredRow key) -> Optional.ofNullable(rows.get(key));
                case Change.Patch patch ->
                    Optional.ofNullable(rows.get(patch.key())).map(row -> patched(row, patch));
            };
        }

        @Override
        public Keyed copy() {
            var copy = new Keyed(layout);
            copy.rows.putAll(rows);
            return copy;
        }

        @Override
        public long count() {
            return rows.size();
        }

        @Override
        public Optional<StoredRow[]> rows() {
            Collection<StoredRow> all = rows.values();
            return Optional.of(all.toArray(StoredRow[]::new));
        }
    }

    /** A signed multiset: insert adds one, delete takes one away, also of a row that is not there. */
    final class Keyless implements TableStore {
        private final Map<StoredRow, Integer> weights = new HashMap<>();
        private long sum;
        private long negatives;

        @Override
        public void apply(Change change) {
            switch (change) {
                case Change.Insert(StoredRow row) -> add(row, 1);
                case Change.Delete(StoredRow row) -> add(row, -1);
                case Change.Patch _ -> throw new IllegalStateException("an update of a keyless table was let through");
            }
        }

        private void add(StoredRow row, int weight) {
            int before = weights.getOrDefault(row, 0);
            int after = before + weight;
            sum += weight;
            negatives += (after < 0 ? 1 : 0) - (before < 0 ? 1 : 0);
            if (after == 0) {
                weights.remove(row);
            } else {
                weights.put(row, after);
            }
        }

        @Override
        public Optional<StoredRow> rowOf(Change change) {
            return switch (change) {
                case Change.Insert(StoredRow row) -> Optional.of(row);
                case Change.Delete(StoredRow row) -> Optional.of(row);
                case Change.Patch _ -> Optional.empty();
            };
        }

        @Override
        public Keyless copy() {
            var copy = new Keyless();
            copy.weights.putAll(weights);
            copy.sum = sum;
            copy.negatives = negatives;
            return copy;
        }

        @Override
        public long count() {
            return sum;
        }

        @Override
        public Optional<StoredRow[]> rows() {
            if (negatives > 0) {
                return Optional.empty();
            }
            StoredRow[] all = new StoredRow[Math.toIntExact(sum)];
            int at = 0;
            for (var row : weights.entrySet()) {
                for (int i = 0; i < row.getValue(); i++) {
                    all[at++] = row.getKey();
                }
            }
            return Optional.of(all);
        }
    }
}
