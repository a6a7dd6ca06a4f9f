package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tidemark.sink.FelderaTable;
import tidemark.sink.FelderaTable.ColumnType;
import tidemark.sink.FelderaTable.Parts;

/** Reads a Feldera type as a program declares it, {@code !} for NOT NULL. */
final class DeclaredType {
    private final String text;
    private int at;

    DeclaredType(String text) {
        this.text = text;
    }

    ColumnType columnType() {
        ColumnType type = plain();
        while (skip("ARRAY")) type = nullable("ARRAY", new Parts.Component(type));
        return type;
    }

    private ColumnType plain() {
        String name = word();
        if (name.equals("MAP") && skip("<")) {
            ColumnType key = columnType();
            require(",");
            ColumnType value = columnType();
            require(">");
            return nullable("MAP", new Parts.Entries(key, value));
        }
        if (name.equals("ROW") && skip("(")) {
            List<FelderaTable.Field> fields = new ArrayList<>();
            do fields.add(new FelderaTable.Field(TableFixture.felderaName(word()), columnType()));
            while (skip(","));
            require(")");
            return nullable("STRUCT", new Parts.Fields(List.copyOf(fields)));
        }
        Optional<Long> precision = Optional.empty();
        Optional<Long> scale = Optional.empty();
        if (skip("(")) {
            precision = Optional.of(Long.valueOf(word()));
            if (skip(",")) scale = Optional.of(Long.valueOf(word()));
            require(")");
        }
        return new ColumnType(name, !skip("!"), precision, scale, new Parts.None());
    }

    private ColumnType nullable(String type, Parts parts) {
        return new ColumnType(type, !skip("!"), Optional.empty(), Optional.empty(), parts);
    }

    private String word() {
        skipSpace();
        int start = at;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at)) || "_\"".indexOf(text.charAt(at)) >= 0)) at++;
        return text.substring(start, at);
    }

    private boolean skip(String wanted) {
        skipSpace();
        boolean found = text.startsWith(wanted, at);
        if (found) at += wanted.length();
        return found;
    }

    private void require(String wanted) {
        if (!skip(wanted)) throw new IllegalArgumentException("no %s at %d of %s".formatted(wanted, at, text));
    }

    private void skipSpace() {
        while (at < text.length() && text.charAt(at) == ' ') at++;
    }
}
