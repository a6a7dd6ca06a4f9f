package tidemark.delivery;

import java.util.Optional;
import tidemark.replication.TableEdition;

/** What becomes of rows that a broken copy left in Feldera once the table is copied again and the WAL replayed. */
enum Leftovers {
    /** Each is replaced by itself, or retracted by what the WAL says of it (docs/adr/0004). */
    REPLAYED,
    /** The Feldera table has no key: they are there twice. */
    DOUBLED,
    /** The table has drifted since the copy began: the WAL does not say of each that it went. */
    UNTOLD;

    static Leftovers of(TablePlan plan, Optional<EditionRead> read, TableEdition now) {
        if (plan.feldera().primaryKey().isEmpty()) return DOUBLED;
        boolean told = read.filter(
                        then -> Drift.between(plan, then, Optional.of(now)).isEmpty())
                .isPresent();
        return told ? REPLAYED : UNTOLD;
    }
}
