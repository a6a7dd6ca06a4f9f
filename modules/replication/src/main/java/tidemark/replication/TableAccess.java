package tidemark.replication;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether our role may read all that a table publishes, as the catalog says without touching the table. Names are
 * quoted by the server where SQL needs it.
 *
 * @param columns of the table, published or not
 * @param rowsHidden a row-level policy applies to the role
 */
record TableAccess(String role, String schema, String table, int columns, boolean schemaUsable, boolean rowsHidden) {

    static TableAccess read(ResultSet row) throws SQLException {
        return new TableAccess(
                row.getString("quoted_role"),
                row.getString("quoted_schema"),
                row.getString("quoted_table"),
                row.getInt("own_columns"),
                row.getBoolean("schema_usable"),
                row.getBoolean("rows_hidden"));
    }

    /**
     * The statements that would let the role read it; none when it may.
     *
     * @param unreadable the published columns that it may not read, quoted
     */
    List<String> missingGrants(List<String> unreadable) {
        var grants = new ArrayList<String>();
        if (!schemaUsable) grants.add("GRANT USAGE ON SCHEMA %s TO %s".formatted(schema, role));
        if (!unreadable.isEmpty()) {
            boolean whole = unreadable.size() == columns;
            String which = whole ? "" : " (%s)".formatted(String.join(", ", unreadable));
            grants.add("GRANT SELECT%s ON %s.%s TO %s".formatted(which, schema, table, role));
        }
        if (rowsHidden) grants.add("ALTER ROLE %s BYPASSRLS".formatted(role));
        return List.copyOf(grants);
    }
}
