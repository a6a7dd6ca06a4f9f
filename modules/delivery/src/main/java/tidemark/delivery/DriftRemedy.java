package tidemark.delivery;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.DriftPolicy;

/**
 * What is done about a table that has drifted: nothing, or, by {@code drift.policy=resync}, it is asked to be read
 * again. Once for each kind: what a look still finds right after that is left to be reported, so it never goes round in
 * circles. A look that finds nothing makes the table one that has not drifted.
 *
 * <p>Owned by {@link CatalogWatch}, under its lock. A restart forgets what was asked for.
 */
final class DriftRemedy {
    private final boolean asks;
    private final Function<RelationName, ResyncReply> resync;
    private final Map<RelationName, Set<DriftKind>> asked = new HashMap<>();

    DriftRemedy(DriftPolicy policy, Function<RelationName, ResyncReply> resync) {
        this.asks = policy == DriftPolicy.RESYNC;
        this.resync = resync;
    }

    static DriftRemedy of(DeliverySettings settings, Resyncs resyncs) {
        return new DriftRemedy(settings.driftPolicy(), resyncs::request);
    }

    /** @param found all that a look has found of the table */
    void found(RelationName table, List<Drift> found) {
        if (!asks) return;
        if (found.isEmpty()) {
            asked.remove(table);
            return;
        }
        Set<DriftKind> before = asked.computeIfAbsent(table, _ -> EnumSet.noneOf(DriftKind.class));
        List<DriftKind> kinds = found.stream().map(Drift::kind).toList();
        if (before.containsAll(kinds)) return;
        switch (resync.apply(table)) {
            case ResyncReply.Accepted _, ResyncReply.Refused _, ResyncReply.UnknownTable _ -> before.addAll(kinds);
            // It may have begun before: the next look asks again, if the drift is still there.
            case ResyncReply.UnderWay _, ResyncReply.NotStreaming _ -> {}
        }
    }
}
