package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a posted array as strictly as Feldera, as far as {@link SimTable} has rows: nothing else is ever sent. */
final class SimBody {
    /** What one element of the array does to the row of a key, if there is one. */
    sealed interface Operation {
        long key();

        Optional<SimTable.Row> on(Optional<SimTable.Row> there);

        /** How many more there are of it in a table without key. */
        int weight();

        record Insert(long key, SimTable.Row row) implements Operation {
            @Override
            public Optional<SimTable.Row> on(Optional<SimTable.Row> there) {
                return Optional.of(row);
            }

            @Override
            public int weight() {
                return 1;
            }
        }

        record Delete(long key) implements Operation {
            @Override
            public Optional<SimTable.Row> on(Optional<SimTable.Row> there) {
                return Optional.empty();
            }

            @Override
            public int weight() {
                return -1;
            }
        }

        /** Of all columns but {@code big}: it has no effect on a key that is not there (feldera.md, measured 10). */
        record Update(long key, String v, String extra) implements Operation {
            @Override
            public Optional<SimTable.Row> on(Optional<SimTable.Row> there) {
                return there.map(row -> new SimTable.Row(v, row.big(), extra));
            }

            @Override
            public int weight() {
                throw new SimViolation("an update of a table without key");
            }
        }
    }

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
        if (skips("{\"delete\":{\"id\":")) {
            var delete = new Operation.Delete(Long.parseLong(until("}").split(",", 2)[0])); // perhaps the whole row
            expect("}}");
            return delete;
        }
        boolean updates = skips("{\"update\":");
        if (!updates) expect("{\"insert\":");
        expect("{\"id\":");
        long key = Long.parseLong(until(","));
        expect(",\"v\":");
        String v = value(",");
        String big = SimTable.NULL;
        if (!updates) {
            expect(",\"big\":");
            big = value(",");
        }
        expect(",\"extra\":");
        String extra = value("}");
        expect("}}");
        return updates
                ? new Operation.Update(key, v, extra)
                : new Operation.Insert(key, new SimTable.Row(v, big, extra));
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
