package tidemark.standin;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** Constants in SQL, turned into the text that a row stores: column defaults and what a WHERE compares with. */
final class SqlLiteral {
    private static final Set<String> TYPED = Set.of("DATE", "TIME", "TIMESTAMP", "UUID");

    private SqlLiteral() {}

    /** A DEFAULT's value; the stand-in evaluates constants only. */
    static String stored(String sql, SqlType.Nullable type, SqlText.Token at) {
        try {
            var text = new SqlText(sql);
            String json = json(text);
            if (text.atEnd()) {
                return stored(json, type);
            }
        } catch (SqlRefused | ValueRefused | MalformedJson _) {
            // One message for all: what a default may be.
        }
        throw new SqlRefused(
                "DEFAULT " + sql + " is not a constant of the column's type (the stand-in takes no other)", at);
    }

    static String stored(String json, SqlType.Nullable type) {
        var out = new ByteWriter(32);
        ValueCodec.of(type).transcode(JsonCursor.over(json), out);
        return out.toString();
    }

    /** Consumes one constant and says it in JSON. */
    static String json(SqlText text) {
        SqlText.Token token = text.peek();
        if (text.takeSymbol("-")) {
            return "-" + json(text);
        }
        return switch (token.kind()) {
            case NUMBER -> text.take().text();
            case STRING -> {
                byte[] utf8 = text.take().text().getBytes(StandardCharsets.UTF_8);
                var json = new ByteWriter(utf8.length + 2);
                json.putJsonString(utf8, 0, utf8.length);
                yield json.toString();
            }
            case WORD -> word(text, text.take().text().toUpperCase(Locale.ROOT));
            case QUOTED, SYMBOL, END -> throw text.expected("a constant");
        };
    }

    private static String word(SqlText text, String word) {
        if (TYPED.contains(word)) {
            text.takeWords("WITH", "TIME", "ZONE");
            return '"' + text.expectString() + '"';
        }
        if (word.equals("TRUE") || word.equals("FALSE") || word.equals("NULL")) {
            return word.toLowerCase(Locale.ROOT);
        }
        throw text.expected("a constant");
    }
}
