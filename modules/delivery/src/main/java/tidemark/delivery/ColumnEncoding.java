package tidemark.delivery;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import tidemark.replication.TypeShape;
import tidemark.sink.FelderaTable.ColumnType;

/**
 * Decides how the values of a PostgreSQL type become those of a Feldera type, once per relation. What each Feldera type
 * takes is in values.md. Whatever has no mapping goes as its text into CHAR or VARCHAR, as a string into VARIANT, and
 * into nothing else. What has parts is {@link NestedEncoding}'s.
 */
sealed interface ColumnEncoding {
    /** @param loss what of the values will not arrive */
    record Mapped(ValueEncoder encoder, Loss loss) implements ColumnEncoding {}

    record Refused(String reason, String remedy) implements ColumnEncoding {}

    /** What a Feldera type does not keep of the values of a PostgreSQL type. */
    sealed interface Loss {
        record None() implements Loss {}

        /** Some values will not go, or not as declared; those that go stay different from each other. */
        record Range(String what) implements Loss {}

        /** Different values may become equal. */
        record Digits(String what) implements Loss {}
    }

    /**
     * Where a value stands in a row.
     *
     * @param key in a column of Feldera's PRIMARY KEY: different keys must stay different
     * @param newer the catalog was asked for the type after the row was committed
     * @param levels of JSON around it, below the column
     */
    record Place(boolean key, boolean newer, int levels) {
        Place within(int more) {
            return new Place(key, newer, levels + more);
        }
    }

    /** DECIMAL's when the schema names none (feldera.md 5.2: 38 digits). */
    long DEFAULT_PRECISION = 38;

    /** @param key a column of Feldera's PRIMARY KEY */
    static ColumnEncoding of(TypeShape type, ColumnType target, boolean key) {
        return of(type, target, new Place(key, false, 0));
    }

