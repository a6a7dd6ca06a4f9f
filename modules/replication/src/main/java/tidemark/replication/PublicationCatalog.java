package tidemark.replication;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.RelationName;
import tidemark.replication.SourceFailure.Kind;
import tidemark.replication.SourceSession.Publication;

/**
 * Reads a publication and the shape of its tables from the catalog, by oid and without patterns.
 *
 * <p>From 15 on {@code pg_publication_tables} says which columns and rows of a table go out; on 14 all do. Generated
 * columns only go out from 18 on, if the publication says so: before, {@code attnames} lists them and pgoutput leaves
 * them out (15.17).
 */
final class PublicationCatalog {
    private static final String PUBLICATION = """
            SELECT p.pubinsert, p.pubupdate, p.pubdelete, p.pubtruncate, p.pubviaroot
            FROM pg_catalog.pg_publication p
            WHERE p.pubname = CAST(? AS text)""";

    private static final String PUBLICATIONS = """
            SELECT coalesce(string_agg(quote_ident(p.pubname), ', ' ORDER BY p.pubname), 'none')
            FROM pg_catalog.pg_publication p""";

    /**
     * One row per published column, or one without a column. The estimate of a partitioned table is that of its leaves:
     * autovacuum never analyzes the root. Not by pg_partition_tree, which would wait for whoever holds a leaf.
     */
    private static final String TABLES = """
            SELECT c.oid::bigint AS table_oid, n.nspname, c.relname, c.relreplident,
                   about.estimated_rows, %1$s AS row_filter,
                   quote_ident(current_user) AS quoted_role, quote_ident(n.nspname) AS quoted_schema,
                   quote_ident(c.relname) AS quoted_table, has_schema_privilege(n.oid, 'USAGE') AS schema_usable,
                   row_security_active(c.oid) AS rows_hidden,
                   (SELECT count(*) FROM pg_catalog.pg_attribute own
                    WHERE own.attrelid = c.oid AND own.attnum > 0 AND NOT own.attisdropped) AS own_columns,
                   quote_ident(col.attname) AS quoted_column, has_column_privilege(c.oid, col.attnum, 'SELECT') AS readable,
                   col.attname, col.type_oid, col.type_name, col.type_modifier, col.not_null, col.in_primary_key
            FROM pg_catalog.pg_publication_tables p
            JOIN pg_catalog.pg_namespace n ON n.nspname = p.schemaname
            JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = p.tablename
            CROSS JOIN LATERAL (
                SELECT coalesce(sum(greatest(leaf.reltuples, 0)), 0)::bigint AS estimated_rows
                FROM (WITH RECURSIVE part (oid) AS (
                          SELECT c.oid
                          UNION ALL
                          SELECT i.inhrelid FROM part JOIN pg_catalog.pg_inherits i ON i.inhparent = part.oid AND c.relkind = 'p')
                      SELECT part.oid FROM part) part
                JOIN pg_catalog.pg_class leaf ON leaf.oid = part.oid AND leaf.relkind <> 'p') about
            LEFT JOIN LATERAL (
                SELECT a.attnum, a.attname, a.atttypid::bigint AS type_oid,
                       format_type(a.atttypid, a.atttypmod) AS type_name,
                       a.atttypmod AS type_modifier, a.attnotnull AS not_null,
                       EXISTS (SELECT FROM pg_catalog.pg_index i
                               WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey)) AS in_primary_key
                FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND %2$s) col ON true
            WHERE p.pubname = CAST(? AS text)
            ORDER BY n.nspname, c.relname, col.attnum""";

    /** @param types of all published columns */
    record Found(Publication publication, TypeCatalog types) {}

    private PublicationCatalog() {}

    private static String tables(int serverMajor) {
        String notGenerated = "a.attgenerated = ''";
        String listed = "a.attname = ANY (p.attnames)";
        if (serverMajor < 15) return TABLES.formatted("NULL::text", notGenerated);
        return TABLES.formatted("p.rowfilter", serverMajor < 18 ? listed + " AND " + notGenerated : listed);
    }

    static Found read(Connection connection, String publication, int serverMajor) {
        return Classification.classified("read publication " + SqlText.identifier(publication), () -> {
            try (PreparedStatement query = connection.prepareStatement(PUBLICATION)) {
                query.setString(1, publication);
                try (ResultSet row = query.executeQuery()) {
                    if (!row.next()) throw missing(connection, publication);
                    List<Reading> tables = tables(connection, publication, serverMajor);
                    TypeCatalog types = TypeCatalog.read(connection, typesOf(tables));
                    return new Found(
                            new Publication(
                                    publication,
                                    shapes(connection, tables, types),
                                    row.getBoolean("pubinsert"),
                                    row.getBoolean("pubupdate"),
                                    row.getBoolean("pubdelete"),
                                    row.getBoolean("pubtruncate"),
                                    row.getBoolean("pubviaroot")),
                            types);
                }
            }
        });
    }

