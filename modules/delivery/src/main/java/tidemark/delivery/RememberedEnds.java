package tidemark.delivery;

import java.util.Optional;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.delivery.ReplicationState.Stand;
import tidemark.delivery.StartPlan.Found;
import tidemark.delivery.StartPlan.Refuse;

/**
 * The two ends as the state file remembers them, beside those that were found: whether they are the same, at the same
 * point of the same history. A part of {@link StartPlan}, and like it without I/O.
 */
record RememberedEnds(ReplicationState state, Found found) {
    /**
     * PostgreSQL sends nothing that is not on its disk: it never comes back shorter than what was confirmed (R1).
     * Whatever the pipeline and the slot are now, the position must not be confirmed again to WAL that is yet to be
     * written, nor Feldera be taken back to what a standby has that lags.
     */
    Optional<Refuse> putBack() {
        if (!found.sameTimeline() || !state.newest().isAfter(found.walEnd())) return Optional.empty();
        return Optional.of(new Refuse(
                "PostgreSQL's WAL ends at %s, before %s, which was confirmed or copied here: it was put back to an older copy of itself"
                        .formatted(found.walEnd(), state.newest()),
                "If this is a standby that has not replayed so far, start again when it has. Otherwise Feldera holds rows that"
                        + " PostgreSQL has forgotten. " + Remedy.START_OVER));
    }

    /** The same ends, at another point of time. */
    Optional<Refuse> inAnotherHistory() {
        if (!found.sameTimeline()) {
            return Optional.of(new Refuse(
                    "the server is on timeline %d, and the state file knows timeline %d: it was promoted or restored"
                            .formatted(found.source().timeline(), state.origin().timeline()),
                    "Point postgres.url at the one that was not. Or: " + Remedy.MEND));
        }
        if (found.sameLife() || found.fresh()) return Optional.empty();
        return Optional.of(new Refuse(
                "the pipeline was restarted from a checkpoint (incarnation %s, the state file knows %s): it may have lost rows that"
                                .formatted(found.incarnation(), state.target().incarnation())
                        + " PostgreSQL was already told to forget",
                Remedy.MEND));
    }

    Optional<Refuse> areOthers() {
        var now = ReplicationState.Origin.of(found.source());
        if (!state.origin().isSameDatabase(now)) {
            return Optional.of(new Refuse(
                    "the state file belongs to another source: it says %s, this is %s".formatted(state.origin(), now),
                    "Point postgres.url and postgres.slot at that one. For a second service choose another state.file and another"
                            + " pipeline: in this one the rows of the first source would be deleted. "
                            + Remedy.START_OVER));
        }
        if (found.sameLife()) return Optional.empty();
        if (!state.target().address().equals(found.address())) {
            return Optional.of(new Refuse(
                    "the state file belongs to another pipeline: it says %s, this is %s"
                            .formatted(state.target().address(), found.address()),
                    "Point feldera.url and feldera.pipeline at that one, or choose another state.file and slot."));
        }
        return Optional.empty();
    }

    /** What was delivered went with the life before. Only where that is not to be mended. */
    Optional<Refuse> emptied() {
        boolean delivered = state.tables().stream().anyMatch(table -> !isYetToBeRead(table.stand()));
        if (found.sameLife() || !delivered) return Optional.empty();
        return Optional.of(new Refuse(
                inAnotherLife() + ": what was delivered to it is gone",
                found.mode() == SnapshotMode.NEVER
                        ? Remedy.MEND + " To go on without what was there, remove the state file."
                        : Remedy.MEND));
    }

    /** Of a life that began empty. */
    String inAnotherLife() {
        return "the pipeline came back empty (incarnation %s, the state file knows %s)"
                .formatted(found.incarnation(), state.target().incarnation());
    }

    private static boolean isYetToBeRead(Stand stand) {
        return stand == Stand.PENDING || stand == Stand.MERGING;
    }
}
