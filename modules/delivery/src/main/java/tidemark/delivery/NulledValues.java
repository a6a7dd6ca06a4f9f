package tidemark.delivery;

import java.lang.System.Logger.Level;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the values that went as null because Feldera's type has no such value, by PostgreSQL table and Feldera column,
 * and warns of each column once. Counts what was encoded: a replay counts again.
 *
 * <p>Lives as long as the process. Counted by the encoding thread, read by any.
 */
public final class NulledValues {
    private static final System.Logger LOG = System.getLogger(NulledValues.class.getName());

    /** How many values of one column went as null. */
    public record Count(String table, String column, long values) {}

    private record Place(String table, String column) {}

    private final ConcurrentMap<Place, Counter> counters = new ConcurrentHashMap<>();

    /** Nothing counted yet. */
    public NulledValues() {}

    Counter counter(String table, String column) {
        return counters.computeIfAbsent(new Place(table, column), Counter::new);
    }

    /** Of every column that met such a value, ordered by name. */
    public List<Count> counts() {
        return counters.values().stream()
                .map(counter -> new Count(counter.place.table, counter.place.column, counter.values.sum()))
                .filter(count -> count.values > 0)
                .sorted(Comparator.comparing(Count::table).thenComparing(Count::column))
                .toList();
    }

    /** One column's. */
    static final class Counter {
        private final Place place;
        private final LongAdder values = new LongAdder();
        /** Touched by the encoding thread only. */
        private boolean warned;

        private Counter(Place place) {
            this.place = place;
        }

        void count(String why) {
            values.increment();
            if (warned) return;
            warned = true;
            LOG.log(
                    Level.WARNING,
                    "sent null table={0} column={1} instead=\"{2}\" setting=values.unrepresentable",
                    place.table,
                    place.column,
                    why);
        }
    }
}
