package tidemark.delivery;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.PgOutputMessage.Relation;
import tidemark.replication.TableShape;
import tidemark.replication.TypeShape;

/**
 * A column of the rows that are read, from the catalog for a copy and from the RELATION message for the stream.
 *
 * @param position in the tuples
 * @param typeName for messages
 * @param inIdentity an old image of kind {@code K} has its value
 * @param notNull as far as the catalog says
 * @param typeIsNewer the catalog was asked for it after the rows to come were committed
 */
record SourceColumn(
        int position,
        String name,
        TypeShape type,
        String typeName,
        boolean inIdentity,
        boolean notNull,
        boolean typeIsNewer) {
    /** Tells the types that a RELATION names by oid: {@link tidemark.replication.SourceSession#type}. */
    @FunctionalInterface
    interface Types {
        TypeShape type(int oid, int modifier);

        /** Whether they are asked for after the rows to come were committed. */
        default boolean areNewer() {
            return false;
        }
    }

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
                column.type(),
                column.typeName(),
                identity.contains(column.name()),
                column.notNull(),
                false);
    }

    /** The relation is the shape at this point of WAL; the catalog, as of today, only says what its oids mean. */
    static List<SourceColumn> of(Relation relation, Types types) {
        return IntStream.range(0, relation.columns().size())
                .mapToObj(position -> of(position, relation.columns().get(position), types))
                .toList();
    }

    private static SourceColumn of(int position, PgOutputMessage.Column column, Types types) {
        TypeShape type = types.type(column.typeOid(), column.typeModifier());
        return new SourceColumn(
                position,
                column.name(),
                type,
                SourceType.printed(type),
                column.partOfIdentity(),
                false,
                types.areNewer());
    }
}
