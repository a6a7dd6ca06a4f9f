package tidemark.decode;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * The seed of a property run: 1 unless {@code -Dtidemark.seed} says another. Printed, so that a failure can be
 * replayed.
 */
final class Seed {
    private Seed() {}

    static RandomGenerator random(String property) {
        long seed = Long.getLong("tidemark.seed", 1);
        System.out.println(property + ": replay with -Dtidemark.seed=" + seed);
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }
}
