package tidemark.delivery;

import tidemark.decode.PgOutputMessage.Relation;
import tidemark.decode.RelationName;
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

    /** With the shape that the catalog showed. */
    ColumnMatch matchToday() {
        return ColumnMatch.of(label(), SourceColumn.of(shape), feldera);
    }

    /** With the shape at this point of WAL. */
    ColumnMatch match(Relation relation, SourceColumn.Types types) {
        return ColumnMatch.of(label(), SourceColumn.of(relation, types), feldera);
    }

    RowEncoder copyEncoder(RowPolicy policy) {
        return encoder(matchToday(), shape.columns().size(), policy);
    }

    /** @throws RowRefused when the relation no longer has what Feldera's columns need */
    RowEncoder streamEncoder(Relation relation, SourceColumn.Types types, RowPolicy policy) {
        return encoder(match(relation, types), relation.columns().size(), policy);
    }

    private RowEncoder encoder(ColumnMatch match, int width, RowPolicy policy) {
        if (!match.problems().isEmpty()) throw new RowRefused(match.problems().getFirst());
        return new RowEncoder(this, match, width, policy);
    }
}
