package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.OnStateLoss;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.delivery.ReplicationState.Stand;
import tidemark.replication.SlotStatus;
import tidemark.replication.SourceIdentity;
import tidemark.sink.FelderaName;

/** What is said of the next run is what the start plan decides without a slot. */
class SlotLossTest {
    private static final SourceIdentity SOURCE = new SourceIdentity("7", 1, "shop", "tidemark", 15);
    private static final RelationName USERS = new RelationName("public", "users");
    private static final FelderaName TARGET = new FelderaName("users", false);
    private static final Lsn CONFIRMED = Lsn.parse("0/100");
    private static final Lsn WAL_END = Lsn.parse("0/300");
    private static final SlotStatus SLOT = new SlotStatus.Usable(CONFIRMED, Lsn.parse("0/80"), OptionalInt.empty());

    private static SlotLoss loss(SlotStatus slot, Optional<ReplicationState> state, SnapshotMode mode) {
        return loss(slot, WAL_END, state, mode, OnStateLoss.STOP);
    }

    private static SlotLoss loss(
            SlotStatus slot, Lsn walEnd, Optional<ReplicationState> state, SnapshotMode mode, OnStateLoss policy) {
        return new SlotLoss(SOURCE, slot, walEnd, Path.of("state.json"), state, mode, policy);
    }

    private static Optional<ReplicationState> state(String stand, SourceIdentity of) {
        if (stand.equals("none")) return Optional.empty();
        var table = new ReplicationState.Table(USERS, 16, TARGET, Stand.valueOf(stand), CONFIRMED, 9, 9);
        return Optional.of(new ReplicationState(
                ReplicationState.Origin.of(of),
                new ReplicationState.Target("http://f/v0/pipelines/p", "life-1"),
                true,
                CONFIRMED,
                List.of(table)));
    }

    private static boolean refuses(Optional<ReplicationState> state, SnapshotMode mode, String life, long count) {
        return plan(state, WAL_END, mode, life, count, false) instanceof StartPlan.Refuse;
    }

    private static StartPlan plan(
            Optional<ReplicationState> state, Lsn walEnd, SnapshotMode mode, String life, long count, boolean mends) {
        return StartPlan.decide(new StartPlan.Found(
                state,
                SOURCE,
                new SlotStatus.Missing(),
                walEnd,
                "http://f/v0/pipelines/p",
                life,
                true,
                mode,
                mends,
                List.of(new StartPlan.Subject(USERS, 16, TARGET, count, true, Leftovers.REPLAYED))));
    }

    @ParameterizedTest
    @CsvSource({
        // stand, mode, refused with our rows in the same life, with none in it, with none in another
        "none, INITIAL, true, false, false",
        "none, NEVER, false, false, false",
        "PENDING, INITIAL, true, false, false",
        "PENDING, NEVER, false, false, false",
        "COPIED, INITIAL, true, true, true",
        "COPIED, NEVER, true, true, true",
        "DOUBTED, INITIAL, true, true, true",
        "UNKNOWN, NEVER, true, true, true",
        "UNKNOWN, INITIAL, true, true, true"
    })
    void saysWhenTheNextRunRefuses(String stand, SnapshotMode mode, boolean rows, boolean none, boolean emptied) {
        Optional<ReplicationState> state = state(stand, SOURCE);
        assertThat(refuses(state, mode, "life-1", 9)).isEqualTo(rows);
        assertThat(refuses(state, mode, "life-1", 0)).isEqualTo(none);
        assertThat(refuses(state, mode, "life-2", 0)).isEqualTo(emptied);

        String said = String.join("\n", loss(SLOT, state, mode).lines());
        assertThat(said.contains("refuses (exit 78)")).as(said).isEqualTo(rows);
        assertThat(said.contains("The next run refuses (exit 78).")).as(said).isEqualTo(none);
        assertThat(said).contains(none ? "it makes a new slot" : "next run makes a new slot");
        assertThat(said.contains("copies all tables")).isEqualTo(!none && mode == SnapshotMode.INITIAL);
    }

    @Test
    void aStateOfAnotherSourceIsRefusedInAnyCase() {
        var other = new SourceIdentity("8", 1, "shop", "tidemark", 15);
        assertThat(refuses(state("COPIED", other), SnapshotMode.INITIAL, "life-2", 0))
                .isTrue();
        assertThat(loss(SLOT, state("COPIED", other), SnapshotMode.INITIAL)
                        .lines()
                        .getLast())
                .contains("another source", "refuses (exit 78), with or without the slot");
    }

