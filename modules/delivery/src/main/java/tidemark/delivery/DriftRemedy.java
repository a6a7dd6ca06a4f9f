package tidemark.delivery;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.DriftPolicy;

/**
 * What is done about a table that has drifted: nothing, or, by {@code drift.policy=resync}, it is asked to be read
 * again. Once for each drift: what a look still finds after the table was read again is left to be reported, so it
 * never goes round in circles. What was refused or failed is asked for again after a while, ever longer. A look that
 * finds nothing makes the table one that has not drifted.
 *
 * <p>Owned by {@link CatalogWatch}, under its lock. A restart forgets what was asked for.
 */
final class DriftRemedy {
    /** What fails may have made the others pause: a going-back. Doubled each time, up to {@link #LONGEST}. */
    static final Duration FIRST = Duration.ofMinutes(1);

    static final Duration LONGEST = Duration.ofHours(1);

    /**
     * @param drifts all that it was asked for
     * @param again when it is asked for again if it comes to nothing
     */
    private record Asked(Set<Drift> drifts, boolean refused, Duration pause, Instant again) {}

    private final boolean asks;
    private final Function<RelationName, ResyncReply> resync;
    private final Predicate<RelationName> failed;
    private final InstantSource clock;
    private final Map<RelationName, Asked> asked = new HashMap<>();

    /** @param failed whether the last time that a table was read again failed */
    DriftRemedy(
            DriftPolicy policy,
            Function<RelationName, ResyncReply> resync,
            Predicate<RelationName> failed,
            InstantSource clock) {
        this.asks = policy == DriftPolicy.RESYNC;
        this.resync = resync;
        this.failed = failed;
        this.clock = clock;
    }

    static DriftRemedy of(DeliverySettings settings, Resyncs resyncs, InstantSource clock) {
        return new DriftRemedy(settings.driftPolicy(), resyncs::request, resyncs::hasFailed, clock);
    }

    /** @param found all that a look has found of the table */
    void found(RelationName table, List<Drift> found) {
        if (!asks) return;
        if (found.isEmpty()) {
            asked.remove(table);
            return;
        }
        Optional<Asked> before = Optional.ofNullable(asked.get(table));
        boolean known = before.filter(of -> of.drifts.containsAll(found)).isPresent();
        if (known && !isDue(table, before.orElseThrow())) return;
        switch (resync.apply(table)) {
            case ResyncReply.Accepted _ -> asked(table, found, before, known, false);
            case ResyncReply.Refused _, ResyncReply.UnknownTable _ -> asked(table, found, before, known, true);
            // It may have begun before: the next look asks again, if the drift is still there.
            case ResyncReply.UnderWay _, ResyncReply.NotStreaming _ -> {}
        }
    }

    private boolean isDue(RelationName table, Asked before) {
        return (before.refused || failed.test(table)) && !clock.instant().isBefore(before.again);
    }

    private void asked(RelationName table, List<Drift> found, Optional<Asked> before, boolean known, boolean refused) {
        Set<Drift> drifts = new HashSet<>(found);
        before.ifPresent(of -> drifts.addAll(of.drifts));
        Duration doubled = known ? before.orElseThrow().pause.multipliedBy(2) : FIRST;
        Duration pause = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        asked.put(table, new Asked(drifts, refused, pause, clock.instant().plus(pause)));
    }
}
