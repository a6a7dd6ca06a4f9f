package tidemark.app;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Which cases run: all, those of some numbers or areas, or a slice, which is as many as fit into its time, in an order
 * of its seed, without those that are pending or heavy.
 *
 * @param budget after which no further case is begun
 */
record CaseSelection(List<Case> cases, Optional<Duration> budget) {
    private static final Duration SLICE = Duration.ofMinutes(4);

    /** From the system properties {@code cases.ids}, {@code cases.areas} (commas between) and {@code cases.slice}. */
    static CaseSelection of(List<Case> all, Set<String> pending) {
        List<String> ids = words("cases.ids");
        List<String> areas = words("cases.areas");
        List<Case> chosen = new ArrayList<>(all.stream()
                .filter(one -> ids.isEmpty() || ids.contains(one.id()) || ids.contains(number(one)))
                .filter(one -> areas.isEmpty() || one.areas().stream().anyMatch(areas::contains))
                .toList());
        Optional<Long> seed = words("cases.slice").stream().findFirst().map(Long::valueOf);
        if (seed.isPresent()) {
            chosen.removeIf(one -> one.heavy() || pending.contains(one.id()));
            Collections.shuffle(chosen, new Random(seed.get()));
        }
        if (chosen.isEmpty()) throw new IllegalArgumentException("no case is " + ids + areas);
        return new CaseSelection(chosen, seed.map(_ -> SLICE));
    }

    private static String number(Case one) {
        return one.id().split("/", 2)[0];
    }

    private static List<String> words(String property) {
        String text = System.getProperty(property, "");
        return text.isBlank() ? List.of() : List.of(text.split(","));
    }
}
