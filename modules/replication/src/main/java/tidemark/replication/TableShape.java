package tidemark.replication;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.RelationName;

/**
 * A published table as the catalog shows it, read by oid.
 *
 * @param oid unsigned 32 bit
 * @param columns the published ones, in attribute order, without dropped columns
 * @param rowFilter the publication's WHERE for this table, as SQL without the keyword; PostgreSQL 15 and later
 * @param estimatedRows {@code pg_class.reltuples}, 0 when unknown: for progress only
 * @param missingGrants the SQL that would let our role read all that the publication publishes of it; empty when it may
 * @param uniqueKeys that are checked row by row
 * @param partitions its leaves, if it is partitioned
 */
public record TableShape(
        int oid,
        RelationName name,
        ReplicaIdentity identity,
        List<Column> columns,
        Optional<String> rowFilter,
        long estimatedRows,
        List<String> missingGrants,
        List<UniqueKey> uniqueKeys,
        Optional<List<Partition>> partitions) {

    /**
     * @param type as the catalog shows it today
     * @param typeName as PostgreSQL prints the column's type, modifier included; not of {@code pg_catalog}: with its
     *     schema
     * @param typeModifier the column's own, as RELATION messages have it: -1 for none, also where a domain has one
     * @param partOfPrimaryKey of the table's PRIMARY KEY
     * @param notNull as the table or a domain declares it
     */
    public record Column(
            String name,
            int typeOid,
            TypeShape type,
            String typeName,
            int typeModifier,
            boolean partOfPrimaryKey,
            boolean notNull) {}

    /**
     * No two rows have the same values in these columns, at no moment that the stream tells of; rows with a null in one
     * of them apart. So it has been for as long as there is a key of this mark: nothing makes a deferrable one
     * immediate (ALTER CONSTRAINT is for foreign keys).
     *
     * @param mark another one after it was dropped and made anew
     */
    public record UniqueKey(List<String> columns, boolean primary, boolean replicaIdentity, String mark) {}

    /**
     * A leaf of a partitioned table, whose rows go out as the root's.
     *
     * @param logged columns of its old rows, by an index; none under FULL, which logs all, and none where PostgreSQL
     *     refuses to change rows
     * @param inWal its changes are; those of an UNLOGGED or foreign one never go out, and a publication of the root
     *     does not mind (15.18)
     */
    public record Partition(RelationName name, ReplicaIdentity identity, List<String> logged, boolean inWal) {}

    /** Names of the columns that an old image of kind {@code K} has: of a deferrable PRIMARY KEY none. */
    public Set<String> identityColumns() {
        return switch (identity) {
            case FULL -> columns.stream().map(Column::name).collect(Collectors.toUnmodifiableSet());
            case DEFAULT -> columnsOfKeys(UniqueKey::primary);
            case INDEX -> columnsOfKeys(UniqueKey::replicaIdentity);
            case NOTHING -> Set.of();
        };
    }

    private Set<String> columnsOfKeys(Predicate<UniqueKey> wanted) {
        return uniqueKeys.stream()
                .filter(wanted)
                .flatMap(key -> key.columns().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    public TableShape withUniqueKeys(List<UniqueKey> keys) {
        return new TableShape(oid, name, identity, columns, rowFilter, estimatedRows, missingGrants, keys, partitions);
    }

    TableShape withPartitions(List<Partition> leaves) {
        return new TableShape(
                oid, name, identity, columns, rowFilter, estimatedRows, missingGrants, uniqueKeys, Optional.of(leaves));
    }
}
