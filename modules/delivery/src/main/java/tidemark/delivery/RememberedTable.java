package tidemark.delivery;

import java.util.Optional;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.delivery.ReplicationState.Stand;
import tidemark.delivery.StartPlan.Found;
import tidemark.delivery.StartPlan.Refuse;
import tidemark.delivery.StartPlan.Subject;

/**
 * A configured table beside what the state file remembers of it: whether what Feldera has of it can be built upon. A
 * part of {@link StartPlan}, and like it without I/O.
 */
record RememberedTable(Found found, Subject table) {
    /** By its oid: a table that was renamed is the same one. */
    Optional<ReplicationState.Table> known() {
        return found.state()
                .flatMap(state -> state.table(table.oid()))
                .filter(k -> k.feldera().equals(table.feldera()));
    }

    /** Why what Feldera has of the table cannot be built upon. */
    Optional<Refuse> broken() {
        if (isDoubted()) return Optional.of(miscounted());
        Optional<Refuse> recreated = recreated();
        if (recreated.isPresent()) return recreated;
        return isAccountedFor() ? Optional.empty() : Optional.of(unaccounted());
    }

    /** In this life, by somebody else's rows or a loss. */
    boolean isDoubted() {
        return found.sameLife()
                && known().filter(k -> k.stand() == Stand.DOUBTED || !table.accounted())
                        .isPresent();
    }

    /** A merge that broke: Feldera may hold what it was to take out, also rows of others through another endpoint. */
    boolean isMergedAgain() {
        boolean mayHoldRows = table.count() > 0 || found.sameLife();
        return mayHoldRows && known().filter(k -> k.stand() == Stand.MERGING).isPresent();
    }

    /** What the first one left in Feldera is nobody's to remove: of a DROP the stream says nothing. */
    private Optional<Refuse> recreated() {
        if (!found.sameLife() || table.count() == 0) return Optional.empty();
        return found.state()
                .flatMap(state -> state.table(table.postgres()))
                .filter(k -> k.oid() != table.oid() && k.feldera().equals(table.feldera()))
                .map(k -> new Refuse(
                        "table %s was dropped and made anew (oid %s, the state file knows %s), and Feldera table %s holds rows of the"
                                        .formatted(
                                                table.postgres(),
                                                Integer.toUnsignedString(table.oid()),
                                                Integer.toUnsignedString(k.oid()),
                                                table.feldera())
                                + " first one",
                        Remedy.MEND));
    }

    private Refuse miscounted() {
        return new Refuse(
                "Feldera table %s counted other operations than were sent to it, and may not hold the rows that PostgreSQL does"
                        .formatted(table.feldera()),
                "Make sure that nobody else posts to it. " + Remedy.MEND);
    }

    /** Whether the state knows why the endpoint has taken operations, if it has. */
    private boolean isAccountedFor() {
        Optional<Stand> stand = known().map(ReplicationState.Table::stand);
        boolean streamed =
                found.sameLife() && stand.filter(s -> s == Stand.UNKNOWN).isPresent();
        return table.count() == 0 || found.mode() == SnapshotMode.NEVER || (stand.isPresent() && !streamed);
    }

    private Refuse unaccounted() {
        return new Refuse(
                "Feldera table %s already took %d operations, and the state file does not say what rows they left: it is gone, or the table was not in tables for a while, or snapshot.mode was never"
                        .formatted(table.feldera(), table.count()),
                "If the state file was moved, put it back. Else: " + Remedy.MEND);
    }
}
