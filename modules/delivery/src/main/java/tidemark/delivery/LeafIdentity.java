package tidemark.delivery;

import java.util.List;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.PgOutputMessage.Relation;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.RelationName;
import tidemark.replication.TableShape;

/**
 * Decides whether what PostgreSQL logs of an old row of a leaf partition says which Feldera row it is about. A message
 * about it claims the replica identity of the root, and has the columns of the partition's own: the others are null.
 *
 * @param logged columns of an old row
 */
record LeafIdentity(RelationName leaf, ReplicaIdentity identity, List<String> logged) {
    /** As the catalog shows it today. */
    static LeafIdentity of(TableShape.Partition partition) {
        return new LeafIdentity(partition.name(), partition.identity(), partition.logged());
    }

    /** As it is at this point of WAL: pgoutput announces the partition right after its root. */
    static LeafIdentity of(Relation relation) {
        return new LeafIdentity(
                relation.name(),
                relation.identity(),
                relation.columns().stream()
                        .filter(PgOutputMessage.Column::partOfIdentity)
                        .map(PgOutputMessage.Column::name)
                        .toList());
    }

    boolean isOfAnIndex() {
        return identity != ReplicaIdentity.FULL && !logged.isEmpty();
    }

    /**
     * Without any column PostgreSQL refuses to update or delete a row, and inserts need none.
     *
     * @param whole whether a key alone does not say which row is meant
     */
    boolean suffices(TablePlan plan, boolean whole) {
        return !isOfAnIndex() || (!whole && plan.isKeyWithin(logged));
    }

    /** What it lacks, as a part of a sentence. */
    Finding lacking(TablePlan plan, String then, String toGoOn) {
        return new Finding(
                plan.label(),
                "its partition %s has a replica identity of its own and logs only %s of an old row, %s"
                        .formatted(leaf, String.join(", ", logged), then),
                "ALTER TABLE %s REPLICA IDENTITY FULL%s".formatted(SqlName.of(leaf), toGoOn));
    }

    /** From here on updates and deletes are refused: the next one may be of this partition. */
    RowRefused refusal(TablePlan plan) {
        return new RowRefused(lacking(
                plan,
                "so an update or delete does not say which row it is about",
                ", so that it does not happen again; " + Remedy.READ_AGAIN));
    }
}
