package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A first slice of what {@code ./dev sim} runs by the ten thousand. */
class DeliverySimulationTest {
    private static final long SEEDS = 300;
    /** Found broken once; kept, though what a seed does changes with the script. */
    private static final long[] ONCE_BROKEN = {11146, 11317, 11439};

    private final Logger log = Logger.getLogger("tidemark");

    @BeforeEach
    void nobodyReadsTheLogOfAThousandSessions() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void logAgain() {
        log.setLevel(null);
    }

    @Test
    void everyPromiseHoldsWhateverBreaks() {
        LongStream.concat(LongStream.range(0, SEEDS), LongStream.of(ONCE_BROKEN))
                .parallel()
                .forEach(seed -> assertThat(Simulation.of(seed).violation())
                        .as("./dev sim --seed %d --trace", seed)
                        .isEmpty());
    }

    /** A failing seed is the whole report only then. */
    @Test
    void aSeedIsAlwaysTheSameStory() {
        Simulation once = Simulation.traced(7);
        Simulation again = Simulation.traced(7);
        assertThat(once.violation()).isEqualTo(again.violation());
        assertThat(once.trace()).hasSizeGreaterThan(20).isEqualTo(again.trace());
    }
}
