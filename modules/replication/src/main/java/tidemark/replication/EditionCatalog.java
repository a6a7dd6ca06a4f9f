package tidemark.replication;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tidemark.decode.RelationName;

/**
 * Reads the {@link TableEdition} of many tables in one query that only ever looks rows of the catalog up by index. It
 * locks no table of anybody's, unlike {@code pg_publication_tables} and {@code pg_partition_tree}: DDL that waits or is
 * under way does not hold it up.
 *
 * <p>A mark is an oid where PostgreSQL gives one to the fact ({@code pg_publication_rel}: ALTER PUBLICATION makes a new
 * row of it for another row filter or column list), else the {@code xmin} of the row that states it, which freezing
 * leaves alone.
 *
 * <p>A table that was made as a partition became one in the transaction that made it, and has a column whose row is
 * still the one that was made with its system columns, which nothing ever alters. ATTACH, in the same transaction or
 * not, writes the rows of all columns anew (measured, 14 to 18).
 */
final class EditionCatalog {
    /**
     * One row per column and per store of each table; {@code store} is null for a column. A partition whose DETACH
     * CONCURRENTLY has begun holds no row of the table any more.
     */
    private static final String QUERY = """
            WITH RECURSIVE wanted AS (
                SELECT c.oid, n.nspname, c.relname, c.relkind, c.relispartition, c.relpersistence, c.relfilenode
                FROM unnest(CAST(? AS text[]), CAST(? AS text[])) AS name (schema, relation)
                JOIN pg_catalog.pg_namespace n ON n.nspname = name.schema
                JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = name.relation
                WHERE c.relkind IN ('r', 'p')
            ), part AS (
                SELECT w.oid AS root, w.oid, w.relname, w.relkind, w.relfilenode, '' AS attachment, false AS attached,
                       true AS logged
                FROM wanted w
                UNION ALL
                SELECT part.root, c.oid, c.relname, c.relkind, c.relfilenode, part.attachment || i.xmin || '.',
                       part.attached OR NOT (made.xmin = i.xmin AND EXISTS (
                           SELECT FROM pg_catalog.pg_attribute a
                           WHERE a.attrelid = c.oid AND a.attnum > 0 AND a.xmin = made.xmin AND a.cmin = made.cmin)),
                       c.relkind <> 'f' AND c.relpersistence = 'p'
                FROM part
                JOIN pg_catalog.pg_inherits i ON i.inhparent = part.oid AND NOT i.inhdetachpending
                JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
                JOIN pg_catalog.pg_attribute made ON made.attrelid = c.oid AND made.attnum = -1
                WHERE part.relkind = 'p'
            ), store AS (
                SELECT part.* FROM part WHERE part.relkind <> 'p'
            ), filled AS (
                SELECT DISTINCT s.root, a.attname
                FROM store s JOIN pg_catalog.pg_attribute a ON a.attrelid = s.oid AND a.attnum > 0 AND a.atthasmissing
            ), publication AS (
                SELECT p.* , p.xmin AS altered FROM pg_catalog.pg_publication p WHERE p.pubname = CAST(? AS text)
            ), listed AS (
                %2$s
            ), member AS (
                SELECT r.prrelid AS relid, 't' || r.oid AS mark
                FROM pg_catalog.pg_publication_rel r JOIN publication p ON p.oid = r.prpubid
                UNION ALL
                %1$s
            ), membership AS (
                SELECT w.oid, string_agg(m.mark, ' ' ORDER BY m.mark) FILTER (WHERE m.relid = w.oid) AS own,
                       string_agg(m.mark, ' ' ORDER BY m.mark) AS any_level,
                       coalesce(bool_or(m.relid <> w.oid), false) AS by_ancestor
                FROM wanted w
                CROSS JOIN LATERAL (
                    SELECT w.oid AS relid
                    UNION
                    SELECT a.relid::oid FROM pg_catalog.pg_partition_ancestors(w.oid) a WHERE w.relispartition) line
                JOIN member m ON m.relid = line.relid
                GROUP BY w.oid
            ), published AS (
                SELECT w.oid, concat_ws(' ', 'p' || p.oid, p.altered, CASE WHEN p.pubviaroot THEN m.own ELSE m.any_level END)
                       AS mark
                FROM wanted w CROSS JOIN publication p LEFT JOIN membership m ON m.oid = w.oid
                WHERE w.relpersistence = 'p'
                  AND CASE WHEN p.pubviaroot
                           THEN (p.puballtables AND NOT w.relispartition)
                                OR (NOT p.puballtables AND m.own IS NOT NULL AND NOT m.by_ancestor)
                           ELSE w.relkind = 'r' AND (p.puballtables OR m.any_level IS NOT NULL) END
            ), unique_key AS (
                SELECT w.oid, CAST(array_agg(mark.made ORDER BY mark.made) AS text[]) AS marks
                FROM wanted w
                JOIN pg_catalog.pg_index i ON i.indrelid = w.oid AND %4$s
                CROSS JOIN LATERAL (SELECT %5$s) mark (made)
                GROUP BY w.oid
            )
            SELECT w.oid::bigint AS table_oid, w.nspname, w.relname, published.mark AS membership,
                   coalesce(unique_key.marks, CAST('{}' AS text[])) AS unique_keys, detail.*
            FROM wanted w
            LEFT JOIN published ON published.oid = w.oid
            LEFT JOIN unique_key ON unique_key.oid = w.oid
            CROSS JOIN LATERAL (
                SELECT a.attnum::bigint AS number, a.attname AS name, a.atttypid::bigint AS type_oid, a.atttypmod AS type_modifier,
                       EXISTS (SELECT FROM filled f WHERE f.root = w.oid AND f.attname = a.attname) AS filled,
                       ARRAY(SELECT concat_ws('.', f.attrelid, f.attnum, f.attname)
                             FROM pg_catalog.pg_type t
                             JOIN pg_catalog.pg_attribute f
                                 ON f.attrelid = t.typrelid AND f.attnum > 0 AND NOT f.attisdropped
                             WHERE t.oid = ANY (made.of) AND t.typtype = 'c'
                             ORDER BY f.attrelid, f.attnum) AS fields,
                       ARRAY(SELECT concat_ws('.', e.oid, e.enumlabel)
                             FROM pg_catalog.pg_enum e
                             WHERE e.enumtypid = ANY (made.of)
                             ORDER BY e.oid) AS labels,
                       a.xmin::text::bigint AS altered,
                       NULL::bigint AS store, NULL::text AS attachment, NULL::bigint AS file, NULL::boolean AS attached,
                       NULL::boolean AS logged
                FROM pg_catalog.pg_attribute a
                CROSS JOIN LATERAL (
                    WITH RECURSIVE reached (oid) AS (
                        SELECT a.atttypid
                        UNION
                        SELECT part.oid
                        FROM reached
                        JOIN pg_catalog.pg_type t ON t.oid = reached.oid
                        CROSS JOIN LATERAL (
                            SELECT t.typbasetype WHERE t.typtype = 'd'
                            UNION ALL
                            SELECT t.typelem WHERE t.typtype = 'b' AND t.typoutput = 'pg_catalog.array_out'::regproc
                            UNION ALL
                            SELECT f.atttypid FROM pg_catalog.pg_attribute f
                            WHERE t.typtype = 'c' AND f.attrelid = t.typrelid AND f.attnum > 0
                              AND NOT f.attisdropped) part (oid))
                    SELECT array_agg(reached.oid) AS of FROM reached) made
                WHERE a.attrelid = w.oid AND a.attnum > 0 AND NOT a.attisdropped AND %3$s
                UNION ALL
                SELECT NULL, s.relname, NULL, NULL, NULL, NULL, NULL, NULL, s.oid::bigint, s.attachment, s.relfilenode::bigint,
                       s.attached, s.logged
                FROM store s WHERE s.root = w.oid) detail
            ORDER BY w.nspname, w.relname, detail.number, detail.name, detail.store""";

