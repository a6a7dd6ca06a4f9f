package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a posted array as strictly as Feldera, as far as {@link SimTable} has rows: nothing else is ever sent. */
final class SimBody {
    /** A deleted row is empty. */
    record Operation(long key, Optional<SimTable.Row> row) {}

    private final String text;
    private int at;

    private SimBody(String text) {
        this.text = text;
    }

    /** @throws SimViolation when it is not one array of operations */
    static List<Operation> read(byte[] bytes, int length) {
        return new SimBody(new String(bytes, 0, length, StandardCharsets.UTF_8)).operations();
    }

    private List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        expect("[");
        if (!skips("]")) {
            do operations.add(operation());
            while (skips(","));
            expect("]");
        }
        if (at != text.length()) throw malformed();
        return operations;
    }

    private Operation operation() {
        boolean deletes = skips("{\"delete\":");
        if (!deletes) expect("{\"insert\":");
        expect("{\"id\":");
        long key = Long.parseLong(until(deletes ? "}" : ","));
        if (deletes) {
            expect("}}");
            return new Operation(key, Optional.empty());
        }
        expect(",\"v\":");
        String v = value(",");
        expect(",\"extra\":");
        String extra = value("}");
        expect("}}");
        return new Operation(key, Optional.of(new SimTable.Row(v, extra)));
    }

    private String value(String end) {
        String json = until(end);
        if (json.equals(SimTable.NULL)) return json;
        if (json.length() < 2 || json.charAt(0) != '"' || !json.endsWith("\"")) throw malformed();
        return json.substring(1, json.length() - 1);
    }

    private String until(String end) {
        int found = text.indexOf(end, at);
        if (found < 0) throw malformed();
        String part = text.substring(at, found);
        at = found;
        return part;
    }

    private boolean skips(String expected) {
        if (!text.startsWith(expected, at)) return false;
        at += expected.length();
        return true;
    }

    private void expect(String expected) {
        if (!skips(expected)) throw malformed();
    }

    private SimViolation malformed() {
        return new SimViolation("a body that is no array of operations, at %d: %s".formatted(at, text));
    }
}
