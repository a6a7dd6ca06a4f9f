package tidemark.delivery;

import java.util.List;
import tidemark.decode.PgOutputMessage.Relation;
import tidemark.decode.RelationName;
import tidemark.replication.TableShape;
import tidemark.sink.FelderaTable;

/**
 * One table's way from PostgreSQL to Feldera, checked at start-up. Makes the encoders of its copy and of its stream,
 * which differ in the columns' positions and in nothing else, so a copy can never change a row that nobody updated.
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

    RowEncoder copyEncoder(RowPolicy policy) {
        return encoder(SourceColumn.of(shape), policy);
    }

    /** @throws RowRefused when the relation no longer has what Feldera's columns need */
    RowEncoder streamEncoder(Relation relation, SourceColumn.Types types, RowPolicy policy) {
        return encoder(SourceColumn.of(relation, types), policy);
    }

    private RowEncoder encoder(List<SourceColumn> sources, RowPolicy policy) {
        var match = ColumnMatch.of(label(), sources, feldera);
        if (!match.problems().isEmpty()) throw new RowRefused(match.problems().getFirst());
        return new RowEncoder(this, match, sources.size(), policy);
    }
}
