package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tidemark.decode.Lsn;
import tidemark.decode.PgOutputMessage.Relation;
import tidemark.decode.RelationName;
import tidemark.replication.TableShape.UniqueKey;

/**
 * Decides in which tables two rows may have had one Feldera key for a while, at the point of WAL that is read, and has
 * what their transactions amount to (docs/adr/0013). The catalog shows the unique keys of now: one that it did not show
 * before counts for transactions that commit after it was first seen. Until then the table's keys may meet, as a
 * DEFERRABLE one may have been in its place.
 *
 * <p>Owned by the delivery loop. A crash loses the keys that were seen since the session began; the next one finds them
 * anew, and later.
 */
final class MeetingKeys {
    private static final Logger LOG = System.getLogger("tidemark.delivery");

    /** @param after transactions that commit after it go by the plan */
    private record Awaited(TablePlan plan, Lsn after) {}

    private final CatalogNow catalog;
    private final Map<RelationName, Awaited> awaited = new HashMap<>();
    private final Map<RelationName, NetChanges> nets = new LinkedHashMap<>();
    /** Awaited ones, a partition of which has logged whole rows: nothing shows its own key. */
    private final Set<RelationName> unproven = new HashSet<>();

    MeetingKeys(CatalogNow catalog) {
        this.catalog = catalog;
    }

    /** With those of its keys alone that were there when what is streamed next was written. */
    TablePlan begin(TablePlan plan, ReplicationState.Table stands) {
        Map<String, Lsn> known = new HashMap<>();
        for (UniqueKey key : plan.shape().uniqueKeys()) {
            stands.edition().flatMap(read -> read.knownFrom(key.mark())).ifPresent(from -> known.put(key.mark(), from));
        }
        TablePlan then = withKeysOf(
                plan,
                plan.shape().uniqueKeys(),
                known.entrySet().stream()
                        .filter(key -> !key.getValue().isAfter(stands.position()))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toUnmodifiableSet()));
        TablePlan later = withKeysOf(plan, plan.shape().uniqueKeys(), known.keySet());
        return await(then, later, known.values().stream().reduce(Lsn.ZERO, Lsn::later));
    }

    /**
     * Of a key that the message does not show, or of a partitioned table, the catalog is asked, now, not at this point
     * of WAL: the older answer is let go only for one that is more careful.
     */
    TablePlan learn(TablePlan plan, Relation relation) {
        boolean careful = plan.keysMayMeet() && !awaited.containsKey(plan.postgres());
        boolean shown = plan.showsUniqueKey(relation);
        if (plan.feldera().primaryKey().isEmpty() || careful || (shown && !isPartitioned(plan))) return plan;
        List<UniqueKey> now = catalog.uniqueKeys(relation.relationId());
        TablePlan later = plan.withUniqueKeys(now);
        if (shown && !later.keysMayMeet()) return plan;
        TablePlan then = withKeysOf(
                plan,
                now,
                plan.shape().uniqueKeys().stream().map(UniqueKey::mark).collect(Collectors.toUnmodifiableSet()));
        return then.keysMayMeet() ? await(then, later, catalog.after()) : plan;
    }

    private static TablePlan withKeysOf(TablePlan plan, List<UniqueKey> keys, Set<String> marks) {
        return plan.withUniqueKeys(
                keys.stream().filter(key -> marks.contains(key.mark())).toList());
    }

    /** Returns by what it goes until then. */
    private TablePlan await(TablePlan then, TablePlan later, Lsn after) {
        Awaited known = awaited.remove(then.postgres());
        if (!then.keysMayMeet() || later.keysMayMeet()) return then;
        if (known != null && known.plan().equals(later)) {
            awaited.put(then.postgres(), known);
            return then;
        }
        awaited.put(then.postgres(), new Awaited(later, after));
        LOG.log(
                Level.INFO,
                "keys may meet table={0} until={1} why=\"the unique key that PostgreSQL has now may be newer\"",
                then.postgres(),
                after);
        return then;
    }

    /** A transaction begins: of which tables the keys meet no more, by the plan that holds from here on. */
    List<TablePlan> passed(Lsn commitLsn) {
        if (awaited.isEmpty()) return List.of();
        List<TablePlan> passed = new ArrayList<>();
        awaited.values().removeIf(table -> commitLsn.isAfter(table.after()) && passed.add(table.plan()));
        for (TablePlan plan : passed) {
            nets.remove(plan.postgres());
            unproven.remove(plan.postgres());
        }
        return passed;
    }

    /** Once its keys may meet, they may for the rest of the transaction, and as long as it is not known to be over. */
    Optional<NetChanges> net(TablePlan plan, Relation relation) {
        boolean meet = plan.keysMayMeet() && !isProven(plan, relation);
        if (!meet && !nets.containsKey(plan.postgres())) return Optional.empty();
        NetChanges net = nets.computeIfAbsent(plan.postgres(), _ -> new NetChanges(plan));
        net.learn(relation.columns());
        return Optional.of(net);
    }

    /**
     * The identity of a root says nothing of its partitions' keys: that they are immediate the catalog tells, for what
     * it has seen, and before that each partition's own identity, which is never an index that is DEFERRABLE.
     */
    private boolean isProven(TablePlan plan, Relation relation) {
        boolean byPartitions = awaited.containsKey(plan.postgres()) && !unproven.contains(plan.postgres());
        return plan.showsUniqueKey(relation) && (!isPartitioned(plan) || byPartitions);
    }

    /**
     * A row of this partition comes next. Returns whether the table's rows went by less than they have to, from here.
     */
    boolean losesProof(TablePlan plan, LeafIdentity of) {
        return awaited.containsKey(plan.postgres()) && !of.isOfAnIndex() && unproven.add(plan.postgres());
    }

    private static boolean isPartitioned(TablePlan plan) {
        return plan.shape().partitions().isPresent();
    }

    /** If its keys may meet, as far as was seen. */
    Optional<NetChanges> net(RelationName table) {
        return Optional.ofNullable(nets.get(table));
    }

    /** Of every table whose keys may meet. */
    Collection<NetChanges> nets() {
        return nets.values();
    }
}
