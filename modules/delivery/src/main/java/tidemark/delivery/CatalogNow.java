package tidemark.delivery;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tidemark.decode.Lsn;
import tidemark.decode.PgOutputMessage.Relation;
import tidemark.replication.ChangeSource;
import tidemark.replication.SourceSession;
import tidemark.replication.TableEdition;
import tidemark.replication.TableShape.UniqueKey;
import tidemark.replication.TypeShape;

/**
 * Asks the catalog of now about a table whose WAL is read. It knows at least what the transaction that is read did: the
 * answer waits for that. What came later it knows, too, and whoever asks has to think of that.
 *
 * <p>Owned by the delivery loop.
 */
final class CatalogNow {
    /** Asked for when a row does not have the fields that were known: what it was committed after is in the catalog. */
    private record TypesNow(SourceSession source) implements SourceColumn.Types {
        @Override
        public TypeShape type(int oid, int modifier) {
            return PgType.isBuiltIn(oid) ? source.type(oid, modifier) : source.typeNow(oid, modifier);
        }

        @Override
        public boolean areNewer() {
            return true;
        }
    }

    private final SourceSession source;
    private final ChangeSource catalog;
    private int xid;
    private boolean seen;

    CatalogNow(SourceSession source, ChangeSource catalog) {
        this.source = source;
        this.catalog = catalog;
    }

    /** Of the transaction that is read from here on. */
    void began(int transaction) {
        xid = transaction;
        seen = false;
    }

    private void requireSeen() {
        if (!seen) source.awaitVisible(xid);
        seen = true;
    }

    SourceColumn.Types types() {
        requireSeen();
        return new TypesNow(source);
    }

    List<UniqueKey> uniqueKeys(int oid) {
        requireSeen();
        return source.uniqueKeysNow(oid);
    }

    /** Of a table that was dropped meanwhile, or renamed once more, there is none: then the message has to do. */
    Optional<TableEdition> edition(TablePlan plan, Relation relation) {
        requireSeen();
        var names = Stream.of(plan.postgres(), relation.name()).distinct().toList();
        return catalog.editions(names).stream()
                .filter(edition -> edition.oid() == relation.relationId())
                .findFirst();
    }

    /** What is committed up to there is older than an answer that is asked for afterwards. */
    Lsn before() {
        return catalog.walEnd();
    }

    /** What commits after it is newer than every answer so far. */
    Lsn after() {
        return catalog.insertedWal();
    }
}
