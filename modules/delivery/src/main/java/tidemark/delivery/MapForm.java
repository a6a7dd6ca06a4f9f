package tidemark.delivery;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** MAP, entries sorted by the text of their key, which JSON makes of every key; of equal keys the last one. */
record MapForm(ComparableForm value) implements NestedForm {
    private static final TextForm KEY = new TextForm();

    @Override
    public void putValue(JsonCursor in, Wording wording, ComparableBytes out) {
        Map<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
        in.expect('{');
        for (boolean first = true; in.goesOn(first, '}'); first = false) {
            var part = new ComparableBytes();
            KEY.put(in, wording, part);
            byte[] key = part.copy();
            in.expect(':');
            part.clear();
            value.put(in, wording, part);
            entries.put(key, part.copy());
        }
        entries.forEach((key, of) -> {
            out.putMeasured(key, 0, key.length);
            out.putMeasured(of, 0, of.length);
        });
    }

    @Override
    public ComparableForm ofPart(int index) {
        return index % 2 == 0 ? KEY : value;
    }
}
