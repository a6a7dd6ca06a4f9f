package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tidemark.replication.TableEdition;
import tidemark.replication.TableEdition.Store;

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
