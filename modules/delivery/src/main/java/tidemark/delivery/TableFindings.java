package tidemark.delivery;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What a comparison found in one table.
 *
 * @param named so many of the differences are in {@code keys}
 * @param keys of the first differences, in the order of the key: what is wrong and with which row. Values outside the
 *     key are never told, so a row of a table without key is named by the hash of its values, once for all of its kind
 */
public record TableFindings(
        String table,
        long postgresRows,
        long felderaRows,
        long missing,
        long extra,
        long different,
        long named,
        List<String> keys) {
    static final int KEYS_MAX = 20;
    /** A key may be as long as the widest row. */
    private static final int KEY_CHARACTERS_MAX = 200;

    /**
     * Reads both ends to their end.
     *
     * @param extra is called at each row that only Feldera has
     */
    static TableFindings of(ComparedTable table, TableComparison comparison, Runnable extra) {
        long missing = 0;
        long onlyFeldera = 0;
        long different = 0;
        var keys = new Keys();
        for (var next = comparison.next(); next.isPresent(); next = comparison.next()) {
            TableComparison.Difference difference = next.get();
            switch (difference) {
                case MISSING -> missing++;
                case EXTRA -> {
                    onlyFeldera++;
                    extra.run();
                }
                case DIFFERENT -> different++;
            }
            keys.add(() -> told(difference, comparison));
        }
        return new TableFindings(
                table.plan().label(),
                comparison.postgresRows(),
                comparison.felderaRows(),
                missing,
                onlyFeldera,
                different,
                keys.named,
                keys.told());
    }

    /** The first ones; what is said again, of the same row in a table without key, is counted. */
    private static final class Keys {
        private final Map<String, Long> times = new LinkedHashMap<>();
        private long named;
        private boolean over;

        void add(Supplier<String> difference) {
            if (over) return;
            String told = difference.get();
            over = times.size() == KEYS_MAX && !times.containsKey(told);
            if (over) return;
            times.merge(told, 1L, Long::sum);
            named++;
        }

        List<String> told() {
            return times.entrySet().stream()
                    .map(key -> key.getValue() == 1
                            ? key.getKey()
                            : "%s, %,d times".formatted(key.getKey(), key.getValue()))
                    .toList();
        }
    }

    private static String told(TableComparison.Difference difference, TableComparison comparison) {
        String key = comparison.key();
        if (key.length() > KEY_CHARACTERS_MAX) key = key.substring(0, KEY_CHARACTERS_MAX) + "…";
        return switch (difference) {
            case MISSING -> "missing " + key;
            case EXTRA -> "extra " + key;
            case DIFFERENT -> "different %s in %s".formatted(key, String.join(", ", comparison.differingColumns()));
        };
    }

    public boolean areNone() {
        return differences() == 0;
    }

    private long differences() {
        return missing + extra + different;
    }

    /** For the log. */
    String counted() {
        return "rows=%d missing=%d extra=%d different=%d".formatted(postgresRows, missing, extra, different);
    }

    /** For people: the counts, then the keys. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("%s: %,d rows in PostgreSQL, %,d in Feldera: %s"
                .formatted(
                        table,
                        postgresRows,
                        felderaRows,
                        areNone()
                                ? "the same"
                                : "%,d missing, %,d extra, %,d different".formatted(missing, extra, different)));
        keys.forEach(key -> lines.add("  " + key));
        if (differences() > named) lines.add("  and %,d more".formatted(differences() - named));
        return lines;
    }
}