    private static List<TableShape> shapes(Connection connection, List<Reading> tables, TypeCatalog types)
            throws SQLException {
        List<TableShape> shapes =
                tables.stream().map(table -> table.finished(types)).toList();
        return PartitionCatalog.withPartitions(connection, UniqueKeyCatalog.withKeys(connection, shapes));
    }

    private static SourceFailure missing(Connection connection, String publication) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(PUBLICATIONS);
                ResultSet row = query.executeQuery()) {
            row.next();
            String quoted = SqlText.identifier(publication);
            return new SourceFailure(
                    Kind.MISCONFIGURED,
                    "read publication %s: it does not exist; there are: %s".formatted(quoted, row.getString(1)),
                    "CREATE PUBLICATION %s FOR TABLE … or set postgres.publication".formatted(quoted));
        }
    }

    private static List<Reading> tables(Connection connection, String publication, int serverMajor)
            throws SQLException {
        Map<Integer, Reading> byOid = new LinkedHashMap<>();
        try (PreparedStatement query = connection.prepareStatement(tables(serverMajor))) {
            query.setString(1, publication);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    int oid = oid(row, "table_oid");
                    if (!byOid.containsKey(oid))
                        byOid.put(oid, new Reading(withoutColumns(row, oid), TableAccess.read(row)));
                    if (row.getString("attname") != null) byOid.get(oid).add(row);
                }
            }
        }
        return List.copyOf(byOid.values());
    }

    private static Set<Integer> typesOf(List<Reading> tables) {
        return tables.stream()
                .flatMap(table -> table.columns.stream())
                .map(TableShape.Column::typeOid)
                .collect(Collectors.toSet());
    }

    private static TableShape withoutColumns(ResultSet row, int oid) throws SQLException {
        return new TableShape(
                oid,
                new RelationName(row.getString("nspname"), row.getString("relname")),
                identity(row.getString("relreplident")),
                List.of(),
                Optional.ofNullable(row.getString("row_filter")),
                row.getLong("estimated_rows"),
                List.of(),
                List.of(),
                Optional.empty());
    }

    /** A table whose columns are still being read. */
    private record Reading(
            TableShape table, TableAccess access, List<TableShape.Column> columns, List<String> unreadable) {
        Reading(TableShape table, TableAccess access) {
            this(table, access, new ArrayList<>(), new ArrayList<>());
        }

        void add(ResultSet row) throws SQLException {
            columns.add(column(row));
            if (!row.getBoolean("readable")) unreadable.add(row.getString("quoted_column"));
        }

        TableShape finished(TypeCatalog types) {
            return new TableShape(
                    table.oid(),
                    table.name(),
                    table.identity(),
                    columns.stream().map(column -> typed(column, types)).toList(),
                    table.rowFilter(),
                    table.estimatedRows(),
                    access.missingGrants(unreadable),
                    table.uniqueKeys(),
                    table.partitions());
        }
    }

    private static TableShape.Column typed(TableShape.Column column, TypeCatalog types) {
        TypeShape type = types.shape(column.typeOid(), column.typeModifier());
        return new TableShape.Column(
                column.name(),
                column.typeOid(),
                type,
                column.typeName(),
                column.typeModifier(),
                column.partOfPrimaryKey(),
                column.notNull() || (type instanceof TypeShape.Domain domain && domain.notNull()));
    }

    private static TableShape.Column column(ResultSet row) throws SQLException {
        int type = oid(row, "type_oid");
        return new TableShape.Column(
                row.getString("attname"),
                type,
                new TypeShape.Unknown(type),
                row.getString("type_name"),
                row.getInt("type_modifier"),
                row.getBoolean("in_primary_key"),
                row.getBoolean("not_null"));
    }

    /** OIDs are unsigned 32 bit; the query widens them to bigint. */
    private static int oid(ResultSet row, String column) throws SQLException {
        return (int) row.getLong(column);
    }

    static ReplicaIdentity identity(String relreplident) {
        return switch (relreplident) {
            case "d" -> ReplicaIdentity.DEFAULT;
            case "n" -> ReplicaIdentity.NOTHING;
            case "f" -> ReplicaIdentity.FULL;
            case "i" -> ReplicaIdentity.INDEX;
            default ->
                throw new SourceFailure(
                        Kind.PROTOCOL, "read replica identity " + relreplident, "use a supported PostgreSQL version");
        };
    }
}
