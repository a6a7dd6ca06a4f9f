package tidemark.delivery;

import java.util.List;
import tidemark.decode.PgOutputMessage.Column;
import tidemark.decode.PgOutputMessage.Relation;
import tidemark.decode.RelationName;
import tidemark.delivery.ReplicationState.Stand;
import tidemark.replication.TableShape;
import tidemark.sink.FelderaTable;

/**
 * One table's way from PostgreSQL to Feldera, checked at start-up. Matches the columns of its copy and of its stream,
 * which differ in their positions and in nothing else, so a copy can never change a row that nobody updated.
 *
 * @param shape as the catalog showed it; the stream may have another one, at another point of WAL
 */
record TablePlan(TableShape shape, FelderaTable feldera) {
    RelationName postgres() {
        return shape.name();
    }

    /** How messages name it: both ends, as the same table often has two names. */
    String label() {
        return label(shape.name(), feldera);
    }

    static String label(RelationName postgres, FelderaTable feldera) {
        return "%s -> %s".formatted(postgres, feldera.name());
    }

    /** Whether a copy that was planned by this shape may be taken of that one. */
    boolean isStillOf(TableShape now) {
        return now.name().equals(postgres())
                && now.oid() == shape.oid()
                && now.columns().equals(shape.columns())
                && now.rowFilter().equals(shape.rowFilter())
                && now.uniqueKeys().equals(shape.uniqueKeys());
    }

    /** With the shape that the catalog showed. */
    ColumnMatch matchToday() {
        return ColumnMatch.of(label(), SourceColumn.of(shape), feldera);
    }

    /** With the shape at this point of WAL. */
    ColumnMatch match(Relation relation, SourceColumn.Types types) {
        return ColumnMatch.of(label(), SourceColumn.of(relation, types), feldera);
    }

    /**
     * A copy only inserts: whether its rows are there already does not matter.
     *
     * @throws RowRefused when the table does not have what Feldera's columns need
     */
    RowEncoder copyEncoder(RowPolicy policy) {
        return encoder(matchToday(), shape.columns().size(), policy, Stand.PENDING);
    }

    /**
     * @param width columns of every row to come
     * @param stand of the table when its rows began to come
     * @throws RowRefused when the table does not have what Feldera's columns need
     */
    RowEncoder encoder(ColumnMatch match, int width, RowPolicy policy, Stand stand) {
        if (!match.problems().isEmpty()) throw new RowRefused(match.problems().getFirst());
        return new RowEncoder(this, match, width, policy, stand);
    }

    /**
     * Whether two rows may have the same Feldera key for a while, inside a transaction: so unless columns of that key
     * are unique row by row. A key that PostgreSQL checks at the end of a statement or transaction (DEFERRABLE) is not,
     * nor is one that it does not check at all.
     */
    boolean keysMayMeet() {
        return !feldera.primaryKey().isEmpty()
                && shape.uniqueKeys().stream().noneMatch(key -> isWithinKey(key.columns()));
    }

    /** An index that is the replica identity is checked row by row. */
    boolean showsUniqueKey(Relation relation) {
        List<String> identity = switch (relation.identity()) {
            case DEFAULT, INDEX ->
                relation.columns().stream()
                        .filter(Column::partOfIdentity)
                        .map(Column::name)
                        .toList();
            case FULL, NOTHING -> List.of();
        };
        return !identity.isEmpty() && isWithinKey(identity);
    }

    TablePlan withUniqueKeys(List<TableShape.UniqueKey> keys) {
        return new TablePlan(shape.withUniqueKeys(keys), feldera);
    }

    /** A key alone does not say which row is meant: Feldera has none, or two rows may have it for a while. */
    boolean needsWholeOldRows() {
        return feldera.primaryKey().isEmpty() || keysMayMeet();
    }

    /** Whether these columns of PostgreSQL fill all of Feldera's key. */
    boolean isKeyWithin(List<String> columns) {
        return feldera.columns().stream()
                .filter(target -> feldera.primaryKey().contains(target.name().text()))
                .allMatch(target -> columns.stream().anyMatch(column -> ColumnMatch.matches(target.name(), column)));
    }

    private boolean isWithinKey(List<String> columns) {
        return columns.stream()
                .allMatch(column -> feldera.columns().stream()
                        .filter(target ->
                                feldera.primaryKey().contains(target.name().text()))
                        .anyMatch(target -> ColumnMatch.matches(target.name(), column)));
    }
}
