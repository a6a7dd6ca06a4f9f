package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static tidemark.delivery.HandMadeTuple.UNCHANGED;
import static tidemark.delivery.HandMadeTuple.row;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.PgOutputMessage.Absent;
import tidemark.decode.PgOutputMessage.FullRow;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.Tuple;

/** What PostgreSQL sends of transactions on {@code t (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED, v text)}. */
class NetChangesTest {
    private final TableFixture table = new TableFixture("t")
            .both("id", 23, "INTEGER!")
            .both("v", TableFixture.TEXT, "VARCHAR")
            .key("id")
            .identity(ReplicaIdentity.FULL)
            .deferrable();
    private final RowEncoder encoder = table.streamEncoder();
    private final NetChanges net = new NetChanges(table.plan());

    @Test
    void aShiftLosesNoRow() {
        moves("1", "2", "a");
        moves("2", "3", "b");
        moves("3", "4", "c");
        net.end();
        assertThat(sent()).containsExactly(gone("1"), here("2", "a"), here("3", "b"), here("4", "c"));
    }

    @Test
    void aSwapLosesNoRow() {
        moves("1", "2", "a");
        moves("2", "1", "b");
        net.end();
        assertThat(sent()).containsExactly(here("2", "a"), here("1", "b"));
    }

    /** The same messages come from one row that goes to another key and back: both are right if nothing is sent. */
    @Test
    void aSwapOfEqualRowsIsNoChange() {
        moves("1", "2", "a");
        moves("2", "1", "a");
        net.end();
        assertThat(sent()).containsExactly(here("1", "a"));
    }

    @Test
    void aDeleteIsOfTheRowThatItNames() {
        comes("5", "new");
        goes("5", "old");
        comes("6", "short-lived");
        goes("6", "short-lived");
        goes("7", "old");
        comes("7", "new");
        goes("7", "new");
        net.end();
        assertThat(sent()).containsExactly(here("5", "new"), gone("7"));
    }

    @Test
    void anUpdateOfOneOfTwoRowsUnderAKeyIsNotOfTheOther() {
        comes("5", "new");
        net.update(new FullRow(row("5", "old")), row("5", "older"), encoder);
        goes("5", "older");
        net.end();
        assertThat(sent()).containsExactly(here("5", "new"));
    }

    @Test
    void aValueThatWasLeftAloneIsOfTheOldRow() {
        net.update(new FullRow(row("1", "large")), row("2", UNCHANGED), encoder);
        goes("2", "large");
        net.end();
        assertThat(sent()).containsExactly(gone("1"));
    }

    @Test
    void nothingIsSentBeforeTheTransactionIsWholeUnlessItIsLarge() {
        int wide = 100;
        for (int i = 0; i < wide; i++) {
            assertThat(net.owes()).isFalse();
            comes("" + i, widest(wide));
        }
        int early = sent().size();
        assertThat(early).isBetween(wide / 2 - 1, wide / 2 + 1);
        net.end();
        assertThat(sent()).hasSize(wide - early);
        assertThat(net.owes()).isFalse();
    }

    @Test
    void aShiftOfAnySizeIsHeldOnlyWhereItIs() {
        List<String> shifted = new ArrayList<>();
        int rows = 3 * (int) (NetChanges.HELD_BYTES / NetChanges.PLACE_BYTES);
        for (int id = 1; id <= rows; id++) {
            moves("" + id, "" + (id + 1), "v");
            shifted.addAll(sent());
        }
        net.end();
        shifted.addAll(sent());
        assertThat(shifted).containsExactly(gone("1"), here("" + (rows + 1), "v"));
    }

    @Test
    void aRowThatWasSentStaysWhenTheRowBeforeGoes() {
        comesAndIsSent("5", "new");
        goes("5", "old");
        net.end();
        assertThat(sent()).noneMatch(operation -> operation.contains("\"id\":5,") || operation.equals(gone("5")));
    }

    @Test
    void aRowThatWasSentAndGoesIsRefusedAsAnotherMayBeUnderItsKey() {
        comesAndIsSent("5", "new");
        goes("5", "new");
        assertThatThrownBy(net::end)
                .isInstanceOf(RowRefused.class)
                .hasMessageContainingAll("public.t", "[id]", "too large", "restart the pipeline empty");
    }

    @Test
    void aRowThatWasSentAndIsReplacedIsReplaced() {
        comesAndIsSent("5", "new");
        net.update(new FullRow(row("5", "new")), row("5", "newer"), encoder);
        net.end();
        assertThat(sent()).contains(here("5", "newer"));
    }

