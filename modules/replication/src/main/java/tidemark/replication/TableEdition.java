package tidemark.replication;

import java.util.List;
import java.util.Optional;
import tidemark.decode.RelationName;

/**
 * Which edition of a table the catalog shows: what changes when something happens to its rows of which pgoutput says
 * nothing. Every mark is another one after the thing was undone and done again, so between two equal editions nothing
 * of the kind happened, whether anybody was looking or not.
 *
 * @param oid unsigned 32 bit
 * @param membership how the publication publishes the table under this name, as a mark that any alteration changes: of
 *     its operations, of a row filter or column list, leaving and coming back; empty when it does not
 * @param columns those that would be published if it is, in attribute order
 * @param stores where its rows lie: the leaf partitions, by name, or the table itself
 * @param uniqueKeys the marks of those that are checked row by row ({@link TableShape.UniqueKey})
 */
public record TableEdition(
        RelationName name,
        int oid,
        Optional<String> membership,
        List<Column> columns,
        List<Store> stores,
        List<String> uniqueKeys) {

    /**
     * @param number another one for a column that was dropped and added again
     * @param filled rows that are older than the column read as what was its DEFAULT then
     * @param fields of the composites that its type is made of, each as a mark that is another one after it was
     *     renamed, or dropped and added again
     * @param labels of the enums, each as a mark that is another one after it was renamed
     * @param altered a mark that ALTER COLUMN … TYPE changes, of the same type, too, and so do others that leave values
     *     alone (SET NOT NULL, SET STATISTICS …); empty in the state file of a Tidemark that kept neither this nor
     *     labels
     */
    public record Column(
            int number,
            String name,
            int typeOid,
            int typeModifier,
            boolean filled,
            List<String> fields,
            List<String> labels,
            Optional<Long> altered) {
        /** Only that: what it was altered in, nobody knows. */
        public boolean isAltered(Column now) {
            return altered.isPresent() && !altered.equals(now.altered);
        }
    }

    /**
     * @param attachment a mark of when it became a partition, empty for the table itself
     * @param file another one after TRUNCATE, and after whatever else writes all rows anew: VACUUM FULL, CLUSTER, some
     *     ALTER TABLE
     * @param attached it was a table of its own before it became a partition, and may have had rows then
     * @param logged its changes are in the WAL, which those of an UNLOGGED or foreign partition are not
     */
    public record Store(int oid, String name, String attachment, long file, boolean attached, boolean logged) {
        /** As nearly all are. */
        public Store(int oid, String name, String attachment, long file, boolean attached) {
            this(oid, name, attachment, file, attached, true);
        }

        public Place place() {
            return new Place(oid, attachment);
        }
    }

    /** Equal for one store that was never away meanwhile, whatever happened to its rows. */
    public record Place(int oid, String attachment) {}

    public TableEdition withoutUniqueKeys() {
        return new TableEdition(name, oid, membership, columns, stores, List.of());
    }

    public boolean isPartitioned() {
        return stores.stream().noneMatch(store -> store.oid() == oid);
    }
}
