package tidemark.standin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Which faults await which requests, in the order of injection. Thread safe. */
final class FaultRules {
    private final List<Injection> rules = new ArrayList<>();

    /** What one request is to suffer. */
    record Suffering(List<HttpFault> faults) {
        /** The sum of all. */
        Duration latency(Direction direction) {
            return faults.stream()
                    .map(fault -> fault instanceof HttpFault.Latency(Direction of, Duration delay) && of == direction
                            ? delay
                            : Duration.ZERO)
                    .reduce(Duration.ZERO, Duration::plus);
        }

        /** The slowest of all. */
        OptionalLong bytesPerSecond(Direction direction) {
            return faults.stream()
                    .filter(HttpFault.SlowBody.class::isInstance)
                    .map(HttpFault.SlowBody.class::cast)
                    .filter(slow -> slow.direction() == direction)
                    .mapToLong(HttpFault.SlowBody::bytesPerSecond)
                    .min();
        }

        Optional<HttpFault.Outcome> outcome() {
            return faults.stream()
                    .filter(HttpFault.Outcome.class::isInstance)
                    .map(HttpFault.Outcome.class::cast)
                    .findFirst();
        }
    }

    synchronized void add(Injection rule) {
        rules.add(rule);
    }

    synchronized void clear() {
        rules.forEach(Injection::clear);
        rules.clear();
    }

    /** Spends what matches; of outcomes only the first, so that the next one is left for the next request. */
    synchronized Suffering take(HttpHead request) {
        List<HttpFault> taken = new ArrayList<>();
        boolean ends = false;
        for (Injection rule : rules) {
            boolean isOutcome = rule.fault() instanceof HttpFault.Outcome;
            if ((isOutcome && ends) || !rule.where().matches(request) || !rule.spend()) continue;
            taken.add(rule.fault());
            ends |= isOutcome;
        }
        rules.removeIf(Injection::isSpent);
        return new Suffering(taken);
    }
}
