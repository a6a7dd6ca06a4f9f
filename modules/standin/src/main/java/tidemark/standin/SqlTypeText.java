package tidemark.standin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** Reads a column type as Feldera's SQL writes it (feldera.md 5.2). */
final class SqlTypeText {
    /** Feldera's greatest precision, and its default where a DECIMAL states none. */
    private static final int DECIMAL_PRECISION = 38;

    private SqlTypeText() {}

    static SqlType read(SqlText text) {
        SqlType type = base(text);
        while (text.takeWords("ARRAY")) {
            type = new SqlType.Array(new SqlType.Nullable(type, true));
        }
        return type;
    }

    private static SqlType base(SqlText text) {
        SqlText.Token word = text.peek();
        if (word.kind() != SqlText.Kind.WORD) {
            throw text.expected("a type");
        }
        text.take();
        return switch (word.text().toUpperCase(Locale.ROOT)) {
            case "BOOLEAN", "BOOL" -> new SqlType.Bool();
            case "TINYINT", "INT1" -> SqlType.Width.TINYINT;
            case "SMALLINT", "INT2" -> SqlType.Width.SMALLINT;
            case "INTEGER", "INT", "INT4", "SIGNED" -> SqlType.Width.INTEGER;
            case "BIGINT", "INT8", "INT64" -> SqlType.Width.BIGINT;
            case "DECIMAL", "NUMERIC", "DEC", "NUMBER" -> decimal(text);
            case "REAL", "FLOAT4", "FLOAT32" -> new SqlType.Real();
            case "DOUBLE" -> {
                text.takeWords("PRECISION");
                yield new SqlType.DoublePrecision();
            }
            case "FLOAT8", "FLOAT64" -> new SqlType.DoublePrecision();
            case "CHAR", "CHARACTER" ->
                text.takeWords("VARYING")
                        ? new SqlType.Characters(false, length(text))
                        : new SqlType.Characters(true, length(text));
            case "VARCHAR", "TEXT", "STRING" -> new SqlType.Characters(false, length(text));
            case "BINARY" ->
                text.takeWords("VARYING")
                        ? new SqlType.Binary(false, length(text))
                        : new SqlType.Binary(true, length(text));
            case "VARBINARY", "BYTEA" -> new SqlType.Binary(false, length(text));
            case "DATE" -> new SqlType.Date();
            case "TIME" -> {
                length(text);
                yield new SqlType.Time();
            }
            case "TIMESTAMP", "DATETIME" -> timestamp(text);
            case "UUID" -> new SqlType.Uuid();
            case "VARIANT" -> new SqlType.Variant();
            case "MAP" -> mapping(text);
            case "ROW" -> row(text);
            default -> throw new SqlRefused("Unknown type '" + word.text() + "'", word);
        };
    }

    private static OptionalInt length(SqlText text) {
        if (!text.takeSymbol("(")) {
            return OptionalInt.empty();
        }
        int length = text.expectInteger();
        text.expectSymbol(")");
        return OptionalInt.of(length);
    }

    private static SqlType decimal(SqlText text) {
        SqlText.Token at = text.peek();
        int precision = DECIMAL_PRECISION;
        int scale = 0;
        if (text.takeSymbol("(")) {
            precision = text.expectInteger();
            if (text.takeSymbol(",")) {
                scale = text.expectInteger();
            }
            text.expectSymbol(")");
        }
        if (precision < 1 || precision > DECIMAL_PRECISION || scale < 0 || scale > precision) {
            throw new SqlRefused("DECIMAL precision " + precision + " or scale " + scale + " is out of range", at);
        }
        return new SqlType.Decimal(precision, scale);
    }

    private static SqlType timestamp(SqlText text) {
        length(text);
        if (text.takeWords("WITH", "TIME", "ZONE")) {
            return new SqlType.TimestampTz();
        }
        text.takeWords("WITHOUT", "TIME", "ZONE");
        return new SqlType.Timestamp();
    }

    private static SqlType mapping(SqlText text) {
        text.expectSymbol("<");
        SqlType key = read(text);
        text.expectSymbol(",");
        SqlType value = read(text);
        text.expectSymbol(">");
        return new SqlType.Mapping(new SqlType.Nullable(key, false), new SqlType.Nullable(value, true));
    }

    private static SqlType row(SqlText text) {
        List<SqlType.Field> fields = new ArrayList<>();
        text.expectSymbol("(");
        do {
            SqlName name = text.expectName();
            SqlType type = read(text);
            boolean nullable = !text.takeWords("NOT", "NULL");
            if (nullable) {
                text.takeWords("NULL");
            }
            fields.add(new SqlType.Field(name, new SqlType.Nullable(type, nullable)));
        } while (text.takeSymbol(","));
        text.expectSymbol(")");
        return new SqlType.Row(List.copyOf(fields));
    }
}
