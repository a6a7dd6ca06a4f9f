package tidemark.delivery;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import tidemark.decode.PgOutputMessage.Relation;
import tidemark.replication.TableShape;

/**
 * A column of the rows that are read, from the catalog for a copy and from the RELATION message for the stream.
 *
 * @param position in the tuples
 * @param type what is left of the type below all domains
 * @param typeModifier PostgreSQL's atttypmod, -1 for none
 * @param inIdentity an old image of kind {@code K} has its value
 * @param notNull as far as the catalog says
 */
record SourceColumn(
        int position,
        String name,
        PgType type,
        String typeName,
        int typeModifier,
        boolean inIdentity,
        boolean notNull) {
    private static final int HEADER_BYTES = 4;

    static List<SourceColumn> of(TableShape shape) {
        Set<String> identity = shape.identityColumns();
        return IntStream.range(0, shape.columns().size())
                .mapToObj(position -> of(position, shape.columns().get(position), identity))
                .toList();
    }

    private static SourceColumn of(int position, TableShape.Column column, Set<String> identity) {
        return new SourceColumn(
                position,
                column.name(),
                PgType.of(column.baseTypeOid()),
                column.typeName(),
                column.typeModifier(),
                identity.contains(column.name()),
                column.notNull());
    }

    /**
     * The relation is the shape at this point of WAL, {@code shape} that of today: the latter only resolves domains and
     * lends its names for types.
     */
    static List<SourceColumn> of(Relation relation, TableShape shape) {
        return IntStream.range(0, relation.columns().size())
                .mapToObj(position -> {
                    var column = relation.columns().get(position);
                    var twin = shape.columns().stream()
                            .filter(today -> today.typeOid() == column.typeOid())
                            .findFirst();
                    return new SourceColumn(
                            position,
                            column.name(),
                            PgType.of(twin.map(TableShape.Column::baseTypeOid).orElse(column.typeOid())),
                            twin.map(TableShape.Column::typeName).orElseGet(() -> typeName(column.typeOid())),
                            column.typeModifier(),
                            column.partOfIdentity(),
                            false);
                })
                .toList();
    }

    private static String typeName(int oid) {
        PgType type = PgType.of(oid);
        return type == PgType.OTHER
                ? "type " + Integer.toUnsignedString(oid)
                : type.name().toLowerCase(Locale.ROOT);
    }

    /** {@code numeric(p,s)} and not just {@code numeric}; the encoding of the two is PostgreSQL's numeric.c. */
    boolean isConstrained() {
        return typeModifier >= HEADER_BYTES;
    }

    int numericPrecision() {
        return (typeModifier - HEADER_BYTES) >> 16 & 0xFFFF;
    }

    /** Negative from PostgreSQL 15 on: eleven bits with a sign. */
    int numericScale() {
        return ((typeModifier - HEADER_BYTES & 0x7FF) ^ 0x400) - 0x400;
    }

    /** n of {@code char(n)} and {@code varchar(n)}. */
    int characters() {
        return typeModifier - HEADER_BYTES;
    }
}
