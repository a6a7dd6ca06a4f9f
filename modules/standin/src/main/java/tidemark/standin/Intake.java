package tidemark.standin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * What one step takes from which endpoint. Each endpoint keeps its order; between endpoints there is none (feldera.md
 * 5.4): scrambled, a step leaves endpoints out, takes little of one and all of another, and applies them in any order.
 */
final class Intake {
    /** {@code max_batch_size} of HTTP endpoints, 10 000 for each of Feldera's workers, of which there are two here. */
    private static final int STEP_RECORDS = 20_000;

    private Intake() {}

    /** At least one endpoint has something queued. */
    static List<Fed> take(Collection<Endpoint> endpoints, long step, Optional<Random> scrambler) {
        List<Fed> fed = new ArrayList<>();
        if (scrambler.isEmpty()) {
            endpoints.forEach(endpoint -> feed(endpoint, step, STEP_RECORDS, fed));
            return fed;
        }
        Random random = scrambler.get();
        List<Endpoint> queued = new ArrayList<>(endpoints);
        queued.removeIf(Endpoint::isEmpty);
        Collections.shuffle(queued, random);
        for (int i = 0; i < queued.size(); i++) {
            if (i == 0 || random.nextBoolean()) {
                feed(queued.get(i), step, random.nextBoolean() ? 1 : STEP_RECORDS, fed);
            }
        }
        return fed;
    }

    private static void feed(Endpoint endpoint, long step, int enough, List<Fed> fed) {
        endpoint.feed(step, enough).forEach(chunk -> fed.add(new Fed(endpoint, chunk)));
    }
}
