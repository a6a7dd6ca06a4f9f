package tidemark.delivery;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import tidemark.replication.ChangeSource;
import tidemark.sink.Destination;

/**
 * What outlives a session.
 *
 * @param nanos a clock that never goes back
 * @param stopAsked whether an orderly end was asked for
 * @param random for jitter
 * @param pause waits between two sessions; returns whether an orderly end was asked for meanwhile
 */
record Surroundings(
        DeliverySettings settings,
        ChangeSource source,
        Destination destination,
        RowPolicy rows,
        Notices notices,
        StateStore store,
        Errands errands,
        GhostWatch ghosts,
        EndpointCounts counts,
        Patience patience,
        StatusBoard board,
        CatalogWatch catalog,
        Comparisons comparisons,
        Resyncs resyncs,
        CrashKit crash,
        LongSupplier nanos,
        BooleanSupplier stopAsked,
        Predicate<Duration> pause,
        RandomGenerator random) {
    long now() {
        return nanos.getAsLong();
    }

    /** Ends a session that has nothing to drain. */
    void stopHere() {
        if (stopAsked.getAsBoolean()) throw new StoppedEarly();
    }
}
