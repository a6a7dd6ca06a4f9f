package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static tidemark.delivery.HandMadeTuple.row;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tidemark.decode.PgOutputMessage.FullRow;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;

/**
 * Whatever a transaction does to rows whose keys may meet: a table with one row per key before it and after it ends in
 * Feldera as it does in PostgreSQL, or the transaction is refused; and one that fits is never refused. Replay one seed
 * by its number in the message.
 */
class NetChangesProperties {
    private static final int SEEDS = 2000;
    private static final int KEYS = 6;
    private static final Pattern OPERATION =
            Pattern.compile("\\{\"(insert|delete)\":\\{\"id\":(\\d+)(?:,\"v\":\"(\\w+)\")?}}");

    private record Version(int id, String v) {}

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

    private final TableFixture fixture = new TableFixture("t")
            .both("id", 23, "INTEGER!")
            .both("v", TableFixture.TEXT, "VARCHAR")
            .key("id")
            .identity(ReplicaIdentity.FULL)
            .deferrable();
    private final RowEncoder encoder = fixture.streamEncoder();

    @Test
    void aTransactionThatFitsEndsRightAndIsNeverRefused() {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(runSeed(seed, new NetChanges(fixture.plan())))
                    .as("seed %d is refused", seed)
                    .isEmpty();
        }
    }

    /** A few rows are as much as is held, or remembered. */
    @Test
    void aTransactionThatDoesNotFitEndsRightOrIsRefused() {
        int refused = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            var bounds = new SplittableRandom(~seed);
            int held = (NetChanges.PLACE_BYTES + 60) * bounds.nextInt(1, 8);
            int remembered = (NetChanges.PLACE_BYTES + 60) * bounds.nextInt(0, 8);
            if (runSeed(seed, new NetChanges(fixture.plan(), held, remembered)).isPresent()) refused++;
        }
        System.out.printf("NetChangesProperties: %d of %d are refused when little is held%n", refused, SEEDS);
        assertThat(refused).as("of %d", SEEDS).isBetween(SEEDS / 10, SEEDS * 9 / 10);
    }

    /** Several transactions, as what is held is to be forgotten between them. */
    private Optional<RowRefused> runSeed(long seed, NetChanges net) {
        var random = new SplittableRandom(seed);
        var table = new Table();
        for (int id = 0; id < KEYS; id++) {
            if (random.nextBoolean()) table.rows.add(new Version(id, value(random)));
        }
        Map<Integer, String> feldera = table.byKey();
        try {
            for (int transactions = 0; transactions < 3; transactions++) {
                int changes = random.nextInt(1, 30);
                for (int done = 0; done < changes || !table.isUnique(); done++) {
                    change(table, net, random, done >= changes);
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
    private void change(Table table, NetChanges net, SplittableRandom random, boolean tidy) {
        if (table.rows.isEmpty() || (!tidy && random.nextInt(4) == 0)) {
            var added = new Version(random.nextInt(KEYS), value(random));
            table.rows.add(added);
            net.insert(row("" + added.id, added.v), encoder);
            return;
        }
        Version old = table.rows.remove(random.nextInt(table.rows.size()));
        FullRow image = new FullRow(row("" + old.id, old.v));
        if (tidy || random.nextInt(4) == 0) {
            net.delete(image, encoder);
            return;
        }
        var moved = new Version(
                random.nextInt(3) == 0 ? old.id : random.nextInt(KEYS), random.nextBoolean() ? old.v : value(random));
        table.rows.add(moved);
        net.update(image, row("" + moved.id, moved.v), encoder);
    }

    /** Often the same. */
    private static String value(SplittableRandom random) {
        return "v" + (random.nextInt(3) == 0 ? random.nextInt(2) : random.nextInt(100));
    }

    private static void apply(NetChanges net, Map<Integer, String> feldera) {
        for (Optional<byte[]> next = net.next(); next.isPresent(); next = net.next()) {
            Matcher operation = OPERATION.matcher(new String(next.get(), StandardCharsets.UTF_8));
            assertThat(operation.matches()).isTrue();
            if (operation.group(1).equals("insert"))
                feldera.put(Integer.valueOf(operation.group(2)), operation.group(3));
            else feldera.remove(Integer.valueOf(operation.group(2)));
        }
    }
}
