package tidemark.replication;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How big a table is now, and with that into how many parts it is cut. Only a heap has pages to be cut by: a
 * partitioned table has none of its own, and another access method's tuple identifiers may mean anything.
 *
 * @param pages of its heap; 0 for what is not cut
 * @param bytes with its large values (TOAST), and of all partitions
 */
record TableSize(TableShape table, long pages, long bytes) {
    /** Of one table: many more than readers, and few enough to be listed whatever the table's size. */
    private static final long PARTS_MAX = 4096;

    private record Extent(long pages, long bytes) {}

    /** Waits for whoever holds a table exclusively, as the copy would. */
    static List<TableSize> read(Connection connection, List<TableShape> tables) throws SQLException {
        if (tables.isEmpty()) return List.of();
        Map<Integer, Extent> found = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query(tables))) {
            while (row.next()) {
                found.put((int) row.getLong("oid"), new Extent(row.getLong("pages"), row.getLong("bytes")));
            }
        }
        return tables.stream()
                .map(table -> {
                    Extent extent = found.getOrDefault(table.oid(), new Extent(0, 0));
                    return new TableSize(table, extent.pages, extent.bytes);
                })
                .toList();
    }

    private static String query(List<TableShape> tables) {
        return """
                SELECT c.oid::bigint AS oid,
                       CASE WHEN c.relkind = 'r' AND a.amname = 'heap' AND has_table_privilege(c.oid, 'SELECT')
                            THEN pg_relation_size(c.oid) / current_setting('block_size')::bigint ELSE 0 END AS pages,
                       CASE WHEN c.relkind = 'p'
                            THEN (SELECT sum(pg_table_size(relid)) FROM pg_partition_tree(c.oid) WHERE isleaf)
                            ELSE pg_table_size(c.oid) END::bigint AS bytes
                  FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_am a ON a.oid = c.relam
                 WHERE c.oid IN (%s)
                """.formatted(tables.stream()
                .map(table -> Integer.toUnsignedString(table.oid()))
                .collect(Collectors.joining(", ")));
    }

    /** Of the biggest table first, so that nobody has to wait for the last part of it at the end. */
    static List<TablePart> cut(List<TableSize> sizes, long partBytes) {
        return sizes.stream()
                .sorted(Comparator.comparingLong(TableSize::bytes).reversed())
                .flatMap(size -> size.parts(partBytes))
                .toList();
    }

    /** As many as its bytes make, large values included: a table of few pages may have many. */
    private Stream<TablePart> parts(long partBytes) {
        long count = Math.max(1, Math.min(Math.min(bytes / partBytes, pages), PARTS_MAX));
        List<TablePart> parts = new ArrayList<>();
        for (long part = 0; part < count; part++) {
            OptionalLong to = part + 1 == count ? OptionalLong.empty() : OptionalLong.of(firstPage(part + 1, count));
            parts.add(new TablePart(table, firstPage(part, count), to));
        }
        return parts.stream();
    }

    private long firstPage(long part, long count) {
        return pages * part / count;
    }
}
