package tidemark.delivery;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import tidemark.replication.ChangeSource;
import tidemark.sink.Destination;

/**
 * What outlives a session.
 *
 * @param nanos a clock that never goes back
 * @param stopAsked whether an orderly end was asked for
 */
record Surroundings(
        DeliverySettings settings,
        ChangeSource source,
        Destination destination,
        RowPolicy rows,
        StateFile file,
        Errands errands,
        GhostWatch ghosts,
        Patience patience,
        StatusBoard board,
        LongSupplier nanos,
        BooleanSupplier stopAsked) {
    long now() {
        return nanos.getAsLong();
    }

    /** Ends a session that has nothing to drain. */
    void stopHere() {
        if (stopAsked.getAsBoolean()) throw new StoppedEarly();
    }
}