    /** Schemas are published from 15 on. A member for each of our tables in one, and for their ancestors. */
    private static final String SCHEMAS = """
            SELECT c.oid, 's' || s.oid
                FROM pg_catalog.pg_publication_namespace s
                JOIN publication p ON p.oid = s.pnpubid
                JOIN pg_catalog.pg_class c ON c.relnamespace = s.pnnspid
                WHERE c.oid IN (SELECT w.oid FROM wanted w
                                UNION
                                SELECT a.relid::oid FROM wanted w, pg_catalog.pg_partition_ancestors(w.oid) a)""";

    private static final String NO_SCHEMAS = "SELECT NULL::oid, NULL::text WHERE false";

    /** Column lists came with 15, too. */
    private static final String LISTS = """
            SELECT r.prrelid AS relid, r.prattrs AS numbers
                FROM pg_catalog.pg_publication_rel r JOIN publication p ON p.oid = r.prpubid
                WHERE r.prattrs IS NOT NULL""";

    private static final String NO_LISTS = "SELECT NULL::oid AS relid, NULL::int2vector AS numbers WHERE false";

    private static final String NOT_GENERATED = "a.attgenerated = ''";
    private static final String NOT_LEFT_OUT =
            "NOT EXISTS (SELECT FROM listed l WHERE l.relid = w.oid AND NOT a.attnum = ANY (l.numbers))";
    /** Stored ones go out if the publication says so or lists them. */
    private static final String GENERATED = """
            (a.attgenerated = '' OR (a.attgenerated = 's'
                                     AND (EXISTS (SELECT FROM publication p WHERE p.pubgencols = 's')
                                          OR EXISTS (SELECT FROM listed l WHERE l.relid = w.oid))))""";

