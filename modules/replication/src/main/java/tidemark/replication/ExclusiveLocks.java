package tidemark.replication;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;
import tidemark.decode.RelationName;

/** Who holds tables exclusively, or waits to, as {@code pg_locks} shows it: without a lock of one's own. */
final class ExclusiveLocks {
    private static final String QUERY = """
            SELECT EXISTS (
                SELECT FROM unnest(CAST(? AS text[]), CAST(? AS text[])) AS name (schema, relation)
                JOIN pg_catalog.pg_namespace n ON n.nspname = name.schema
                JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = name.relation
                JOIN pg_catalog.pg_locks l ON l.locktype = 'relation' AND l.relation = c.oid
                JOIN pg_catalog.pg_database d ON d.oid = l.database AND d.datname = current_database()
                WHERE l.mode = 'AccessExclusiveLock')""";

    private ExclusiveLocks() {}

    static boolean areOn(Connection connection, List<RelationName> tables) {
        return Classification.classified("look for exclusive locks", () -> {
            Array schemas = connection.createArrayOf(
                    "text", tables.stream().map(RelationName::schema).toArray());
            Array relations = connection.createArrayOf(
                    "text", tables.stream().map(RelationName::table).toArray());
            try (PreparedStatement query = connection.prepareStatement(QUERY)) {
                query.setArray(1, schemas);
                query.setArray(2, relations);
                try (ResultSet row = query.executeQuery()) {
                    return row.next() && row.getBoolean(1);
                }
            }
        });
    }
}
