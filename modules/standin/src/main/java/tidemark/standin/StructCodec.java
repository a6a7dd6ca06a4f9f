package tidemark.standin;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** ROW(...): a JSON object by field name, or an array in field order; unknown members are ignored. */
final class StructCodec implements ValueCodec {
    private final List<SqlType.Field> fields;
    private final List<ValueCodec> codecs;

    StructCodec(List<SqlType.Field> fields) {
        this.fields = fields;
        this.codecs = fields.stream().map(field -> ValueCodec.of(field.type())).toList();
    }

    @Override
    public void transcode(JsonCursor in, ByteWriter out) {
        byte[][] values = new byte[fields.size()][];
        Arrays.fill(values, new byte[0]);
        switch (in.peek()) {
            case '{' -> readObject(in, values);
            case '[' -> readArray(in, values);
            default -> throw ValueCodec.mismatch(in, "a ROW value");
        }
        for (int i = 0; i < values.length; i++) {
            out.put(i == 0 ? '{' : ',');
            out.put('"' + fields.get(i).name().text() + "\":");
            out.put(present(in, values[i], fields.get(i)));
        }
        out.put('}');
    }

    private void readObject(JsonCursor in, byte[][] values) {
        in.enterObject();
        for (boolean first = true; in.nextKey(first); first = false) {
            String key = in.string();
            in.enterValue();
            int field = fieldNamed(key);
            if (field < 0) {
                in.skipValue();
            } else {
                values[field] = read(in, field);
            }
        }
    }

    private void readArray(JsonCursor in, byte[][] values) {
        in.enterArray();
        int field = 0;
        for (boolean first = true; in.nextElement(first); first = false) {
            if (field == values.length) {
                throw new ValueRefused("invalid length: more than " + field + " elements" + in.position());
            }
            values[field] = read(in, field);
            field++;
        }
    }

    private byte[] read(JsonCursor in, int field) {
        var value = new ByteWriter(16);
        try {
            codecs.get(field).transcode(in, value);
        } catch (ValueRefused refused) {
            throw new ValueRefused("{\"field\":\"" + fields.get(field).name().text() + "\",\"description\":"
                    + ValueCodec.debugged(refused.description()) + "}" + in.position());
        }
        return value.copy();
    }

    private static byte[] present(JsonCursor in, byte[] value, SqlType.Field field) {
        if (value.length > 0) {
            return value;
        }
        if (!field.type().nullable()) {
            throw new ValueRefused("missing field `" + field.name().text() + "`" + in.position());
        }
        return "null".getBytes(StandardCharsets.US_ASCII);
    }

    private int fieldNamed(String key) {
        for (int i = 0; i < fields.size(); i++) {
            SqlName name = fields.get(i).name();
            if (name.caseSensitive() ? name.text().equals(key) : name.text().equals(key.toLowerCase(Locale.ROOT))) {
                return i;
            }
        }
        return -1;
    }
}
