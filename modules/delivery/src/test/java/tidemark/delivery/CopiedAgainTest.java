package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.delivery.ReplicationState.Stand;
import tidemark.replication.SlotStatus;
import tidemark.replication.SourceIdentity;
import tidemark.sink.FelderaName;

/** What {@link StartPlan} says of a table that the state file knows and that is copied once more. */
class CopiedAgainTest {
    private static final String CAME_BACK_EMPTY =
            "the pipeline came back empty (incarnation life-2, the state file knows life-1)";
    static final StartPlan.How EMPTIED = new StartPlan.How.Copy(Optional.of(CAME_BACK_EMPTY));

    private static final SourceIdentity SOURCE = new SourceIdentity("7", 1, "shop", "tidemark", 15);
    private static final RelationName USERS = new RelationName("public", "users");
    private static final RelationName ITEMS = new RelationName("public", "items");
    private static final FelderaName TARGET = new FelderaName("users", false);
    private static final Lsn CONFIRMED = Lsn.parse("0/100");
    private static final SlotStatus BEHIND =
            new SlotStatus.Usable(Lsn.parse("0/80"), Lsn.parse("0/80"), OptionalInt.empty());

    /** With the default policy; {@code items} is new in the configuration. */
    private static StartPlan plan(Stand stand, SlotStatus slot, String life, long count) {
        var state = new ReplicationState(
                ReplicationState.Origin.of(SOURCE),
                new ReplicationState.Target("http://f/v0/pipelines/p", "life-1"),
                true,
                CONFIRMED,
                List.of(new ReplicationState.Table(USERS, 16, TARGET, stand, CONFIRMED, 9, 9)));
        return StartPlan.decide(new StartPlan.Found(
                Optional.of(state),
                SOURCE,
                slot,
                Lsn.parse("0/300"),
                "http://f/v0/pipelines/p",
                life,
                true,
                SnapshotMode.INITIAL,
                true,
                List.of(
                        new StartPlan.Subject(USERS, 16, TARGET, count, true, Leftovers.REPLAYED),
                        new StartPlan.Subject(
                                ITEMS, 17, new FelderaName("items", false), 0, true, Leftovers.REPLAYED))));
    }

    private static StartPlan.How users(List<StartPlan.Begin> tables) {
        assertThat(StartPlan.find(tables, ITEMS).how()).isEqualTo(new StartPlan.How.Copy(Optional.empty()));
        return StartPlan.find(tables, USERS).how();
    }

    private static StartPlan.How besideSlot(StartPlan plan) {
        StartPlan.UseSlot use = (StartPlan.UseSlot) plan;
        assertThat(use.resumeAt()).isEqualTo(CONFIRMED);
        return users(use.tables());
    }

    private static StartPlan.How withNewSlot(StartPlan plan) {
        return users(((StartPlan.CreateSlot) plan).tables());
    }

    @Test
    void aPipelineThatCameBackEmptyIsFilledAgain() {
        for (Stand stand : Stand.values())
            assertThat(besideSlot(plan(stand, BEHIND, "life-2", 0))).isEqualTo(EMPTIED);
    }

    /** A POST cannot be aimed at one life: what was sent to the old one may have been taken by the new one. */
    @Test
    void rowsThatTheNewLifeTookFromUsBeforeItWasNoticedAreReplayedOver() {
        assertThat(besideSlot(plan(Stand.COPIED, BEHIND, "life-2", 4)))
                .isEqualTo(new StartPlan.How.CopyAgain(CAME_BACK_EMPTY));
    }

    @Test
    void aCopyThatBrokeIsMadeAgainAndNothingIsSkipped() {
        assertThat(besideSlot(plan(Stand.PENDING, BEHIND, "life-1", 9)))
                .isEqualTo(new StartPlan.How.CopyAgain(StartPlan.BROKE_OFF));
        assertThat(besideSlot(plan(Stand.PENDING, BEHIND, "life-1", 0)))
                .as("before its first row")
                .isEqualTo(new StartPlan.How.Copy(Optional.of(StartPlan.BROKE_OFF)));
    }

    @Test
    void aTableThatWentWithItsSlotIsCopiedWhereFelderaHasNothingOfIt() {
        StartPlan lost = plan(Stand.COPIED, new SlotStatus.Lost("wal_removed"), "life-1", 0);
        assertThat(withNewSlot(lost).whyAgain()).hasValue("slot tidemark lost the WAL it stood for (wal_removed)");
        StartPlan gone = plan(Stand.COPIED, new SlotStatus.Missing(), "life-1", 0);
        assertThat(withNewSlot(gone).whyAgain()).hasValue("slot tidemark is gone, and with it the changes since");
        StartPlan emptied = plan(Stand.COPIED, new SlotStatus.Missing(), "life-2", 0);
        assertThat(withNewSlot(emptied)).isEqualTo(EMPTIED);
    }

    /** All that was sent so far came from the stream. */
    @Test
    void whatWasNeverCopiedIsCopiedForTheFirstTime() {
        assertThat(besideSlot(plan(Stand.UNKNOWN, BEHIND, "life-1", 0)))
                .isEqualTo(new StartPlan.How.Copy(Optional.empty()));
    }
}
