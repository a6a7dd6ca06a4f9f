package tidemark.replication;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads which columns of a table no two rows share at any moment: those of each unique index that is checked row by
 * row. One that is deferrable, covers a part of the rows or an expression, or is not valid, proves nothing of the kind.
 */
final class UniqueKeyCatalog {
    /**
     * Of {@code pg_index i}. ATTACH PARTITION takes a DEFERRABLE key of the partition for one of its root's that is not
     * (15.18): the rows of that partition are checked as its own says.
     */
    static final String ROW_BY_ROW = """
            i.indisunique AND i.indimmediate AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
            AND NOT EXISTS (
                WITH RECURSIVE below (oid) AS (
                    SELECT h.inhrelid FROM pg_catalog.pg_inherits h WHERE h.inhparent = i.indexrelid
                    UNION ALL
                    SELECT h.inhrelid FROM below JOIN pg_catalog.pg_inherits h ON h.inhparent = below.oid)
                SELECT FROM below JOIN pg_catalog.pg_index b ON b.indexrelid = below.oid WHERE NOT b.indimmediate)""";

    /**
     * Of {@code pg_index i}: the constraint's, if there is one, as REINDEX CONCURRENTLY puts another index beneath it.
     */
    static final String MARK = """
            coalesce((SELECT 'c' || c.oid FROM pg_catalog.pg_constraint c
                      WHERE c.conrelid = i.indrelid AND c.conindid = i.indexrelid AND c.contype IN ('p', 'u')),
                     'i' || i.indexrelid)""";

    private static final String KEYS = """
            SELECT i.indrelid::bigint AS table_oid, i.indexrelid::bigint AS index_oid, i.indisprimary, i.indisreplident,
                   %s AS mark, a.attname
            FROM pg_catalog.pg_index i
            CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, ordinal)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
            WHERE i.indrelid::bigint = ANY (?) AND k.ordinal <= i.indnkeyatts
              AND %s
            ORDER BY mark, k.ordinal""".formatted(MARK, ROW_BY_ROW);

    private UniqueKeyCatalog() {}

    static List<TableShape> withKeys(Connection connection, List<TableShape> tables) throws SQLException {
        var keys = read(connection, tables.stream().map(TableShape::oid).toList());
        return tables.stream()
                .map(table -> table.withUniqueKeys(keys.getOrDefault(table.oid(), List.of())))
                .toList();
    }

    /** By the tables' oids; a table without any is left out. */
    static Map<Integer, List<TableShape.UniqueKey>> read(Connection connection, List<Integer> tables)
            throws SQLException {
        Map<Integer, Map<Long, TableShape.UniqueKey>> found = new HashMap<>();
        Array oids = connection.createArrayOf(
                "bigint", tables.stream().map(Integer::toUnsignedLong).toArray());
        try (PreparedStatement query = connection.prepareStatement(KEYS)) {
            query.setArray(1, oids);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    var key = new TableShape.UniqueKey(
                            new ArrayList<>(),
                            row.getBoolean("indisprimary"),
                            row.getBoolean("indisreplident"),
                            row.getString("mark"));
                    found.computeIfAbsent((int) row.getLong("table_oid"), _ -> new LinkedHashMap<>())
                            .computeIfAbsent(row.getLong("index_oid"), _ -> key)
                            .columns()
                            .add(row.getString("attname"));
                }
            }
        } finally {
            oids.free();
        }
        Map<Integer, List<TableShape.UniqueKey>> keys = new HashMap<>();
        found.forEach((oid, ofTable) -> keys.put(
                oid,
                ofTable.values().stream()
                        .map(key -> new TableShape.UniqueKey(
                                List.copyOf(key.columns()), key.primary(), key.replicaIdentity(), key.mark()))
                        .toList()));
        return keys;
    }
}