    static ColumnEncoding of(TypeShape type, ColumnType target, Place place) {
        SourceType source = SourceType.of(type);
        if (type instanceof TypeShape.Unknown && !isText(target)) return unknown(source, target);
        return switch (target.type()) {
            case "CHAR", "VARCHAR" -> text(source, target);
            case "BOOLEAN" -> only(PgType.BOOLEAN, source, target, new BooleanValue());
            case "TINYINT" -> integer(source, target, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case "SMALLINT" -> integer(source, target, Short.MIN_VALUE, Short.MAX_VALUE);
            case "INTEGER" -> integer(source, target, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "BIGINT" -> integer(source, target, Long.MIN_VALUE, Long.MAX_VALUE);
            case "UTINYINT" -> integer(source, target, 0, 0xFF);
            case "USMALLINT" -> integer(source, target, 0, 0xFFFF);
            case "UINTEGER" -> integer(source, target, 0, 0xFFFF_FFFFL);
            case "UBIGINT" ->
                source.isWholeNumeric()
                        ? wholeNumeric(source, "0", Long.toUnsignedString(-1))
                        : integer(source, target, 0, Long.MAX_VALUE);
            case "REAL" -> real(source, target);
            case "DOUBLE" -> wide(source, target);
            case "DECIMAL" -> decimal(source, target, place.key());
            case "DATE" -> only(PgType.DATE, source, target, new DateValue());
            case "TIME" -> only(PgType.TIME, source, target, new TimeValue());
            case "TIMESTAMP" ->
                source.type() == PgType.TIMESTAMPTZ
                        ? exact(new TimestampValue(true))
                        : only(PgType.TIMESTAMP, source, target, new TimestampValue(false));
            case "TIMESTAMP_TZ" -> only(PgType.TIMESTAMPTZ, source, target, new TimestampValue(true));
            case "UUID" -> only(PgType.UUID, source, target, new TextValue());
            case "BINARY", "VARBINARY" -> source.type() == PgType.BYTEA ? bytes(target) : refused(source, target);
            case "VARIANT" -> NestedEncoding.variant(type, target, place);
            case "ARRAY" -> NestedEncoding.array(type, target, place);
            case "MAP" -> NestedEncoding.map(type, target, place);
            case "STRUCT" -> NestedEncoding.row(type, target, place);
            default -> refused(source, target);
        };
    }

    static boolean isText(ColumnType target) {
        return target.type().equals("VARCHAR") || target.type().equals("CHAR");
    }

    /** What its values were when the catalog had it, perhaps numbers, is what they would have to stay. */
    private static Refused unknown(SourceType source, ColumnType target) {
        return new Refused(
                "the %s is no longer in PostgreSQL's catalog, so what goes into Feldera's %s cannot be known"
                        .formatted(source.name(), target.declared()),
                "declare it VARCHAR to get it as text, or have the table copied again");
    }

    private static ColumnEncoding only(PgType taken, SourceType source, ColumnType target, ValueEncoder encoder) {
        return source.type() == taken ? exact(encoder) : refused(source, target);
    }

    /**
     * Feldera checks no length on the way in (values.md, CHAR(5) and VARCHAR(3)): nothing is cut, but the type says
     * otherwise.
     */
    private static ColumnEncoding text(SourceType source, ColumnType target) {
        long longest = source.isBounded() ? source.characters() : Long.MAX_VALUE;
        Loss loss = target.precision()
                .filter(characters -> characters > 0 && characters < longest)
                .<Loss>map(characters ->
                        new Loss.Range("longer text than its %d characters arrives whole, as Feldera checks no length"
                                .formatted(characters)))
                .orElseGet(Loss.None::new);
        return new Mapped(new TextValue(), loss);
    }

    /** As of text: {@code [1,2,3,4,5]} into BINARY(4) is stored whole (values.md). */
    private static ColumnEncoding bytes(ColumnType target) {
        Loss loss = target.precision()
                .filter(most -> most > 0)
                .<Loss>map(most -> new Loss.Range(
                        "a value of more than its %d bytes arrives whole, as Feldera checks no length".formatted(most)))
                .orElseGet(Loss.None::new);
        return new Mapped(new BytesValue(), loss);
    }

    private static ColumnEncoding integer(SourceType source, ColumnType target, long min, long max) {
        PgType type = source.type();
        if (source.isWholeNumeric()) return wholeNumeric(source, Long.toString(min), Long.toString(max));
        if (!type.isInteger()) return refused(source, target);
        return min <= type.smallest() && type.largest() <= max
                ? exact(IntegerValue.whole())
                : new Mapped(
                        new IntegerValue(min, max),
                        new Loss.Range("a value outside %d..%d stops the connector".formatted(min, max)));
    }

    private static ColumnEncoding wholeNumeric(SourceType source, String least, String most) {
        var encoder = new WholeNumericValue(least, most);
        return encoder.takesAllOf(digitsBeforePoint(source))
                ? exact(encoder)
                : new Mapped(
                        encoder, new Loss.Range("a value outside %s..%s stops the connector".formatted(least, most)));
    }

    /**
     * Recorded: {@code 123456789012345680000} is read as 1.2345678901234567e20, not as the nearest double (values.md).
     */
    String LAST_BITS =
            "Feldera reads a JSON number of more than 15 digits, or beyond 1e22 or 1e-22, to within a few units of its"
                    + " last place, so such a value may differ in its last bits";

    String SHORTEST =
            "the shortest text of a real is sent, which as a DOUBLE is another number: 0.1, and not the real's own"
                    + " 0.10000000149011612";

    private static ColumnEncoding real(SourceType source, ColumnType target) {
        PgType type = source.type();
        if (!type.isNumber()) return refused(source, target);
        var encoder = new FloatValue(true, type == PgType.FLOAT8 || type == PgType.NUMERIC);
        return type == PgType.INT2 || type == PgType.FLOAT4
                ? exact(encoder)
                : new Mapped(encoder, new Loss.Digits("digits beyond the 6 to 9 that REAL keeps are rounded"));
    }

    private static ColumnEncoding wide(SourceType source, ColumnType target) {
        PgType type = source.type();
        if (!type.isNumber()) return refused(source, target);
        var encoder = new FloatValue(false, type == PgType.NUMERIC);
        if (type == PgType.FLOAT8) return new Mapped(encoder, new Loss.Digits(LAST_BITS));
        if (type == PgType.FLOAT4) return new Mapped(encoder, new Loss.Range(SHORTEST));
        return type == PgType.INT8 || type == PgType.NUMERIC
                ? new Mapped(encoder, new Loss.Digits("digits beyond the 15 to 17 that DOUBLE keeps are rounded"))
                : exact(encoder);
    }

    private static ColumnEncoding decimal(SourceType source, ColumnType target, boolean key) {
        PgType type = source.type();
        if (!type.isNumber() && type != PgType.MONEY) return refused(source, target);
        int scale = Math.toIntExact(target.scale().orElse(0L));
        int room = Math.toIntExact(target.precision().orElse(DEFAULT_PRECISION)) - scale;
        boolean fits = digitsBeforePoint(source) <= room;
        boolean fine = digitsAfterPoint(source) <= scale;
        var plain = new DecimalValue(room + scale, scale, key);
        ValueEncoder encoder =
                type == PgType.MONEY ? new MoneyValue(plain) : type.isFloat() ? new FloatDecimalValue(plain) : plain;
        String tooMany = "a value of more than %d digits before the point is unrepresentable".formatted(room);
        String cut = "digits beyond the first %d after the point %s"
                .formatted(scale, key ? "stop the connector unless they are zeros" : "are cut");
        String said = Stream.of(fine ? "" : cut, fits ? "" : tooMany, type == PgType.MONEY ? MoneyValue.HUNDREDTHS : "")
                .filter(what -> !what.isEmpty())
                .collect(Collectors.joining(" and "));
        if (said.isEmpty()) return exact(encoder);
        return new Mapped(encoder, fine ? new Loss.Range(said) : decimalLoss(said, key));
    }

    private static int digitsBeforePoint(SourceType source) {
        if (source.type().isInteger()) {
            return Long.toString(source.type().largest()).length();
        }
        if (source.type() == PgType.MONEY) return MoneyValue.DIGITS - MoneyValue.SCALE;
        boolean constrained = source.type() == PgType.NUMERIC && source.isConstrained();
        return constrained ? source.numericPrecision() - source.numericScale() : Integer.MAX_VALUE;
    }

    private static int digitsAfterPoint(SourceType source) {
        if (source.type().isInteger()) return 0;
        if (source.type() == PgType.MONEY) return MoneyValue.SCALE;
        boolean constrained = source.type() == PgType.NUMERIC && source.isConstrained();
        return constrained ? source.numericScale() : Integer.MAX_VALUE;
    }

    private static Loss decimalLoss(String what, boolean key) {
        return key ? new Loss.Range(what) : new Loss.Digits(what);
    }

    static Mapped exact(ValueEncoder encoder) {
        return new Mapped(encoder, new Loss.None());
    }

    static Refused refused(SourceType source, ColumnType target) {
        String because = because(source.type(), target.type());
        return refused(
                "PostgreSQL's %s does not go into Feldera's %s%s"
                        .formatted(source.name(), target.declared(), because.isEmpty() ? "" : ": " + because),
                source);
    }

    static Refused refused(String reason, SourceType source) {
        return new Refused(
                reason,
                "declare it VARCHAR to get it as text, or give it a type that takes %s".formatted(source.name()));
    }

    /** Why not, where one might think it should; empty where the types say enough. */
    private static String because(PgType type, String target) {
        boolean whole = target.endsWith("INT") || target.equals("INTEGER");
        return switch (type) {
            case TIMETZ -> target.equals("TIME") ? "its offset would be lost" : "";
            case TIMESTAMP, TIMESTAMPTZ ->
                switch (target) {
                    case "DATE", "TIME" -> "half of it would be lost";
                    case "TIMESTAMP_TZ" -> "it does not say in which zone it is";
                    default -> "";
                };
            case DATE -> target.startsWith("TIMESTAMP") ? "it has no time of day" : "";
            case NUMERIC, FLOAT4, FLOAT8, MONEY -> whole ? "digits after the point would be lost" : "";
            case JSON, JSONB ->
                switch (target) {
                    case "ARRAY", "MAP", "STRUCT" -> "every document has a shape of its own";
                    default -> "";
                };
            case BOOLEAN, BYTEA, INT8, INT2, INT4, OID, XID, CID, BPCHAR, VARCHAR, TIME, UUID, HSTORE, OTHER -> "";
        };
    }
}
