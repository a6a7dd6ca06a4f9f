package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tidemark.decode.Lsn;
import tidemark.decode.Tuple;
import tidemark.delivery.TableComparison.Difference;
import tidemark.replication.SharedCopy;
import tidemark.replication.Snapshot;
import tidemark.replication.SortColumn;
import tidemark.replication.TableCopy;
import tidemark.replication.TableShape;

/**
 * Two random sorted sets of rows, with differences planted: the comparison finds exactly these. Replay one seed by its
 * number in the name.
 */
class TableComparisonProperties {
    private static final int SEEDS = 200;

    private static final ComparedTable TABLE = ComparedTable.of(new TableFixture("t")
            .both("a", 20, "BIGINT!")
            .both("b", TableFixture.TEXT, "VARCHAR!")
            .both("price", 1700, "DECIMAL(20,4)")
            .both("note", TableFixture.TEXT, "VARCHAR")
            .key("b", "a")
            .plan());

    /** In the order of the Feldera key. */
    private record Key(String b, long a) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int order = Arrays.compareUnsigned(utf8(b), utf8(other.b));
            return order != 0 ? order : Long.compare(a, other.a);
        }
    }

    private record Value(Optional<BigDecimal> price, Optional<String> note) {}

    @TestFactory
    List<DynamicTest> findsExactlyWhatWasPlanted() {
        List<DynamicTest> tests = new ArrayList<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            long replay = seed;
            tests.add(DynamicTest.dynamicTest("seed " + seed, () -> runSeed(replay)));
        }
        return tests;
    }

    private static void runSeed(long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        Map<Key, Value> postgres = new TreeMap<>();
        int rows = random.nextInt(60);
        while (postgres.size() < rows) postgres.put(key(random), value(random));
        Map<Key, Value> feldera = new TreeMap<>(postgres);
        Map<Key, Difference> planted = new TreeMap<>();
        for (int i = random.nextInt(12); i > 0; i--) plant(random, postgres, feldera, planted);
        assertThat(found(postgres, feldera)).isEqualTo(planted);
    }

    private static void plant(
            RandomGenerator random, Map<Key, Value> postgres, Map<Key, Value> feldera, Map<Key, Difference> planted) {
        Key any = postgres.isEmpty() || random.nextInt(3) == 0
                ? key(random)
                : List.copyOf(postgres.keySet()).get(random.nextInt(postgres.size()));
        if (planted.containsKey(any)) return;
        Value there = postgres.get(any);
        if (there == null) {
            feldera.put(any, value(random));
            planted.put(any, Difference.EXTRA);
        } else if (random.nextBoolean()) {
            feldera.remove(any);
            planted.put(any, Difference.MISSING);
        } else {
            Value other = value(random);
            feldera.put(any, other);
            boolean same = other.note().equals(there.note())
                    && other.price().isPresent() == there.price().isPresent()
                    && other.price()
                            .map(price -> price.compareTo(there.price().orElseThrow()) == 0)
                            .orElse(true);
            if (!same) planted.put(any, Difference.DIFFERENT);
        }
    }

    private static Map<Key, Difference> found(Map<Key, Value> postgres, Map<Key, Value> feldera) {
        List<String> answer = new ArrayList<>();
        feldera.forEach((key, value) -> answer.add("{\"a\":%d,\"b\":\"%s\",\"price\":%s,\"note\":%s,\"row count\":null}"
                .formatted(
                        key.a(),
                        key.b(),
                        value.price()
                                .map(price -> price.setScale(4).toPlainString())
                                .orElse("null"),
                        value.note().map(note -> '"' + note + '"').orElse("null"))));
        answer.add("{\"a\":null,\"b\":null,\"price\":null,\"note\":null,\"row count\":%d}".formatted(feldera.size()));
        Iterator<String> objects = answer.iterator();
        var policy = TableFixture.policy(DeliverySettings.Unrepresentable.NULL, 1 << 20);
        Map<Key, Difference> found = new TreeMap<>();
        try (var left = new PostgresRows(TABLE, new Copied(postgres), policy);
                var right = new FelderaRows(
                        TABLE,
                        () -> objects.hasNext() ? Optional.of(utf8(objects.next())) : Optional.empty(),
                        () -> {})) {
            var comparison = new TableComparison(TABLE, left, right);
            for (var next = comparison.next(); next.isPresent(); next = comparison.next()) {
                String[] parts = comparison.key().split("[=,]", -1);
                found.put(new Key(parts[1].replace("\"", ""), Long.parseLong(parts[3])), next.get());
            }
            assertThat(comparison.next()).isEmpty();
            assertThat(comparison.postgresRows()).isEqualTo(postgres.size());
            assertThat(comparison.felderaRows()).isEqualTo(feldera.size());
        }
        return found;
    }

    private static Key key(RandomGenerator random) {
        return new Key(word(random), random.nextInt(-3, 12));
    }

    private static Value value(RandomGenerator random) {
        return new Value(
                random.nextInt(4) == 0
                        ? Optional.empty()
                        : Optional.of(BigDecimal.valueOf(random.nextInt(-3, 4) * 10L, random.nextInt(1, 5))),
                random.nextInt(4) == 0 ? Optional.empty() : Optional.of(word(random)));
    }

    /** Few enough that they meet; one is a prefix of another, and their order by UTF-16 is not that by bytes. */
    private static String word(RandomGenerator random) {
        return List.of("", "a", "aa", "a b", "B", "\u00e9", "\uffee", "\ud83d\ude00")
                .get(random.nextInt(8));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** PostgreSQL's rows, sorted by whoever made them. */
    private record Copied(Map<Key, Value> rows) implements Snapshot {
        @Override
        public Lsn consistentPoint() {
            return Lsn.ZERO;
        }

        @Override
        public TableCopy copy(TableShape table, List<SortColumn> order) {
            assertThat(order)
                    .containsExactly(
                            new SortColumn(1, SortColumn.Order.TEXT), new SortColumn(0, SortColumn.Order.VALUE));
            Iterator<Map.Entry<Key, Value>> left = rows.entrySet().iterator();
            return new TableCopy() {
                @Override
                public Optional<Tuple> next() {
                    return left.hasNext() ? Optional.of(tuple(left.next())) : Optional.empty();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public Snapshot taken(TableShape table) {
            return this;
        }

        @Override
        public SharedCopy share(List<TableShape> tables, int readers, long partBytes) {
            throw new AssertionError("a comparison reads in order");
        }

        private static Tuple tuple(Map.Entry<Key, Value> row) {
            return HandMadeTuple.row(
                    Long.toString(row.getKey().a()),
                    row.getKey().b(),
                    row.getValue().price().map(BigDecimal::toPlainString).orElse(HandMadeTuple.NULL),
                    row.getValue().note().orElse(HandMadeTuple.NULL));
        }

        @Override
        public void close() {}
    }
}
