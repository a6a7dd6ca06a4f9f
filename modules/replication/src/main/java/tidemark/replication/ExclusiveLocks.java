package tidemark.replication;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Optional;

/**
 * Who holds a table of a publication exclusively, or waits to, as {@code pg_locks} shows it: without a lock of one's
 * own. A publication may have tables that nobody configured.
 */
final class ExclusiveLocks {
    private static final int PUBLICATION_OPENS_TABLES = 15;
    private static final String QUERY = """
            SELECT l.pid, l.granted, n.nspname, c.relname
              FROM pg_catalog.pg_locks l
              JOIN pg_catalog.pg_database d ON d.oid = l.database AND d.datname = current_database()
              JOIN pg_catalog.pg_class c ON c.oid = l.relation AND c.relkind IN ('r', 'p')
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_catalog.pg_publication p ON p.pubname = ?
             WHERE l.locktype = 'relation' AND l.mode = 'AccessExclusiveLock'
               AND (p.puballtables
                    OR EXISTS (SELECT FROM pg_catalog.pg_publication_namespace s
                               WHERE s.pnpubid = p.oid AND s.pnnspid = c.relnamespace)
                    OR EXISTS (SELECT FROM pg_catalog.pg_publication_rel r
                               WHERE r.prpubid = p.oid
                                 AND (r.prrelid = c.oid
                                      OR r.prrelid IN (SELECT relid FROM pg_catalog.pg_partition_ancestors(c.oid)))))
             ORDER BY l.granted DESC, l.pid
             LIMIT 1""";

    private ExclusiveLocks() {}

    static Optional<String> holder(Connection connection, String publication) {
        return Classification.classified("look for exclusive locks", () -> {
            if (connection.getMetaData().getDatabaseMajorVersion() < PUBLICATION_OPENS_TABLES) return Optional.empty();
            try (PreparedStatement query = connection.prepareStatement(QUERY)) {
                query.setString(1, publication);
                try (ResultSet row = query.executeQuery()) {
                    if (!row.next()) return Optional.empty();
                    return Optional.of("pid %d, which %s table %s.%s exclusively"
                            .formatted(
                                    row.getInt(1),
                                    row.getBoolean(2) ? "holds" : "waits for",
                                    row.getString(3),
                                    row.getString(4)));
                }
            }
        });
    }
}
