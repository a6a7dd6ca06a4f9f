package tidemark.app;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which cases run: all, those of some numbers or areas, or a slice: as many as fit into {@link #SLICE}, in an order of
 * its seed, without those that are pending or heavy.
 *
 * <p>What a case takes is read from {@code cases/seconds.txt} and never measured, so that a seed means the same cases
 * on every machine, however busy it is.
 *
 * @param cases in the order of their ids
 * @param words what was chosen, for whoever reads the output
 */
record CaseSelection(List<Case> cases, String words) {
    /** Of CI's 40 minutes on 2 quiet cores; the rest takes about 10 there. */
    static final Duration SLICE = Duration.ofMinutes(4);

    /** From the system properties {@code cases.ids}, {@code cases.areas} (commas between) and {@code cases.slice}. */
    static CaseSelection fromProperties() {
        List<Case> all = CaseFiles.all();
        List<String> seed = words("cases.slice");
        return seed.isEmpty()
                ? named(all, words("cases.ids"), words("cases.areas"))
                : slice(all, CaseFiles.pending().keySet(), CaseFiles.seconds(), Long.parseLong(seed.getFirst()));
    }

    /**
     * Those of the ids (or, without a variant, numbers) that are of one of the areas; no ids or no areas mean any.
     *
     * @throws IllegalArgumentException naming every id and area that no case has
     */
    static CaseSelection named(List<Case> all, List<String> ids, List<String> areas) {
        Set<String> knownIds = new TreeSet<>();
        Set<String> knownAreas = new TreeSet<>();
        for (Case one : all) {
            knownIds.addAll(List.of(one.id(), number(one)));
            knownAreas.addAll(one.areas());
        }
        requireKnown("case", ids, knownIds);
        requireKnown("area", areas, knownAreas);
        List<Case> chosen = all.stream()
                .filter(one -> ids.isEmpty() || ids.contains(one.id()) || ids.contains(number(one)))
                .filter(one -> areas.isEmpty() || one.areas().stream().anyMatch(areas::contains))
                .toList();
        if (chosen.isEmpty()) throw new IllegalArgumentException("none of the cases %s is of %s".formatted(ids, areas));
        return new CaseSelection(chosen, "%d cases".formatted(chosen.size()));
    }

    /** @param seconds by id, for each of them */
    static CaseSelection slice(List<Case> all, Set<String> pending, Map<String, Integer> seconds, long seed) {
        List<Case> order = new ArrayList<>(all);
        order.removeIf(one -> one.heavy() || pending.contains(one.id()));
        Collections.shuffle(order, new Random(seed));
        List<Case> chosen = new ArrayList<>();
        long total = 0;
        for (Case one : order) {
            int cost = requireNonNull(seconds.get(one.id()), one.id());
            if (total + cost > SLICE.toSeconds()) continue;
            total += cost;
            chosen.add(one);
        }
        chosen.sort(Comparator.comparing(Case::id));
        return new CaseSelection(
                chosen,
                "slice of seed %d: %d of %d cases, %d s: %s"
                        .formatted(
                                seed,
                                chosen.size(),
                                all.size(),
                                total,
                                chosen.stream().map(Case::id).collect(Collectors.joining(" "))));
    }

    private static void requireKnown(String what, List<String> asked, Set<String> known) {
        List<String> unknown =
                asked.stream().filter(name -> !known.contains(name)).toList();
        if (!unknown.isEmpty())
            throw new IllegalArgumentException(
                    "no %s is %s; there are %s".formatted(what, String.join(", ", unknown), String.join(" ", known)));
    }

    private static String number(Case one) {
        return one.id().split("/", 2)[0];
    }

    private static List<String> words(String property) {
        return Arrays.stream(System.getProperty(property, "").split(","))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }
}
