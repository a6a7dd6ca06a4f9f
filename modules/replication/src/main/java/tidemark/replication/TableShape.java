package tidemark.replication;

import java.util.List;
import java.util.Optional;
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
 */
public record TableShape(
        int oid,
        RelationName name,
        ReplicaIdentity identity,
        List<Column> columns,
        Optional<String> rowFilter,
        long estimatedRows,
        List<String> missingGrants) {

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
}
