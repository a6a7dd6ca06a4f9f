package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tidemark.delivery.ComparableForm.Wording;
import tidemark.sink.FelderaTable;

/**
 * Decides which keys are one in Feldera, however PostgreSQL spells them: {@code 1.0} and {@code 1.00} in a DECIMAL,
 * {@code -0} and {@code 0} in a REAL. By value, as {@link ComparableForm} compares.
 *
 * <p>Owned by the delivery loop.
 *
 * @param forms of the key's columns, in the order in which {@link RowEncoder} writes them
 */
record KeyForm(List<ComparableForm> forms, JsonCursor cursor, ComparableBytes bytes) {
    /** Empty if a column's values have no such form: then keys are as they are spelt. */
    static Optional<KeyForm> of(FelderaTable feldera) {
        List<ComparableForm> forms = new ArrayList<>();
        for (FelderaTable.Column column : feldera.columns()) {
            if (!feldera.primaryKey().contains(column.name().text())) continue;
            Optional<ComparableForm> form = ComparableForm.of(column.type());
            if (form.isEmpty()) return Optional.empty();
            forms.add(form.get());
        }
        return Optional.of(new KeyForm(List.copyOf(forms), new JsonCursor(), new ComparableBytes()));
    }

    /**
     * The same bytes for two keys exactly if they are one.
     *
     * @param delete the operation that names the key
     */
    byte[] of(byte[] delete) {
        cursor.read(delete, 0, delete.length);
        bytes.clear();
        enterMember();
        cursor.expect('{');
        for (int column = 0; column < forms.size(); column++) {
            if (column > 0) cursor.expect(',');
            skipName();
            int part = bytes.beginPart();
            forms.get(column).put(cursor, Wording.INGRESS, bytes);
            bytes.endPart(part);
        }
        return bytes.copy();
    }

    private void enterMember() {
        cursor.expect('{');
        skipName();
    }

    private void skipName() {
        int before = bytes.length();
        cursor.string(bytes);
        bytes.truncate(before);
        cursor.expect(':');
    }
}
