package tidemark.delivery;

import java.lang.System.Logger.Level;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the values that went as null, or with a null in them, because Feldera's type has no such value, by PostgreSQL
 * table and Feldera column, and warns of each column once. Counts what was encoded: a replay counts again.
 *
 * <p>Lives as long as the process. Counted by whichever thread encodes, several of them while a table is copied; read
 * by any.
 */
public final class NulledValues {
    private static final System.Logger LOG = System.getLogger(NulledValues.class.getName());

    /** How many values of one column went as null, or with a null for one of their elements or fields. */
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
        private final AtomicBoolean warned = new AtomicBoolean();

        private Counter(Place place) {
            this.place = place;
        }

        /** Returns whether it is the first. */
        boolean count() {
            values.increment();
            return !warned.get() && !warned.getAndSet(true);
        }

        /**
         * @param what became of the value
         * @param why in words, without the value
         * @param key of the row, as {@link KeyHash} says it
         */
        void warn(String what, String why, String key) {
            LOG.log(
                    Level.WARNING,
                    "sent {0} table={1} column={2} key_md5={3} instead=\"{4}\" setting=values.unrepresentable",
                    what,
                    place.table,
                    place.column,
                    key,
                    why);
        }
    }
}