    private EditionCatalog() {}

    /** Of those tables that there are. */
    static List<TableEdition> read(Connection connection, String publication, List<RelationName> tables) {
        return Classification.classified("look at the catalog", () -> {
            int major = connection.getMetaData().getDatabaseMajorVersion();
            try (PreparedStatement query = connection.prepareStatement(query(major))) {
                query.setArray(1, texts(connection, tables, RelationName::schema));
                query.setArray(2, texts(connection, tables, RelationName::table));
                query.setString(3, publication);
                try (ResultSet row = query.executeQuery()) {
                    return editions(row);
                }
            }
        });
    }

    private static String query(int major) {
        String keyed = UniqueKeyCatalog.ROW_BY_ROW;
        String mark = UniqueKeyCatalog.MARK;
        if (major < 15) return QUERY.formatted(NO_SCHEMAS, NO_LISTS, NOT_GENERATED, keyed, mark);
        String generated = major < 18 ? NOT_GENERATED : GENERATED;
        return QUERY.formatted(SCHEMAS, LISTS, generated + " AND " + NOT_LEFT_OUT, keyed, mark);
    }

    private static Array texts(Connection connection, List<RelationName> tables, Function<RelationName, String> part)
            throws SQLException {
        return connection.createArrayOf("text", tables.stream().map(part).toArray());
    }

    private static List<TableEdition> editions(ResultSet row) throws SQLException {
        Map<Integer, TableEdition> byOid = new LinkedHashMap<>();
        while (row.next()) {
            int oid = (int) row.getLong("table_oid");
            if (!byOid.containsKey(oid)) byOid.put(oid, empty(row, oid));
            TableEdition table = byOid.get(oid);
            long store = row.getLong("store");
            if (row.wasNull()) table.columns().add(column(row));
            else table.stores().add(store(row, (int) store));
        }
        return byOid.values().stream()
                .map(table -> new TableEdition(
                        table.name(),
                        table.oid(),
                        table.membership(),
                        List.copyOf(table.columns()),
                        List.copyOf(table.stores()),
                        table.uniqueKeys()))
                .toList();
    }

    /** Its columns and stores are still to be filled. */
    private static TableEdition empty(ResultSet row, int oid) throws SQLException {
        return new TableEdition(
                new RelationName(row.getString("nspname"), row.getString("relname")),
                oid,
                Optional.ofNullable(row.getString("membership")),
                new ArrayList<>(),
                new ArrayList<>(),
                List.of((String[]) row.getArray("unique_keys").getArray()));
    }

    private static TableEdition.Column column(ResultSet row) throws SQLException {
        return new TableEdition.Column(
                row.getInt("number"),
                row.getString("name"),
                (int) row.getLong("type_oid"),
                row.getInt("type_modifier"),
                row.getBoolean("filled"),
                List.of((String[]) row.getArray("fields").getArray()),
                List.of((String[]) row.getArray("labels").getArray()),
                Optional.of(row.getLong("altered")));
    }

    private static TableEdition.Store store(ResultSet row, int oid) throws SQLException {
        return new TableEdition.Store(
                oid,
                row.getString("name"),
                row.getString("attachment"),
                row.getLong("file"),
                row.getBoolean("attached"),
                row.getBoolean("logged"));
    }
}
