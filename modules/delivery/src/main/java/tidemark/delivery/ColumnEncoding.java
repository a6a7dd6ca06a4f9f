package tidemark.delivery;

import tidemark.sink.FelderaTable.ColumnType;

/**
 * Decides how the values of a PostgreSQL type become those of a Feldera type, once per relation. What each Feldera type
 * takes is in values.md. Whatever has no mapping goes as its text into CHAR or VARCHAR and into nothing else.
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

    /** DECIMAL's when the schema names none (feldera.md 5.2: 38 digits). */
    long DEFAULT_PRECISION = 38;

    /** @param key a column of Feldera's PRIMARY KEY: different keys must stay different */
    static ColumnEncoding of(SourceColumn source, ColumnType target, boolean key) {
        PgType type = source.type();
        return switch (target.type()) {
            case "CHAR", "VARCHAR" -> text(source, target);
            case "BOOLEAN" -> type == PgType.BOOLEAN ? exact(new BooleanValue()) : refused(source, target);
            case "TINYINT" -> integer(source, target, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case "SMALLINT" -> integer(source, target, Short.MIN_VALUE, Short.MAX_VALUE);
            case "INTEGER" -> integer(source, target, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "BIGINT" -> integer(source, target, Long.MIN_VALUE, Long.MAX_VALUE);
            case "UTINYINT" -> integer(source, target, 0, 0xFF);
            case "USMALLINT" -> integer(source, target, 0, 0xFFFF);
            case "UINTEGER" -> integer(source, target, 0, 0xFFFF_FFFFL);
            case "UBIGINT" -> integer(source, target, 0, Long.MAX_VALUE);
            case "REAL" -> real(source, target);
            case "DOUBLE" -> wide(source, target);
            case "DECIMAL" -> decimal(source, target, key);
            case "DATE" -> type == PgType.DATE ? exact(new DateValue()) : refused(source, target);
            case "TIME" -> type == PgType.TIME ? exact(new TimeValue()) : refused(source, target);
            case "TIMESTAMP" ->
                type == PgType.TIMESTAMP || type == PgType.TIMESTAMPTZ
                        ? exact(new TimestampValue(type == PgType.TIMESTAMPTZ))
                        : refused(source, target);
            case "TIMESTAMP_TZ" ->
                type == PgType.TIMESTAMPTZ ? exact(new TimestampValue(true)) : refused(source, target);
            case "UUID" -> type == PgType.UUID ? exact(new TextValue()) : refused(source, target);
            case "BINARY", "VARBINARY" -> type == PgType.BYTEA ? exact(new BytesValue()) : refused(source, target);
            case "VARIANT" ->
                type == PgType.JSON || type == PgType.JSONB
                        ? exact(new JsonValue(target.nullable()))
                        : refused(source, target);
            default -> refused(source, target);
        };
    }

    /**
     * Feldera checks no length on the way in (values.md, CHAR(5) and VARCHAR(3)): nothing is cut, but the type says
     * otherwise.
     */
    private static ColumnEncoding text(SourceColumn source, ColumnType target) {
        boolean bounded = source.type() == PgType.VARCHAR || source.type() == PgType.BPCHAR;
        long longest = bounded && source.isConstrained() ? source.characters() : Long.MAX_VALUE;
        Loss loss = target.precision()
                .filter(characters -> characters > 0 && characters < longest)
                .<Loss>map(characters ->
                        new Loss.Range("longer text than its %d characters arrives whole, as Feldera checks no length"
                                .formatted(characters)))
                .orElseGet(Loss.None::new);
        return new Mapped(new TextValue(), loss);
    }

    private static ColumnEncoding integer(SourceColumn source, ColumnType target, long min, long max) {
        PgType type = source.type();
        if (!type.isInteger()) return refused(source, target);
        return min <= type.smallest() && type.largest() <= max
                ? exact(IntegerValue.whole())
                : new Mapped(
                        new IntegerValue(min, max),
                        new Loss.Range("a value outside %d..%d stops the connector".formatted(min, max)));
    }

    /**
     * Recorded: {@code 123456789012345680000} is read as 1.2345678901234567e20, not as the nearest double (values.md).
     */
    String LAST_BIT =
            "Feldera reads a JSON number of more than 15 digits, or beyond 1e22 or 1e-22, to within one unit of its last"
                    + " place, so such a value may differ in its last bit";

    private static ColumnEncoding real(SourceColumn source, ColumnType target) {
        PgType type = source.type();
        if (!type.isNumber()) return refused(source, target);
        var encoder = new FloatValue(true, type == PgType.FLOAT8 || type == PgType.NUMERIC);
        return type == PgType.INT2 || type == PgType.FLOAT4
                ? exact(encoder)
                : new Mapped(encoder, new Loss.Digits("digits beyond the 6 to 9 that REAL keeps are rounded"));
    }

    private static ColumnEncoding wide(SourceColumn source, ColumnType target) {
        PgType type = source.type();
        if (!type.isNumber()) return refused(source, target);
        var encoder = new FloatValue(false, type == PgType.NUMERIC);
        if (type == PgType.FLOAT8) return new Mapped(encoder, new Loss.Digits(LAST_BIT));
        return type == PgType.INT8 || type == PgType.NUMERIC
                ? new Mapped(encoder, new Loss.Digits("digits beyond the 15 to 17 that DOUBLE keeps are rounded"))
                : exact(encoder);
    }

    private static ColumnEncoding decimal(SourceColumn source, ColumnType target, boolean key) {
        PgType type = source.type();
        if (!type.isNumber()) return refused(source, target);
        int scale = Math.toIntExact(target.scale().orElse(0L));
        int room = Math.toIntExact(target.precision().orElse(DEFAULT_PRECISION)) - scale;
        boolean constrained = type == PgType.NUMERIC && source.isConstrained();
        boolean fits = type.isInteger()
                ? Long.toString(type.largest()).length() <= room
                : constrained && source.numericPrecision() - source.numericScale() <= room;
        boolean fine = type.isInteger() || (constrained && source.numericScale() <= scale);
        var plain = new DecimalValue(room + scale, scale, key);
        ValueEncoder encoder = type.isFloat() ? new FloatDecimalValue(plain) : plain;
        String tooMany = "a value of more than %d digits before the point is unrepresentable".formatted(room);
        String cut = "digits beyond the first %d after the point %s"
                .formatted(scale, key ? "stop the connector unless they are zeros" : "are cut");
        Loss ofRange = fits ? new Loss.None() : new Loss.Range(tooMany);
        return new Mapped(encoder, fine ? ofRange : decimalLoss(fits ? cut : cut + " and " + tooMany, key));
    }

    private static Loss decimalLoss(String what, boolean key) {
        return key ? new Loss.Range(what) : new Loss.Digits(what);
    }

    private static Mapped exact(ValueEncoder encoder) {
        return new Mapped(encoder, new Loss.None());
    }

    private static Refused refused(SourceColumn source, ColumnType target) {
        return new Refused(
                "PostgreSQL's %s does not go into Feldera's %s".formatted(source.typeName(), target.type()),
                "declare it VARCHAR to get it as text, or give it a type that takes %s".formatted(source.typeName()));
    }
}
