package tidemark.replication;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tidemark.decode.RelationName;

/**
 * Reads which leaf partitions a partitioned table has, and what PostgreSQL logs of their old rows: that goes by the
 * partition's own replica identity, and ALTER TABLE of the root's does not reach it (measured, 15.18).
 */
final class PartitionCatalog {
    /** Also the levels between, and the root itself, which has a row even without a partition. */
    private static final String PARTITIONS = """
            WITH RECURSIVE part AS (
                SELECT c.oid AS root, c.oid, c.relkind
                FROM pg_catalog.pg_class c
                WHERE c.relkind = 'p' AND c.oid::bigint = ANY (?)
                UNION ALL
                SELECT part.root, c.oid, c.relkind
                FROM part
                JOIN pg_catalog.pg_inherits i ON i.inhparent = part.oid
                JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
                WHERE part.relkind = 'p')
            SELECT part.root::bigint AS root, part.relkind, part.relkind = 'r' AND c.relpersistence = 'p' AS in_wal, n.nspname, c.relname, c.relreplident,
                   CAST(ARRAY(SELECT a.attname FROM pg_catalog.pg_index i
                              CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, ordinal)
                              JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
                              WHERE i.indrelid = c.oid AND k.ordinal <= i.indnkeyatts AND i.indimmediate AND i.indisvalid
                                AND CASE c.relreplident WHEN 'd' THEN i.indisprimary ELSE i.indisreplident END
                              ORDER BY k.ordinal) AS text[]) AS logged
            FROM part
            JOIN pg_catalog.pg_class c ON c.oid = part.oid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE part.relkind IN ('p', 'r', 'f')
            ORDER BY n.nspname, c.relname""";

    private PartitionCatalog() {}

    static List<TableShape> withPartitions(Connection connection, List<TableShape> tables) throws SQLException {
        Map<Integer, List<TableShape.Partition>> found = new HashMap<>();
        Array oids = connection.createArrayOf(
                "bigint",
                tables.stream()
                        .map(table -> Integer.toUnsignedLong(table.oid()))
                        .toArray());
        try (PreparedStatement query = connection.prepareStatement(PARTITIONS)) {
            query.setArray(1, oids);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    var leaves = found.computeIfAbsent((int) row.getLong("root"), _ -> new ArrayList<>());
                    if (!row.getString("relkind").equals("p")) leaves.add(leaf(row));
                }
            }
        } finally {
            oids.free();
        }
        return tables.stream()
                .map(table -> found.containsKey(table.oid())
                        ? table.withPartitions(List.copyOf(found.get(table.oid())))
                        : table)
                .toList();
    }

    private static TableShape.Partition leaf(ResultSet row) throws SQLException {
        return new TableShape.Partition(
                new RelationName(row.getString("nspname"), row.getString("relname")),
                PublicationCatalog.identity(row.getString("relreplident")),
                List.of((String[]) row.getArray("logged").getArray()),
                row.getBoolean("in_wal"));
    }
}
