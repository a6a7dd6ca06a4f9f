package tidemark.delivery;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * VARIANT as the JSON document that it is: members sorted and the last of equal ones, numbers by value. We send the
 * document, Feldera answers with a string that holds its text. A document that is null alone and NULL are one.
 */
record VariantForm() implements ComparableForm {
    @Override
    public void put(JsonCursor in, Wording wording, ComparableBytes out) {
        int start = out.length();
        ComparableForm.super.put(in, wording, out);
        boolean nullAlone = out.array()[start] == PRESENT && out.array()[start + 1] == 'z';
        if (!nullAlone) return;
        out.truncate(start);
        out.put(NULL);
    }

    @Override
    public void putValue(JsonCursor in, Wording wording, ComparableBytes out) {
        switch (wording) {
            case INGRESS -> putDocument(in, out);
            case ANSWER -> {
                var text = new ComparableBytes();
                in.string(text);
                var held = new JsonCursor();
                held.read(text.array(), 0, text.length());
                putDocument(held, out);
                held.expectEnd();
            }
        }
    }

    private static void putDocument(JsonCursor in, ComparableBytes out) {
        switch (in.peek()) {
            case '{' -> putObject(in, out);
            case '[' -> {
                in.expect('[');
                out.put('a');
                for (boolean first = true; in.goesOn(first, ']'); first = false) putDocument(in, out);
                out.put(0);
            }
            case '"' -> {
                byte[] text = string(in);
                out.put('s');
                out.putMeasured(text, 0, text.length);
            }
            case 't', 'f' -> out.put(in.takeBoolean() ? 't' : 'f');
            case 'n' -> {
                if (!in.takeNull()) throw new UnreadableValue("null");
                out.put('z');
            }
            default -> putNumber(in, out);
        }
    }

    private static void putObject(JsonCursor in, ComparableBytes out) {
        in.expect('{');
        Map<byte[], byte[]> members = new TreeMap<>(Arrays::compareUnsigned);
        for (boolean first = true; in.goesOn(first, '}'); first = false) {
            byte[] name = string(in);
            in.expect(':');
            var value = new ComparableBytes();
            putDocument(in, value);
            members.put(name, value.copy());
        }
        out.put('o');
        members.forEach((name, value) -> {
            out.put('m');
            out.putMeasured(name, 0, name.length);
            out.put(value, 0, value.length);
        });
        out.put(0);
    }

    private static byte[] string(JsonCursor in) {
        var text = new ComparableBytes();
        in.string(text);
        return text.copy();
    }

    private static void putNumber(JsonCursor in, ComparableBytes out) {
        int start = in.number();
        String text = new String(in.bytes(), start, in.at() - start, StandardCharsets.ISO_8859_1);
        try {
            BigDecimal value = new BigDecimal(text).stripTrailingZeros();
            byte[] exact = (value.unscaledValue() + "e" + -value.scale()).getBytes(StandardCharsets.ISO_8859_1);
            out.put('n');
            out.putMeasured(exact, 0, exact.length);
        } catch (NumberFormatException _) {
            throw new UnreadableValue("a number");
        }
    }

    /** PostgreSQL sorts json not at all, and jsonb in an order of its own. */
    @Override
    public boolean isSortable() {
        return false;
    }
}
