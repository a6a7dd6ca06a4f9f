package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tidemark.sink.FelderaName;
import tidemark.sink.FelderaTable;

/**
 * How the rows that Feldera has of one table are read and named in deletes: by their key, or, in a table without one,
 * by all columns, each row as often as it is there.
 */
final class RetractedTable {
    private static final byte[] DELETE = RowBytes.ascii("{\"delete\":{");
    private static final byte[] END = RowBytes.ascii("}}");

    /** @param jsonKey with its colon */
    private record Column(FelderaName name, byte[] jsonKey, AnsweredValue value) {}

    private final TablePlan plan;
    private final List<Column> columns;
    private final CountedSelect select;

    private RetractedTable(TablePlan plan, List<Column> columns, CountedSelect select) {
        this.plan = plan;
        this.columns = columns;
        this.select = select;
    }

    /** @throws RowRefused for a type that nothing is known of */
    static RetractedTable of(TablePlan plan) {
        FelderaTable table = plan.feldera();
        List<Column> columns = new ArrayList<>();
        List<FelderaName> order = new ArrayList<>();
        for (FelderaTable.Column column : table.columns()) {
            boolean names = table.primaryKey().isEmpty()
                    || table.primaryKey().contains(column.name().text());
            if (!names) continue;
            AnsweredValue value = AnsweredValue.of(column.type()).orElseThrow(() -> unnamed(plan, column.name()));
            byte[] jsonKey = ColumnWriter.jsonKey(column.name().text()).getBytes(StandardCharsets.UTF_8);
            columns.add(new Column(column.name(), jsonKey, value));
            boolean sortable = ComparableForm.of(column.type())
                    .filter(ComparableForm::isSortable)
                    .isPresent();
            if (sortable) order.add(column.name());
        }
        List<FelderaName> selected = columns.stream().map(Column::name).toList();
        return new RetractedTable(plan, List.copyOf(columns), new CountedSelect(table, selected, List.copyOf(order)));
    }

    /** Sorted as far as its columns can be, so that the same rows are named in the same order. */
    CountedSelect select() {
        return select;
    }

    TablePlan plan() {
        return plan;
    }

    FelderaName name() {
        return plan.feldera().name();
    }

    /** The columns that name a row, in the order in which {@link #delete} takes them. */
    List<FelderaName> columns() {
        return columns.stream().map(Column::name).toList();
    }

    /** Appends the delete that names a row which was read to be compared; {@code positions}: of {@link #columns()}. */
    void delete(ComparedRow row, int[] positions, JsonCursor cursor, RowBytes body) {
        body.beginOperation(DELETE);
        for (int i = 0; i < columns.size(); i++) {
            if (i > 0) body.put((byte) ',');
            body.put(columns.get(i).jsonKey());
            row.readAgain(positions[i], cursor);
            put(columns.get(i), cursor, body);
        }
        body.put(END);
    }

    /** Takes the columns of one object of the answer and appends the delete that names its row. */
    void delete(JsonCursor object, RowBytes body) {
        body.beginOperation(DELETE);
        object.expect('{');
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            if (i > 0) {
                object.expect(',');
                body.put((byte) ',');
            }
            object.expectKey(column.jsonKey());
            body.put(column.jsonKey());
            put(column, object, body);
        }
        body.put(END);
    }

    private void put(Column column, JsonCursor object, RowBytes body) {
        try {
            column.value().put(object, body);
        } catch (UnreadableValue unreadable) {
            throw new UnreadableValue(column.name(), unreadable);
        } catch (AnsweredValue.Unnameable _) {
            throw unnamed(plan, column.name());
        }
    }

    private static RowRefused unnamed(TablePlan plan, FelderaName column) {
        return new RowRefused(new Finding(
                plan.label() + " column " + column,
                "a row has to be taken out of Feldera, and cannot be named by the value that Feldera answers here",
                Remedy.RESTART_EMPTY));
    }
}
