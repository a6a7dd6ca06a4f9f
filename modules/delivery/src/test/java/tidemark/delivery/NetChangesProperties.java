package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidemark.decode.PgOutputMessage.FullRow;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.Tuple;

/**
 * Whatever a transaction does to rows whose keys may meet: a table with one row per key before it and after it ends in
 * Feldera as it does in PostgreSQL, or the transaction is refused; and one that fits is never refused. Replay one seed
 * by its number in the message.
 */
class NetChangesProperties {
    private static final int SEEDS = 2000;
    private static final int KEYS = 6;
    private static final Pattern OPERATION =
            Pattern.compile("\\{\"(insert|delete)\":\\{\"id\":\"?([\\d.]+)\"?(?:,\"v\":\"(\\w+)\")?}}");

    /** @param spelling of the key, which has several in a numeric column and one value */
    record Version(int id, String spelling, String v) {
        Tuple row() {
            return HandMadeTuple.row(spelling, v);
        }
    }

    /** PostgreSQL, where nothing is checked before the end. */
    private static final class Table {
        final List<Version> rows = new ArrayList<>();

        Map<Integer, String> byKey() {
            Map<Integer, String> byKey = new TreeMap<>();
            rows.forEach(version -> byKey.put(version.id, version.v));
            return byKey;
        }

        boolean isUnique() {
            return rows.size() == byKey().size();
        }
    }

    /** @param spellings of one key, as what follows its digits */
    record Keys(TableFixture fixture, RowEncoder encoder, List<String> spellings) {
        Keys(int oid, String target, String... spellings) {
            this(
                    new TableFixture("t")
                            .both("id", oid, target)
                            .both("v", TableFixture.TEXT, "VARCHAR")
                            .key("id")
                            .identity(ReplicaIdentity.FULL)
                            .deferrable(),
                    List.of(spellings));
        }

        Keys(TableFixture fixture, List<String> spellings) {
            this(fixture, fixture.streamEncoder(), spellings);
        }

        Version version(int id, String v, SplittableRandom random) {
            return new Version(id, id + spellings.get(random.nextInt(spellings.size())), v);
        }
    }

    static List<Keys> keys() {
        return List.of(new Keys(23, "INTEGER!", ""), new Keys(1700, "DECIMAL(10,2)!", "", ".0", ".00"));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void aTransactionThatFitsEndsRightAndIsNeverRefused(Keys keys) {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(runSeed(seed, keys, new NetChanges(keys.fixture().plan())))
                    .as("seed %d is refused", seed)
                    .isEmpty();
        }
    }

    /** A few rows are as much as is held, or remembered. */
    @ParameterizedTest
    @MethodSource("keys")
    void aTransactionThatDoesNotFitEndsRightOrIsRefused(Keys keys) {
        int refused = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            var bounds = new SplittableRandom(~seed);
            int held = (NetChanges.PLACE_BYTES + 60) * bounds.nextInt(1, 8);
            int remembered = (NetChanges.PLACE_BYTES + 60) * bounds.nextInt(0, 8);
            if (runSeed(seed, keys, new NetChanges(keys.fixture().plan(), held, remembered))
                    .isPresent()) refused++;
        }
        System.out.printf("NetChangesProperties: %d of %d are refused when little is held%n", refused, SEEDS);
        assertThat(refused).as("of %d", SEEDS).isBetween(SEEDS / 10, SEEDS * 9 / 10);
    }

    /** Several transactions, as what is held is to be forgotten between them. */
    private Optional<RowRefused> runSeed(long seed, Keys keys, NetChanges net) {
        var random = new SplittableRandom(seed);
        var table = new Table();
        for (int id = 0; id < KEYS; id++) {
            if (random.nextBoolean()) table.rows.add(keys.version(id, value(random), random));
        }
        Map<Integer, String> feldera = table.byKey();
        try {
            for (int transactions = 0; transactions < 3; transactions++) {
                int changes = random.nextInt(1, 30);
                for (int done = 0; done < changes || !table.isUnique(); done++) {
                    change(keys, table, net, random, done >= changes);
                    apply(net, feldera);
                }
                net.end();
                apply(net, feldera);
                assertThat(feldera).as("seed %d", seed).isEqualTo(table.byKey());
            }
        } catch (RowRefused refused) {
            return Optional.of(refused);
        }
        return Optional.empty();
    }

    /** @param tidy nothing may come any more that would have to go again */
    private void change(Keys keys, Table table, NetChanges net, SplittableRandom random, boolean tidy) {
        if (table.rows.isEmpty() || (!tidy && random.nextInt(4) == 0)) {
            var added = keys.version(random.nextInt(KEYS), value(random), random);
            table.rows.add(added);
            net.insert(added.row(), keys.encoder());
            return;
        }
        Version old = table.rows.remove(random.nextInt(table.rows.size()));
        FullRow image = new FullRow(old.row());
        if (tidy || random.nextInt(4) == 0) {
            net.delete(image, keys.encoder());
            return;
        }
        int id = random.nextInt(3) == 0 ? old.id : random.nextInt(KEYS);
        var moved = keys.version(id, random.nextBoolean() ? old.v : value(random), random);
        table.rows.add(moved);
        net.update(image, moved.row(), keys.encoder());
    }

    /** Often the same. */
    private static String value(SplittableRandom random) {
        return "v" + (random.nextInt(3) == 0 ? random.nextInt(2) : random.nextInt(100));
    }

    private static void apply(NetChanges net, Map<Integer, String> feldera) {
        for (Optional<byte[]> next = net.next(); next.isPresent(); next = net.next()) {
            Matcher operation = OPERATION.matcher(new String(next.get(), StandardCharsets.UTF_8));
            assertThat(operation.matches()).isTrue();
            int id = new BigDecimal(operation.group(2)).intValueExact();
            if (operation.group(1).equals("insert")) feldera.put(id, operation.group(3));
            else feldera.remove(id);
        }
    }
}
