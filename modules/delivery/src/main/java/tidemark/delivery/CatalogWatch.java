package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tidemark.decode.RelationName;
import tidemark.replication.ChangeSource;
import tidemark.replication.TableEdition;

/**
 * Watches for what the stream never tells: what happens to a table's rows without a row in the WAL
 * (docs/operations.md). Reports it, in the log once and on the {@link StatusBoard} for as long as it lasts, which is
 * until the table is read again; what is done about it is {@link DriftRemedy}'s.
 *
 * <p>{@link #begin} and {@link #seenBy} are called by the connector's thread, {@link #look} by one of its own: it asks
 * on the monitor's connection, and what goes wrong there ends no session. A crash loses nothing that the next look does
 * not find again, but for a partition that came and went since the last write of the state.
 */
final class CatalogWatch {
    private static final Logger LOG = System.getLogger("tidemark.delivery");

    private record Watched(TablePlan plan, EditionRead read) {}

    private final ChangeSource source;
    private final StatusBoard board;
    private final DriftRemedy remedy;
    private final InstantSource clock;
    /** Written under the lock; read without one by {@link #seenBy}, which may not wait. */
    private volatile List<Watched> watched = List.of();
    /** All that is there now, and when it was first seen. */
    private Map<Drift, Instant> known = new HashMap<>();

    private boolean blind;

    CatalogWatch(ChangeSource source, StatusBoard board, DriftRemedy remedy, InstantSource clock) {
        this.source = source;
        this.board = board;
        this.remedy = remedy;
        this.clock = clock;
    }

    /**
     * From here on these tables are watched.
     *
     * @param from with the edition of each that was read, or is about to be
     * @param now what the catalog shows
     */
    synchronized void begin(List<TablePlan> plans, ReplicationState from, List<TableEdition> now) {
        List<Watched> tables = new ArrayList<>();
        for (TablePlan plan : plans) {
            from.table(plan.postgres())
                    .flatMap(ReplicationState.Table::edition)
                    .ifPresent(read -> tables.add(new Watched(plan, read)));
        }
        watched = List.copyOf(tables);
        compare(now);
    }

    void look() {
        List<Watched> asked = watched;
        if (asked.isEmpty()) return;
        try {
            compare(asked, source.editions(names(asked)));
        } catch (RuntimeException e) { // of whatever kind: it ends neither a session nor the watching
            unseen(FailurePolicy.of(e));
        }
    }

    private static List<RelationName> names(List<Watched> tables) {
        return tables.stream().map(table -> table.plan().postgres()).toList();
    }

    /** A session that began while the catalog was asked knows better. */
    private synchronized void compare(List<Watched> asked, List<TableEdition> now) {
        blind = false;
        if (watched.equals(asked)) compare(now);
    }

    private void compare(List<TableEdition> now) {
        Map<Drift, Instant> found = new HashMap<>();
        see(now);
        for (Watched table : watched) {
            List<ConnectorStatus.Drift> shown = new ArrayList<>();
            List<Drift> drifts = Drift.between(
                    table.plan(), table.read(), edition(now, table.plan().postgres()));
            for (Drift drift : drifts) {
                Instant since = known.getOrDefault(drift, clock.instant());
                if (!known.containsKey(drift)) tell(drift);
                found.put(drift, since);
                shown.add(new ConnectorStatus.Drift(
                        drift.kind(),
                        drift.finding().what() + ": " + drift.finding().why(),
                        drift.finding().remedy(),
                        since));
            }
            board.of(table.plan().postgres()).drifts(shown);
            remedy.found(table.plan().postgres(), drifts);
        }
        known = found;
    }

    /** A partition that comes and goes has been there, and the rows that it had then are in Feldera. */
    private void see(List<TableEdition> now) {
        List<Watched> seen = watched.stream()
                .map(table -> edition(now, table.plan().postgres())
                        .map(edition -> new Watched(table.plan(), table.read().seeing(edition)))
                        .orElse(table))
                .toList();
        if (!seen.equals(watched)) watched = seen;
    }

    /**
     * With what was seen since of the editions that it has, for the next write. Never waits. By the connector's thread.
     */
    ReplicationState seenBy(ReplicationState state) {
        List<Watched> seen = watched;
        return state.with(state.tables().stream()
                .map(table -> table.edition()
                        .flatMap(read -> seen(seen, table.postgres(), read))
                        .map(table::of)
                        .orElse(table))
                .toList());
    }

    private static Optional<EditionRead> seen(List<Watched> watched, RelationName name, EditionRead read) {
        return watched.stream()
                .filter(table -> table.plan().postgres().equals(name))
                .map(Watched::read)
                .filter(newer -> newer.edition().equals(read.edition()))
                .findFirst();
    }

    private static Optional<TableEdition> edition(List<TableEdition> now, RelationName name) {
        return now.stream().filter(table -> table.name().equals(name)).findFirst();
    }

    private static void tell(Drift drift) {
        LOG.log(
                Level.WARNING,
                "drift kind={0} what=\"{1}\" why=\"{2}\" remedy=\"{3}\"",
                drift.kind().name().toLowerCase(Locale.ROOT),
                drift.finding().what(),
                drift.finding().why(),
                drift.finding().remedy());
    }

    /** What passes is the monitor's to tell; what does not is told once. */
    private synchronized void unseen(Failure failure) {
        boolean tell = !blind && !(failure instanceof Failure.Transient);
        blind = blind || tell;
        LOG.log(
                tell ? Level.WARNING : Level.DEBUG,
                "catalog not seen why=\"{0}\" remedy=\"{1}\"",
                failure.what(),
                failure.remedy());
    }
}
