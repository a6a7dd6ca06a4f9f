package tidemark.standin;

/** One operation on one table, checked and ready to be applied by a step. */
sealed interface Change {
    /** Keyed: upsert of the whole row. Keyless: weight + 1. */
    record Insert(StoredRow row) implements Change {}

    /** Keyed: only the key counts. Keyless: weight - 1 of the full row. */
    record Delete(StoredRow row) implements Change {}

    /**
     * A partial update by key; ignored when the key is absent.
     *
     * @param positions in the {@link RowLayout}, of the columns that were given, ascending
     * @param values their stored texts
     */
    record Patch(StoredRow key, int[] positions, byte[][] values) implements Change {}
}
