package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import tidemark.sink.FelderaTable;
import tidemark.sink.FelderaTable.ColumnType;
import tidemark.sink.FelderaTable.Parts;

/**
 * Turns a value as {@code /query} answers it into the JSON from which ingress makes the very same value, so that a row
 * that was read can be named again (feldera.md 4 and 5.2, values.md): most go as they are, times with their {@code T}
 * and DECIMALs with their zeros too; hexadecimal digits become an array of bytes, and a string that holds a VARIANT's
 * document that document. What is no value of the type is an {@link UnreadableValue}.
 *
 * <p>Stateless; chosen once per table.
 */
sealed interface AnsweredValue {
    /** Empty for a type whose values have no mapping either. */
    static Optional<AnsweredValue> of(ColumnType type) {
        return switch (type.type()) {
            case "BOOLEAN",
                    "TINYINT",
                    "SMALLINT",
                    "INTEGER",
                    "BIGINT",
                    "UTINYINT",
                    "USMALLINT",
                    "UINTEGER",
                    "UBIGINT",
                    "DECIMAL",
                    "CHAR",
                    "VARCHAR",
                    "UUID",
                    "DATE",
                    "TIME",
                    "TIMESTAMP",
                    "TIMESTAMP_TZ" -> Optional.of(new Verbatim());
            case "REAL" -> Optional.of(new Floating(true));
            case "DOUBLE" -> Optional.of(new Floating(false));
            case "BINARY", "VARBINARY" -> Optional.of(new Octets());
            case "VARIANT" -> Optional.of(new Document());
            case "ARRAY", "MAP", "STRUCT" -> ofParts(type.parts());
            default -> Optional.empty();
        };
    }

    private static Optional<AnsweredValue> ofParts(Parts parts) {
        return switch (parts) {
            case Parts.None _ -> Optional.empty();
            case Parts.Component(var element) -> of(element).map(Elements::new);
            case Parts.Entries(var _, var value) -> of(value).map(Entries::new);
            case Parts.Fields(List<FelderaTable.Field> fields) -> ofFields(fields);
        };
    }

    private static Optional<AnsweredValue> ofFields(List<FelderaTable.Field> fields) {
        List<Fields.Field> found = new ArrayList<>();
        for (FelderaTable.Field field : fields) {
            of(field.type())
                    .ifPresent(value -> found.add(new Fields.Field(
                            ColumnWriter.jsonKey(field.name().text()).getBytes(StandardCharsets.UTF_8), value)));
        }
        return found.size() == fields.size() ? Optional.of(new Fields(List.copyOf(found))) : Optional.empty();
    }

    /** No JSON is known from which Feldera makes the value again. */
    final class Unnameable extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Takes one value, which may be null, and writes it. */
    default void put(JsonCursor in, RowBytes out) {
        if (in.takeNull()) out.put(JsonCursor.NULL);
        else putValue(in, out);
    }

    /** Takes one value that is not null. */
    void putValue(JsonCursor in, RowBytes out);

    /** A string, a number, true or false. */
    record Verbatim() implements AnsweredValue {
        @Override
        public void putValue(JsonCursor in, RowBytes out) {
            int start = in.scalar();
            out.put(in.bytes(), start, in.at() - start);
        }
    }

    /** @param single REAL, else DOUBLE */
    record Floating(boolean single) implements AnsweredValue {
        @Override
        public void putValue(JsonCursor in, RowBytes out) {
            int start = in.number();
            String text = new String(in.bytes(), start, in.at() - start, StandardCharsets.US_ASCII);
            String spelling = FelderaNumber.spelling(text, single).orElseThrow(Unnameable::new);
            out.put(RowBytes.ascii(spelling));
        }
    }

    record Octets() implements AnsweredValue {
        @Override
        public void putValue(JsonCursor in, RowBytes out) {
            in.expect('"');
            out.put((byte) '[');
            for (boolean first = true; !in.take('"'); first = false) {
                if (!first) out.put((byte) ',');
                out.putDecimal(digit(in) << 4 | digit(in));
            }
            out.put((byte) ']');
        }

        private static int digit(JsonCursor in) {
            int digit = in.next();
            if (!HexFormat.isHexDigit(digit)) throw new UnreadableValue("a hexadecimal digit");
            return HexFormat.fromHexDigit(digit);
        }
    }

    /**
     * A VARIANT: what Feldera prints of one it reads as the same, since it keeps numbers as the digits that it prints.
     */
    record Document() implements AnsweredValue {
        @Override
        public void putValue(JsonCursor in, RowBytes out) {
            var text = new ComparableBytes();
            in.string(text);
            out.put(text.array(), 0, text.length());
        }
    }

    record Elements(AnsweredValue element) implements AnsweredValue {
        @Override
        public void putValue(JsonCursor in, RowBytes out) {
            in.expect('[');
            out.put((byte) '[');
            for (boolean first = true; in.goesOn(first, ']'); first = false) {
                if (!first) out.put((byte) ',');
                element.put(in, out);
            }
            out.put((byte) ']');
        }
    }

    /** A MAP, whose keys are the strings that JSON makes of every key. */
    record Entries(AnsweredValue value) implements AnsweredValue {
        private static final Verbatim KEY = new Verbatim();

        @Override
        public void putValue(JsonCursor in, RowBytes out) {
            in.expect('{');
            out.put((byte) '{');
            for (boolean first = true; in.goesOn(first, '}'); first = false) {
                if (!first) out.put((byte) ',');
                KEY.putValue(in, out);
                in.expect(':');
                out.put((byte) ':');
                value.put(in, out);
            }
            out.put((byte) '}');
        }
    }

    /** A ROW, whose fields come in the order of its type (feldera.md 4). */
    record Fields(List<Field> fields) implements AnsweredValue {
        /** @param jsonKey with its colon */
        record Field(byte[] jsonKey, AnsweredValue value) {}

        @Override
        public void putValue(JsonCursor in, RowBytes out) {
            in.expect('{');
            out.put((byte) '{');
            for (int i = 0; i < fields.size(); i++) {
                Field field = fields.get(i);
                if (i > 0) {
                    in.expect(',');
                    out.put((byte) ',');
                }
                in.expectKey(field.jsonKey());
                out.put(field.jsonKey());
                field.value().put(in, out);
            }
            in.expect('}');
            out.put((byte) '}');
        }
    }
}
