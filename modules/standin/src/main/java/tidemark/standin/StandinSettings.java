package tidemark.standin;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How the stand-in behaves from its start.
 *
 * @param port on loopback; 0 for a free one
 * @param stepDelay how long each step takes before its rows are visible
 * @param apiServerLimit after which the API server answers 503 for a pipeline that has not answered; the request goes
 *     on
 * @param apiKey what clients must send as their bearer token; empty for no authentication
 * @param edition what survives a restart, and whether there are checkpoints
 * @param clock for start times
 * @param random for incarnations and other identities
 */
public record StandinSettings(
        int port,
        Duration stepDelay,
        Duration apiServerLimit,
        Optional<String> apiKey,
        Edition edition,
        Clock clock,
        RandomGenerator random) {

    /** A free port, immediate steps, Feldera's 30 seconds, no authentication. */
    public static StandinSettings defaults() {
        return new StandinSettings(
                0,
                Duration.ZERO,
                Duration.ofSeconds(30),
                Optional.empty(),
                Edition.OPEN_SOURCE,
                Clock.systemUTC(),
                new SecureRandom());
    }

    /** The same on this port. */
    public StandinSettings withPort(int wanted) {
        return new StandinSettings(wanted, stepDelay, apiServerLimit, apiKey, edition, clock, random);
    }

    /** The same with steps that take so long. */
    public StandinSettings withStepDelay(Duration delay) {
        return new StandinSettings(port, delay, apiServerLimit, apiKey, edition, clock, random);
    }

    /** The same with an API server that waits so long. */
    public StandinSettings withApiServerLimit(Duration limit) {
        return new StandinSettings(port, stepDelay, limit, apiKey, edition, clock, random);
    }

    /** The same, closed to everybody without this key. */
    public StandinSettings withApiKey(String key) {
        return new StandinSettings(port, stepDelay, apiServerLimit, Optional.of(key), edition, clock, random);
    }

    /** The same as this edition of Feldera. */
    public StandinSettings withEdition(Edition other) {
        return new StandinSettings(port, stepDelay, apiServerLimit, apiKey, other, clock, random);
    }

    /** The same with this clock and this randomness. */
    public StandinSettings with(Clock otherClock, RandomGenerator otherRandom) {
        return new StandinSettings(port, stepDelay, apiServerLimit, apiKey, edition, otherClock, otherRandom);
    }
}
