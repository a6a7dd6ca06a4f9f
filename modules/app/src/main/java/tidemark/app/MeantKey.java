package tidemark.app;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/** Guesses which key was meant by one that there is not. */
final class MeantKey {
    /** More is another word. */
    private static final int SLIPS_MAX = 3;

    private MeantKey() {}

    /** The key that someone who wrote {@code unknown} probably meant. */
    static Optional<String> nearest(String unknown) {
        return SettingsCatalog.ALL.stream()
                .map(Setting::key)
                .filter(key -> distance(key, unknown) <= SLIPS_MAX)
                .min(Comparator.comparingInt(key -> distance(key, unknown)));
    }

    /** Levenshtein's: insertions, deletions and substitutions from one to the other. */
    private static int distance(String from, String to) {
        int[] row = IntStream.rangeClosed(0, to.length()).toArray();
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int substituted = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
