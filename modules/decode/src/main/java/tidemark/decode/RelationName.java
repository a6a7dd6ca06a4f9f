package tidemark.decode;

/**
 * A PostgreSQL table by schema and name, both exact: as the catalog and the RELATION message spell them, never folded.
 */
public record RelationName(String schema, String table) {
    @Override
    public String toString() {
        return schema + "." + table;
    }
}
