package tidemark.delivery;

import tidemark.replication.TypeShape;

/**
 * A PostgreSQL type that goes as one value, from the shape that the catalog gave.
 *
 * @param name for messages
 * @param modifier PostgreSQL's atttypmod, -1 for none
 */
record SourceType(PgType type, String name, int modifier) {
    private static final int HEADER_BYTES = 4;

    /** Of an array or a composite it is what can be said of its text. */
    static SourceType of(TypeShape shape) {
        return shape.belowDomains() instanceof TypeShape.Scalar scalar
                ? new SourceType(PgType.of(scalar), printed(shape), scalar.modifier())
                : new SourceType(PgType.OTHER, printed(shape), -1);
    }

    /** As PostgreSQL prints the type, with the modifiers that matter here. */
    static String printed(TypeShape shape) {
        return switch (shape) {
            case TypeShape.Scalar scalar -> {
                var type = new SourceType(PgType.of(scalar), scalar.name(), scalar.modifier());
                yield scalar.name() + type.printedModifier();
            }
            case TypeShape.Array(String _, TypeShape element, char _) -> printed(element) + "[]";
            case TypeShape.Composite _,
                    TypeShape.Domain _,
                    TypeShape.Enumeration _,
                    TypeShape.Range _,
                    TypeShape.Unknown _ -> shape.name();
        };
    }

    private String printedModifier() {
        if (!isConstrained()) return "";
        if (type == PgType.NUMERIC) return "(%d,%d)".formatted(numericPrecision(), numericScale());
        return isBounded() ? "(%d)".formatted(characters()) : "";
    }

    /** {@code numeric(p,s)} and not just {@code numeric}; the encoding of the two is PostgreSQL's numeric.c. */
    boolean isConstrained() {
        return modifier >= HEADER_BYTES;
    }

    int numericPrecision() {
        return (modifier - HEADER_BYTES) >> 16 & 0xFFFF;
    }

    /** {@code numeric(p,0)}, or of a negative scale. */
    boolean isWholeNumeric() {
        return type == PgType.NUMERIC && isConstrained() && numericScale() <= 0;
    }

    /** Negative from PostgreSQL 15 on: eleven bits with a sign. */
    int numericScale() {
        return ((modifier - HEADER_BYTES & 0x7FF) ^ 0x400) - 0x400;
    }

    /** {@code char(n)} or {@code varchar(n)}. */
    boolean isBounded() {
        return isConstrained() && (type == PgType.VARCHAR || type == PgType.BPCHAR);
    }

    /** n of {@code char(n)} and {@code varchar(n)}. */
    int characters() {
        return modifier - HEADER_BYTES;
    }
}
