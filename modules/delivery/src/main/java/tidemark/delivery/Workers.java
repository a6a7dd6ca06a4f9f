package tidemark.delivery;

import java.time.Duration;
import java.util.Optional;

/**
 * Who does errands, so that the loop never blocks. Implemented by {@link VirtualThreads} and by the simulation's
 * virtual time. Called by the connector's thread only.
 */
interface Workers extends AutoCloseable {
    /** @param core which core wants to know */
    record Ticket(long core, Errand errand) {}

    record Outcome(Ticket ticket, Event event) {}

    /** Begins the errand and returns at once. */
    void begin(Ticket ticket);

    /** The next errand that is over, waiting for at most {@code wait} for one. */
    Optional<Outcome> take(Duration wait);

    @Override
    void close();
}
