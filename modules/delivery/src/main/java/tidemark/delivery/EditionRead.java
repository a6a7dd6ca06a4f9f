package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.PgOutputMessage.Relation;
import tidemark.replication.TableEdition;
import tidemark.replication.TableEdition.Store;
import tidemark.sink.FelderaTable;

/**
 * The edition of a table that was read, and what was seen of it since.
 *
 * @param since partitions that came later, as they were first seen, also those that are gone again: their streamed rows
 *     are in Feldera
 */
record EditionRead(TableEdition edition, List<Store> since) {
    EditionRead(TableEdition edition) {
        this(edition, List.of());
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
            Optional<TableEdition.Column> then = edition.columns().stream()
                    .filter(column -> ColumnMatch.matches(target.name(), column.name()))
                    .findFirst();
            return now.map(column -> List.of(column.typeOid(), column.typeModifier()))
                    .equals(then.map(column -> List.of(column.typeOid(), column.typeModifier())));
        });
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
        return new EditionRead(edition, List.copyOf(all));
    }
}
