package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** ROW, field by field in the order of its type, in whatever order they were written; one that is missing is null. */
record RowForm(List<Field> fields) implements NestedForm {
    record Field(String name, ComparableForm form) {}

    @Override
    public void putValue(JsonCursor in, Wording wording, ComparableBytes out) {
        var values = new byte[fields.size()][];
        in.expect('{');
        for (boolean first = true; in.goesOn(first, '}'); first = false) {
            int index = index(in);
            in.expect(':');
            var value = new ComparableBytes();
            fields.get(index).form().put(in, wording, value);
            values[index] = value.copy();
        }
        for (byte[] value : values) {
            byte[] told = value == null ? new byte[] {NULL} : value;
            out.putMeasured(told, 0, told.length);
        }
    }

    private int index(JsonCursor in) {
        var name = new ComparableBytes();
        in.string(name);
        String told = new String(name.array(), 0, name.length(), StandardCharsets.UTF_8);
        for (int index = 0; index < fields.size(); index++) {
            if (fields.get(index).name().equals(told)) return index;
        }
        throw new UnreadableValue("a field of the row");
    }

    @Override
    public ComparableForm ofPart(int index) {
        return fields.get(index).form();
    }
}