    @Test
    void aStateOfAnotherTimelineIsRefusedInAnyCase() {
        var before = new SourceIdentity("7", 2, "shop", "tidemark", 15);
        for (String stand : List.of("COPIED", "PENDING")) {
            assertThat(refuses(state(stand, before), SnapshotMode.INITIAL, "life-1", 0))
                    .isTrue();
            assertThat(loss(SLOT, state(stand, before), SnapshotMode.INITIAL)
                            .lines()
                            .getLast())
                    .contains("timeline 1", "timeline 2", "refuses (exit 78), with or without the slot");
        }
    }

    @Test
    void aServerThatWasPutBackIsRefusedInAnyCase() {
        Lsn before = Lsn.parse("0/90");
        for (OnStateLoss policy : OnStateLoss.values()) {
            boolean mends = policy.mends(SnapshotMode.INITIAL);
            assertThat(plan(state("COPIED", SOURCE), before, SnapshotMode.INITIAL, "life-1", 9, mends))
                    .isInstanceOf(StartPlan.Refuse.class);
            assertThat(loss(SLOT, before, state("COPIED", SOURCE), SnapshotMode.INITIAL, policy)
                            .lines()
                            .getLast())
                    .contains("0/90", "0/100", "refuses (exit 78), with or without the slot");
        }
    }

    /** Where something was copied, the next run does not copy first. */
    @Test
    void saysWhatIsLostBetweenACopyAndItsSlot() {
        for (String stand : List.of("none", "PENDING", "COPIED")) {
            for (OnStateLoss policy : OnStateLoss.values()) {
                boolean mends = policy.mends(SnapshotMode.INCONSISTENT);
                boolean loses = plan(state(stand, SOURCE), WAL_END, SnapshotMode.INCONSISTENT, "life-1", 0, mends)
                                instanceof StartPlan.CreateSlot(SnapshotMode made, var _)
                        && made == SnapshotMode.INCONSISTENT;
                String said = String.join(
                        "\n",
                        loss(SLOT, WAL_END, state(stand, SOURCE), SnapshotMode.INCONSISTENT, policy)
                                .lines());
                assertThat(said.contains("what is committed in between is lost"))
                        .as(said)
                        .isEqualTo(loses);
            }
        }
    }

    @Test
    void saysHowMuchWalIsBehindIt() {
        assertThat(loss(SLOT, Optional.empty(), SnapshotMode.INITIAL).lines())
                .contains(
                        "slot tidemark of database shop",
                        "  confirmed_flush_lsn 0/100: Feldera may not have what was committed in the 512 bytes of WAL since then, up to 0/300",
                        "  restart_lsn 0/80: it keeps 640 bytes of WAL on the server's disk");
    }

    @Test
    void aSlotThatStandsForNothingIsLostWithoutLoss() {
        assertThat(loss(new SlotStatus.Lost("wal_removed"), Optional.empty(), SnapshotMode.INITIAL)
                        .lines())
                .anyMatch(line -> line.contains("(wal_removed)") && line.contains("loses nothing more"));
        assertThat(loss(new SlotStatus.HalfMade(), Optional.empty(), SnapshotMode.INITIAL)
                        .lines())
                .anyMatch(line -> line.contains("half-made") && line.contains("loses nothing"));
    }

    @Test
    void whereTablesAreReadAgainOnlyWhoHasWhatCannotBeMendedIsSentAway() {
        for (String stand : List.of("none", "COPIED", "PENDING", "MERGING")) {
            var loss = new SlotLoss(
                    SOURCE,
                    SLOT,
                    Lsn.parse("0/300"),
                    Path.of("state.json"),
                    state(stand, SOURCE),
                    SnapshotMode.INITIAL,
                    OnStateLoss.RESNAPSHOT);
            assertThat(loss.lines())
                    .anyMatch(line -> line.contains("reads all tables again and mends"))
                    .noneMatch(line -> line.contains("next run refuses"))
                    .last()
                    .asString()
                    .startsWith("It refuses (exit 78) if Feldera has taken rows of a table that it cannot query");
        }
    }
}
