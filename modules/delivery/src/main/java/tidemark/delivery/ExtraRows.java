package tidemark.delivery;

/**
 * Writes the deletes of rows that only Feldera has, as they were read to be compared. Owned by the thread that
 * compares.
 */
final class ExtraRows {
    private final ComparedTable table;
    private final RetractedTable retracted;
    private final int[] columns;
    private final JsonCursor cursor = new JsonCursor();

    /** @throws RowRefused for a type that nothing is known of */
    ExtraRows(ComparedTable table) {
        this.table = table;
        this.retracted = RetractedTable.of(table.plan());
        this.columns = table.positions(retracted.columns());
    }

    /** @throws RowRefused if no delete can name it, by the row */
    void delete(ComparedRow row, RowBytes body) {
        try {
            retracted.delete(row, columns, cursor, body);
        } catch (RowRefused refused) {
            throw refused.ofRow(table.keyMd5(row));
        } catch (UnreadableValue unreadable) {
            throw new RowRefused(new Finding(
                            table.plan().label(),
                            "a row has to be taken out of Feldera, and what Feldera answers of it is not understood: "
                                    + unreadable.what(),
                            Remedy.RESTART_EMPTY))
                    .ofRow(table.keyMd5(row));
        }
    }
}
