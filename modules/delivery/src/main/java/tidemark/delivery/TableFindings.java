package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;

/**
 * What a comparison found in one table.
 *
 * @param keys of the first differences, in the order of the key: what is wrong and with which row. Values outside the
 *     key are never told
 */
public record TableFindings(
        String table,
        long postgresRows,
        long felderaRows,
        long missing,
        long extra,
        long different,
        List<String> keys) {
    static final int KEYS_MAX = 20;
    /** A key may be as long as the widest row. */
    private static final int KEY_CHARACTERS_MAX = 200;

    /** Reads both ends to their end. */
    static TableFindings of(ComparedTable table, TableComparison comparison) {
        long missing = 0;
        long extra = 0;
        long different = 0;
        List<String> keys = new ArrayList<>();
        for (var next = comparison.next(); next.isPresent(); next = comparison.next()) {
            switch (next.get()) {
                case MISSING -> missing++;
                case EXTRA -> extra++;
                case DIFFERENT -> different++;
            }
            if (keys.size() < KEYS_MAX) keys.add(told(next.get(), comparison));
        }
        return new TableFindings(
                table.plan().label(),
                comparison.postgresRows(),
                comparison.felderaRows(),
                missing,
                extra,
                different,
                List.copyOf(keys));
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
        if (differences() > keys.size()) lines.add("  and %,d more".formatted(differences() - keys.size()));
        return lines;
    }
}
