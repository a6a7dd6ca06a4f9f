package tidemark.standin;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;

/**
 * Checks one JSON value against a column's type and writes what {@code /query?format=json} will show for it (default
 * flavor; feldera.md 5.2, values.md). Compiled once per column, stateless.
 */
interface ValueCodec {
    /** Consumes one value. Throws {@link ValueRefused} with Feldera's words, or {@link MalformedJson}. */
    void transcode(JsonCursor in, ByteWriter out);

    static ValueCodec of(SqlType.Nullable column) {
        ValueCodec codec = of(column.type());
        return column.nullable() ? orNull(codec) : codec;
    }

    private static ValueCodec orNull(ValueCodec codec) {
        return (in, out) -> {
            if (in.takeNull()) {
                out.putNull();
            } else {
                codec.transcode(in, out);
            }
        };
    }

    private static ValueCodec of(SqlType type) {
        return switch (type) {
            case SqlType.Bool _ -> ValueCodec::bool;
            case SqlType.Width width -> new IntegerCodec(width);
            case SqlType.Decimal decimal -> new DecimalCodec(decimal);
            case SqlType.Real _ -> FloatingCodec.REAL;
            case SqlType.DoublePrecision _ -> FloatingCodec.DOUBLE;
            case SqlType.Characters _ -> ValueCodec::characters;
            case SqlType.Binary _ -> ValueCodec::binary;
            case SqlType.Date _ -> new DateCodec();
            case SqlType.Time _ -> new TimeCodec();
            case SqlType.Timestamp _ -> new TimestampCodec();
            case SqlType.TimestampTz _ -> new TimestampTzCodec();
            case SqlType.Uuid _ -> new UuidCodec();
            case SqlType.Variant _ -> new VariantCodec();
            case SqlType.Array array -> array(of(array.element()));
            case SqlType.Mapping mapping -> mapping(of(mapping.key()), of(mapping.value()));
            case SqlType.Row row -> new StructCodec(row.fields());
        };
    }

    private static void bool(JsonCursor in, ByteWriter out) {
        int next = in.peek();
        if (next != 't' && next != 'f') {
            throw mismatch(in, "a boolean");
        }
        out.put(in.takeBoolean() ? "true" : "false");
    }

    /** CHAR is neither padded nor cut, and no length is enforced. */
    private static void characters(JsonCursor in, ByteWriter out) {
        requireString(in, "a string");
        if (in.isEscaped()) {
            ByteWriter text = in.decodeString();
            out.putJsonString(text.buffer(), 0, text.length());
        } else {
            out.put(in.buffer(), in.rawStart() - 1, in.rawEnd() + 1);
        }
    }

    private static void binary(JsonCursor in, ByteWriter out) {
        if (!in.isNext('[')) {
            throw mismatch(in, "a sequence");
        }
        out.put('"');
        in.enterArray();
        for (boolean first = true; in.nextElement(first); first = false) {
            out.putHex((int) IntegerCodec.read(in, 0, 255, "u8"));
        }
        out.put('"');
    }

    private static ValueCodec array(ValueCodec element) {
        return (in, out) -> {
            if (!in.isNext('[')) {
                throw mismatch(in, "an array");
            }
            out.put('[');
            in.enterArray();
            for (boolean first = true; in.nextElement(first); first = false) {
                if (!first) {
                    out.put(',');
                }
                element.transcode(in, out);
            }
            out.put(']');
        };
    }

    /**
     * Keys are strings in JSON; a key of another type is read from the string's text. Feldera keeps a sorted map, so
     * entries come back by key, of equal keys the last (crates/sqllib/src/map.rs, read and not measured).
     */
    private static ValueCodec mapping(ValueCodec key, ValueCodec value) {
        return (in, out) -> {
            if (!in.isNext('{')) {
                throw mismatch(in, "a map");
            }
            var entries = new TreeMap<String, byte[]>();
            in.enterObject();
            for (boolean start = true; in.nextKey(start); start = false) {
                int keyStart = in.rawStart() - 1;
                var shown = new ByteWriter(16);
                key.transcode(new JsonCursor(in.buffer(), keyStart, in.at()), shown);
                in.enterValue();
                var stored = new ByteWriter(16);
                value.transcode(in, stored);
                entries.put(new String(shown.copy(), StandardCharsets.UTF_8), stored.copy());
            }
            out.put('{');
            boolean first = true;
            for (var entry : entries.entrySet()) {
                if (!first) {
                    out.put(',');
                }
                first = false;
                out.put(entry.getKey());
                out.put(':');
                out.put(entry.getValue());
            }
            out.put('}');
        };
    }

    /** Consumes the string that is next, or refuses what is there instead. */
    static void requireString(JsonCursor in, String expected) {
        if (!in.isNext('"')) {
            throw mismatch(in, expected);
        }
        in.readString();
    }

    /** serde's "invalid type", which has consumed scalars but not sequences and maps. */
    static ValueRefused mismatch(JsonCursor in, String expected) {
        int next = in.peek();
        String found = switch (next) {
            case '{' -> "map";
            case '[' -> "sequence";
            case '"' -> {
                in.readString();
                yield "string " + debugged(in.string());
            }
            case 't', 'f' -> "boolean `" + in.takeBoolean() + "`";
            case 'n' -> {
                in.skipValue();
                yield "null";
            }
            default -> {
                in.skipValue();
                yield in.isInteger()
                        ? "integer `" + in.number() + "`"
                        : "floating point `" + FloatingCodec.rustText(Double.parseDouble(in.number())) + "`";
            }
        };
        return new ValueRefused("invalid type: " + found + ", expected " + expected + in.position());
    }

    /** Rust's {@code {:?}} of a string, as far as error texts need it. */
    static String debugged(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    /** The codecs of a table's columns, in declared order. */
    static List<ValueCodec> ofColumns(TableDefinition table) {
        return table.columns().stream().map(column -> of(column.type())).toList();
    }
}
