package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tidemark.decode.Lsn;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.PgOutputMessage.Relation;
import tidemark.replication.TableEdition;
import tidemark.replication.TableEdition.Store;
import tidemark.sink.FelderaTable;

/**
 * The edition of a table that was read, and what was seen of it since.
 *
 * @param edition without its unique keys, of which more is known
 * @param since partitions that came later, as they were first seen, also those that are gone again: their streamed rows
 *     are in Feldera
 * @param keys that are checked row by row, and were when the session began
 */
record EditionRead(TableEdition edition, List<Store> since, List<KeySince> keys) {
    /**
     * @param mark of {@link tidemark.replication.TableShape.UniqueKey}
     * @param from where the catalog was first seen to have it: what commits after it was written under the key
     */
    record KeySince(String mark, Lsn from) {}

    EditionRead {
        edition = edition.withoutUniqueKeys();
    }

    /**
     * Of a table that is read, or only streamed, from now on.
     *
     * @param before what was known of it
     * @param seenAt at or after the look
     */
    static EditionRead begun(TableEdition now, Optional<ReplicationState.Table> before, Lsn seenAt) {
        List<KeySince> known = before.flatMap(ReplicationState.Table::edition)
                .map(EditionRead::keys)
                .orElse(List.of());
        return new EditionRead(now, List.of(), known).seeingKeys(now, seenAt);
    }

    /** From where on the key is known to have been there. */
    Optional<Lsn> knownFrom(String mark) {
        return keys.stream()
                .filter(key -> key.mark().equals(mark))
                .map(KeySince::from)
                .findFirst();
    }

    /** All partitions of which Feldera has or should have rows. */
    Stream<Store> stores() {
        return Stream.concat(edition.stores().stream(), since.stream());
    }

    /** Whether a row is sent of the same columns as when the table was read: of those that Feldera has. */
    boolean hasColumnsOf(Relation relation, FelderaTable feldera) {
        return feldera.columns().stream().allMatch(target -> {
            Optional<PgOutputMessage.Column> now = relation.columns().stream()
                    .filter(column -> ColumnMatch.matches(target.name(), column.name()))
                    .findFirst();
            Optional<TableEdition.Column> then = column(edition, target);
            return now.map(column -> List.of(column.typeOid(), column.typeModifier()))
                    .equals(then.map(column -> List.of(column.typeOid(), column.typeModifier())));
        });
    }

    /**
     * Whether old rows may be written otherwise than when the table was read, in a column that Feldera has, though
     * every column has the name and the type that it had. A row that was written since is none of these.
     */
    boolean isAlteredIn(TableEdition now, FelderaTable feldera) {
        boolean rewritten = rewritten(now).findAny().isPresent();
        return !feldera.columns().stream().allMatch(target -> {
            Optional<TableEdition.Column> was = column(edition, target);
            Optional<TableEdition.Column> is = column(now, target);
            return was.isPresent() == is.isPresent()
                    && was.stream().allMatch(column -> isWrittenAlike(column, is.orElseThrow(), rewritten));
        });
    }

    private static Optional<TableEdition.Column> column(TableEdition edition, FelderaTable.Column target) {
        return edition.columns().stream()
                .filter(column -> ColumnMatch.matches(target.name(), column.name()))
                .findFirst();
    }

    /** A label that is new is in no old row; a field that is new is a null in each. */
    private static boolean isWrittenAlike(TableEdition.Column was, TableEdition.Column is, boolean rewritten) {
        if (was.number() != is.number()
                || was.typeOid() != is.typeOid()
                || was.typeModifier() != is.typeModifier()
                || (rewritten && was.isAltered(is))) {
            return false;
        }
        return was.altered().isEmpty()
                || (is.fields().equals(was.fields()) && is.labels().containsAll(was.labels()));
    }

    /** Stores whose rows were all written anew, or are gone, since they were read. */
    Stream<Store> rewritten(TableEdition now) {
        Map<TableEdition.Place, Long> files =
                now.stores().stream().collect(Collectors.toMap(Store::place, Store::file));
        return stores().filter(store -> files.getOrDefault(store.place(), store.file()) != store.file());
    }

    /** Those that are gone are not asked for any more: their marks do not come again. */
    EditionRead seeingKeys(TableEdition now, Lsn seenAt) {
        return new EditionRead(
                edition,
                since,
                now.uniqueKeys().stream()
                        .map(mark -> new KeySince(mark, knownFrom(mark).orElse(seenAt)))
                        .toList());
    }

    /** The same object when there is nothing new. */
    EditionRead seeing(TableEdition now) {
        if (now.oid() != edition.oid() || !now.isPartitioned()) return this;
        Set<TableEdition.Place> known = stores().map(Store::place).collect(Collectors.toSet());
        List<Store> unknown = now.stores().stream()
                .filter(store -> !known.contains(store.place()))
                .toList();
        if (unknown.isEmpty()) return this;
        List<Store> all = new ArrayList<>(since);
        all.addAll(unknown);
        return new EditionRead(edition, List.copyOf(all), keys);
    }
}
