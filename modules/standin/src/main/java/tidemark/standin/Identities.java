package tidemark.standin;

import java.time.Clock;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** UUIDs of version 7, as Feldera gives them to pipelines, deployments and incarnations. */
final class Identities {
    private final Clock clock;
    private final RandomGenerator random;

    Identities(Clock clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    String next() {
        return uuid().toString();
    }

    synchronized UUID uuid() {
        long high = clock.millis() << 16 | 0x7000 | random.nextLong(0x1000);
        long low = random.nextLong() >>> 2 | Long.MIN_VALUE;
        return new UUID(high, low);
    }
}