    @Test
    void whatTwoRowsOfOneKeyLeaveBehindIsRefused() {
        comes("5", "a");
        comes("5", "b");
        assertThatThrownBy(net::end).isInstanceOf(RowRefused.class).hasMessageContaining("two of its rows");
        var other = new NetChanges(table.plan());
        other.delete(new FullRow(row("5", "a")), encoder);
        assertThatThrownBy(() -> other.delete(new FullRow(row("5", "b")), encoder))
                .isInstanceOf(RowRefused.class)
                .hasMessageContaining("two of its rows");
    }

    @Test
    void aChangeWithoutTheWholeOldRowIsRefusedAndAnInsertIsNot() {
        comes("1", "a");
        assertThatThrownBy(() -> net.delete(new PgOutputMessage.Key(row("1", HandMadeTuple.NULL)), encoder))
                .isInstanceOf(RowRefused.class)
                .hasMessageContainingAll("public.t", "REPLICA IDENTITY FULL");
        assertThatThrownBy(() -> net.update(new Absent(), row("1", "b"), encoder))
                .isInstanceOf(RowRefused.class);
        net.end();
        assertThat(sent()).containsExactly(here("1", "a"));
    }

    @Test
    void anotherShapeInsideATransactionIsRefusedOnlyThere() {
        var narrower = table.relation().columns().subList(0, 1);
        net.learn(table.relation().columns());
        comes("1", "a");
        net.learn(table.relation().columns());
        assertThatThrownBy(() -> net.learn(narrower))
                .isInstanceOf(RowRefused.class)
                .hasMessageContaining("altered");
        net.end();
        net.learn(narrower);
    }

    @Test
    void keysMayMeetUnlessPostgresqlChecksThemRowByRow() {
        var checked = new TableFixture("t")
                .both("id", 23, "INTEGER!")
                .both("code", 25, "VARCHAR!")
                .key("id")
                .identity(ReplicaIdentity.FULL);
        assertThat(checked.plan().keysMayMeet()).isFalse();
        assertThat(table.plan().showsUniqueKey(table.relation())).isFalse();
        var wider = new TableFixture("t")
                .both("id", 23, "INTEGER!")
                .both("code", 25, "VARCHAR!")
                .key("id", "code");
        assertThat(wider.plan().keysMayMeet()).isFalse();
        var unchecked = new TableFixture("t").both("code", 25, "VARCHAR!").key("code");
        assertThat(unchecked.plan().keysMayMeet()).isTrue();
        var keyless = new TableFixture("t").both("code", 25, "VARCHAR!");
        assertThat(keyless.plan().keysMayMeet()).isFalse();
    }

    /** An index that can be a replica identity is checked row by row, whatever the catalog says today. */
    @Test
    void keysOfTheReplicaIdentityDoNotMeet() {
        var byIndex = new TableFixture("t")
                .both("id", 23, "INTEGER!")
                .key("id")
                .deferrable()
                .identity(ReplicaIdentity.DEFAULT);
        assertThat(byIndex.plan().keysMayMeet()).isTrue();
        assertThat(byIndex.plan().showsUniqueKey(byIndex.relation())).isTrue();
    }

    private void comesAndIsSent(String id, String v) {
        comes(id, v);
        for (int i = 0; i < 20; i++) comes("1" + i, widest(20));
        assertThat(sent()).contains(here(id, v));
    }

    /** So that many of them are as much as is held. */
    private static String widest(int rows) {
        return "x".repeat((int) NetChanges.HELD_BYTES / rows);
    }

    private void comes(String id, String v) {
        net.insert(row(id, v), encoder);
    }

    private void goes(String id, String v) {
        net.delete(new FullRow(row(id, v)), encoder);
    }

    private void moves(String from, String to, String v) {
        Tuple after = row(to, v);
        net.update(new FullRow(row(from, v)), after, encoder);
    }

    private List<String> sent() {
        List<String> sent = new ArrayList<>();
        for (Optional<byte[]> next = net.next(); next.isPresent(); next = net.next()) {
            sent.add(new String(next.get(), StandardCharsets.UTF_8));
        }
        return sent;
    }

    private static String here(String id, String v) {
        return "{\"insert\":{\"id\":%s,\"v\":\"%s\"}}".formatted(id, v);
    }

    private static String gone(String id) {
        return "{\"delete\":{\"id\":%s}}".formatted(id);
    }
}
