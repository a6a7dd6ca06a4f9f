package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static tidemark.delivery.Leftovers.REPLAYED;

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

class StartPlanTest {
    private static final RelationName USERS = new RelationName("public", "users");
    private static final FelderaName TARGET = new FelderaName("users", false);
    private static final Lsn BEFORE = Lsn.parse("0/80");
    private static final Lsn CONFIRMED = Lsn.parse("0/100");
    private static final Lsn AHEAD = Lsn.parse("0/200");
    private static final Lsn WAL_END = Lsn.parse("0/300");
    private static final SourceIdentity SOURCE = new SourceIdentity("7", 1, "shop", "tidemark", 15);
    private static final String PIPELINE = "http://f/v0/pipelines/p";
    private static final SlotStatus MISSING = new SlotStatus.Missing();

    @Test
    void fromScratchCreatesTheSlotAndCopies() {
        assertThat(plan(Optional.empty(), MISSING, "life-1", true, 0))
                .isEqualTo(new StartPlan.CreateSlot(
                        SnapshotMode.INITIAL, begins(0, new StartPlan.How.Copy(Optional.empty()))));
    }

    @Test
    void aHalfMadeSlotIsNoSlot() {
        assertThat(plan(Optional.empty(), new SlotStatus.HalfMade(), "life-1", true, 0))
                .isInstanceOf(StartPlan.CreateSlot.class);
    }

    @Test
    void aSlotWithoutStateIsTakenOnAndTheTablesAreCopiedBesideIt() {
        assertThat(plan(Optional.empty(), slot(CONFIRMED), "life-1", true, 0))
                .isEqualTo(new StartPlan.UseSlot(CONFIRMED, begins(0, new StartPlan.How.Copy(Optional.empty()))));
    }

    @Test
    void rowsThatNoStateAccountsForAreNotCopiedOver() {
        assertThat(plan(Optional.empty(), slot(CONFIRMED), "life-1", true, 9))
                .isInstanceOfSatisfying(
                        StartPlan.Refuse.class,
                        refused -> assertThat(refused.what()).contains("users").contains("9 operations"));
    }

    @Test
    void aTableThatWasCopiedGoesOnWhereItStood() {
        assertThat(plan(Optional.of(state(Stand.COPIED)), slot(CONFIRMED), "life-1", true, 9))
                .isEqualTo(new StartPlan.UseSlot(
                        CONFIRMED, begins(9, new StartPlan.How.Continue(Stand.COPIED, CONFIRMED, 9))));
    }

    /** PostgreSQL writes the position to disk only now and then: a slot behind is normal. */
    @Test
    void aSlotThatFellBackIsToldTheConfirmedPositionAgain() {
        assertThat(plan(Optional.of(state(Stand.COPIED)), slot(BEFORE), "life-1", true, 9))
                .isInstanceOfSatisfying(
                        StartPlan.UseSlot.class,
                        use -> assertThat(use.resumeAt()).isEqualTo(CONFIRMED));
    }

    @Test
    void aSlotAheadWasMovedBySomebodyElse() {
        assertThat(plan(Optional.of(state(Stand.COPIED)), slot(AHEAD), "life-1", true, 9))
                .isInstanceOfSatisfying(
                        StartPlan.Refuse.class,
                        refused -> assertThat(refused.what()).contains("0/200").contains("0/100"));
    }

    /** Also with {@code stop}: nothing is lost. */
    @Test
    void withLeftoversThatAReplayDoesNotTakeOutItIsMerged() {
        assertThat(List.of(Leftovers.values()))
                .filteredOn(of -> of != REPLAYED)
                .map(of -> new StartPlan.Subject(USERS, 16_384, TARGET, 9, true, of))
                .map(table -> StartPlan.decide(found(state(Stand.PENDING), "life-1", table)))
                .allSatisfy(plan -> mergesFrom(CONFIRMED, plan));
    }

    /** The WAL that would remove them is behind the slot. */
    @Test
    void rowsThatTheNewLifeTookFromUsAreNotCopiedOverOnceTheSlotWasMoved() {
        assertThat(plan(Optional.of(state(Stand.PENDING)), slot(AHEAD), "life-2", true, 4))
                .isInstanceOfSatisfying(
                        StartPlan.Refuse.class,
                        refused -> assertThat(refused.what()).contains("moved").contains("4 operations"));
        assertThat(plan(Optional.of(state(Stand.PENDING)), slot(AHEAD), "life-2", true, 0))
                .isInstanceOf(StartPlan.UseSlot.class);
    }

    @Test
    void aTableThatWasNeverCopiedIsNotCopiedOverWhatTheStreamBrought() {
        assertThat(plan(Optional.of(state(Stand.UNKNOWN)), slot(CONFIRMED), "life-1", true, 4))
                .isInstanceOf(StartPlan.Refuse.class);
    }

    /** In this life; an empty one holds nothing that could be wrong. */
    @Test
    void aTableWhoseCounterWasNotWhatItHadToBeNeedsAPerson() {
        for (SnapshotMode mode : SnapshotMode.values()) {
            var found = new StartPlan.Found(
                    Optional.of(state(Stand.DOUBTED)),
                    SOURCE,
                    slot(CONFIRMED),
                    WAL_END,
                    PIPELINE,
                    "life-1",
                    true,
                    mode,
                    false,
                    subjects(9));
            assertThat(StartPlan.decide(found))
                    .isInstanceOfSatisfying(
                            StartPlan.Doubt.class,
                            doubt -> assertThat(doubt.what()).contains("users"));
        }
        assertThat(mending(state(Stand.DOUBTED), slot(CONFIRMED), "life-2", 0))
                .isEqualTo(new StartPlan.UseSlot(CONFIRMED, begins(0, CopiedAgainTest.EMPTIED)));
    }

    /** Also while its copy is not complete: a second one would not remove somebody else's rows. */
    @Test
    void aTableThatCountsWhatCannotBeOursIsMarkedAndNeedsAPerson() {
        for (Stand stand : List.of(Stand.COPIED, Stand.UNKNOWN, Stand.PENDING)) {
            var found =
                    found(state(stand), "life-1", new StartPlan.Subject(USERS, 16_384, TARGET, 12, false, REPLAYED));
            assertThat(StartPlan.decide(found)).isInstanceOfSatisfying(StartPlan.Doubt.class, doubt -> {
                assertThat(doubt.what()).contains("users");
                assertThat(doubt.durable().table(USERS).orElseThrow().stand()).isEqualTo(Stand.DOUBTED);
            });
        }
    }

    private static StartPlan.Found found(ReplicationState state, String life, StartPlan.Subject subject) {
        return new StartPlan.Found(
                Optional.of(state),
                SOURCE,
                slot(CONFIRMED),
                WAL_END,
                PIPELINE,
                life,
                true,
                SnapshotMode.INITIAL,
                false,
                List.of(subject));
    }

    @Test
    void aPipelineThatCameBackOlderNeedsAPerson() {
        assertThat(plan(Optional.of(state(Stand.COPIED)), slot(CONFIRMED), "life-2", false, 4))
                .isInstanceOfSatisfying(
                        StartPlan.Refuse.class,
                        refused -> assertThat(refused.what()).contains("checkpoint"));
    }

    @Test
    void aSlotThatIsGoneWithWhatItKeptNeedsAPerson() {
        assertThat(plan(Optional.of(state(Stand.COPIED)), MISSING, "life-1", true, 9))
                .isInstanceOf(StartPlan.Refuse.class);
    }

    @Test
    void aSlotThatIsGoneBeforeAnythingWasCopiedIsMadeAgain() {
        assertThat(plan(Optional.of(state(Stand.PENDING)), MISSING, "life-1", true, 0))
                .isInstanceOf(StartPlan.CreateSlot.class);
    }

    /** The slot's WAL would have removed what the snapshot of a new one does not contain any more. */
    @Test
    void aCopyThatBrokeIsNotMadeAgainWithoutItsSlot() {
        assertThat(plan(Optional.of(state(Stand.PENDING)), MISSING, "life-1", true, 9))
                .isInstanceOfSatisfying(
                        StartPlan.Refuse.class,
                        refused -> assertThat(refused.what()).contains("users").contains("9 operations"));
    }

    /**
     * What it writes next would lie at positions that count as finished with (R1), whatever Feldera and the slot are.
     */
    @Test
    void aDatabaseWhoseWalEndsBeforeWhatWasConfirmedNeedsAPerson() {
        for (String life : List.of("life-1", "life-2")) {
            for (SlotStatus slot : List.of(slot(BEFORE), MISSING, new SlotStatus.Lost("wal_removed"))) {
                for (boolean fresh : List.of(true, false)) {
                    for (boolean mends : List.of(true, false)) {
                        assertThat(StartPlan.decide(new StartPlan.Found(
                                        Optional.of(state(Stand.COPIED)),
                                        SOURCE,
                                        slot,
                                        BEFORE,
                                        PIPELINE,
                                        life,
                                        fresh,
                                        SnapshotMode.INITIAL,
                                        mends,
                                        subjects(9))))
                                .isInstanceOfSatisfying(
                                        StartPlan.Refuse.class,
                                        refused -> assertThat(refused.what())
                                                .contains("0/80")
                                                .contains("0/100"));
                    }
                }
            }
        }
        assertThat(plan(Optional.of(state(Stand.COPIED)), slot(BEFORE), CONFIRMED, "life-1", true, 9))
                .isInstanceOf(StartPlan.UseSlot.class);
    }

    @Test
    void aLostOrForeignSlotIsRefusedByName() {
        assertThat(plan(Optional.empty(), new SlotStatus.Lost("wal_removed"), "life-1", true, 0))
                .isInstanceOfSatisfying(
                        StartPlan.Refuse.class,
                        refused ->
                                assertThat(refused.what()).contains("tidemark").contains("wal_removed"));
        assertThat(plan(Optional.empty(), new SlotStatus.Foreign("plugin test_decoding"), "life-1", true, 0))
                .isInstanceOf(StartPlan.Refuse.class);
    }

    @Test
    void anotherSystemDatabaseOrSlotIsRefused() {
        for (var origin : List.of(
                new ReplicationState.Origin("8", 1, "shop", "tidemark"),
                new ReplicationState.Origin("7", 1, "other", "tidemark"),
                new ReplicationState.Origin("7", 1, "shop", "other"))) {
            ReplicationState elsewhere = from(origin);
            for (StartPlan plan : List.of(
                    plan(Optional.of(elsewhere), slot(CONFIRMED), "life-1", true, 9),
                    mending(elsewhere, slot(CONFIRMED), "life-1", 9))) {
                assertThat(plan)
                        .isInstanceOfSatisfying(
                                StartPlan.Refuse.class,
                                refused -> assertThat(refused.what()).contains("another source"));
            }
        }
    }

    /** Its positions are those of another history from some point on. */
    @Test
    void anotherTimelineIsRefusedOrReadAgain() {
        ReplicationState before = from(new ReplicationState.Origin("7", 2, "shop", "tidemark"));
        assertThat(plan(Optional.of(before), slot(BEFORE), "life-1", true, 9))
                .isInstanceOfSatisfying(
                        StartPlan.Refuse.class,
                        refused -> assertThat(refused.what())
                                .contains("timeline 1")
                                .contains("timeline 2"));
        assertThat(mending(before, slot(BEFORE), "life-1", 9)).satisfies(plan -> mergesFrom(BEFORE, plan));
    }

    private static ReplicationState from(ReplicationState.Origin origin) {
        ReplicationState ours = state(Stand.COPIED);
        return new ReplicationState(origin, ours.target(), true, CONFIRMED, ours.tables());
    }

    @Test
    void aTableRecreatedUnderTheSameNameIsAnotherTable() {
        ReplicationState old = state(Stand.COPIED)
                .with(List.of(new ReplicationState.Table(USERS, 99, TARGET, Stand.COPIED, CONFIRMED, 9, 9)));
        assertThat(plan(Optional.of(old), slot(CONFIRMED), "life-1", true, 9))
                .isInstanceOfSatisfying(
                        StartPlan.Refuse.class,
                        refused -> assertThat(refused.what())
                                .contains("dropped and made anew (oid 16384, the state file knows 99)"));
        assertThat(mending(old, slot(CONFIRMED), "life-2", 0))
                .as("an empty pipeline")
                .isInstanceOf(StartPlan.UseSlot.class);
    }

    @Test
    void neverStreamsWithoutACopy() {
        assertThat(decided(Optional.empty(), MISSING, "life-1", SnapshotMode.NEVER, 3))
                .isEqualTo(new StartPlan.CreateSlot(SnapshotMode.NEVER, begins(3, new StartPlan.How.StreamOnly())));
    }

    private static StartPlan plan(
            Optional<ReplicationState> state, SlotStatus slot, String life, boolean fresh, long count) {
        return plan(state, slot, WAL_END, life, fresh, count);
    }

    private static StartPlan plan(
            Optional<ReplicationState> state, SlotStatus slot, Lsn walEnd, String life, boolean fresh, long count) {
        return StartPlan.decide(new StartPlan.Found(
                state, SOURCE, slot, walEnd, PIPELINE, life, fresh, SnapshotMode.INITIAL, false, subjects(count)));
    }

    /** Each of them is refused where a person is asked for. */
    @Test
    void whatTheStreamCannotBringIsReadAgainAndMergedWithWhatFelderaHas() {
        SlotStatus lost = new SlotStatus.Lost("wal_status is lost");
        assertThat(mending(state(Stand.COPIED), lost, "life-1", 9)).satisfies(StartPlanTest::createsAndMerges);
        assertThat(mending(state(Stand.COPIED), MISSING, "life-1", 9)).satisfies(StartPlanTest::createsAndMerges);
        assertThat(mending(state(Stand.PENDING), MISSING, "life-1", 9)).satisfies(StartPlanTest::createsAndMerges);
        assertThat(mending(state(Stand.COPIED), slot(AHEAD), "life-1", 9)).satisfies(plan -> mergesFrom(AHEAD, plan));
        assertThat(mending(state(Stand.COPIED), slot(AHEAD), "life-2", 4)).satisfies(plan -> mergesFrom(AHEAD, plan));
        assertThat(mending(state(Stand.UNKNOWN), slot(CONFIRMED), "life-1", 4))
                .satisfies(plan -> mergesFrom(CONFIRMED, plan));
        assertThat(mending(state(Stand.DOUBTED), slot(CONFIRMED), "life-1", 9))
                .satisfies(plan -> mergesFrom(CONFIRMED, plan));
        assertThat(mending(state(Stand.MERGING), slot(CONFIRMED), "life-1", 9))
                .satisfies(plan -> mergesFrom(CONFIRMED, plan));
        assertThat(mending(state(Stand.COPIED), slot(CONFIRMED), "life-1", 9))
                .isEqualTo(new StartPlan.UseSlot(
                        CONFIRMED, begins(9, new StartPlan.How.Continue(Stand.COPIED, CONFIRMED, 9))));
    }

    /** It may hold rows that no replay takes out, whoever decides now. */
    @Test
    void aMergeThatBrokeIsMadeAgainAlsoWhereAPersonIsAskedFor() {
        assertThat(plan(Optional.of(state(Stand.MERGING)), slot(CONFIRMED), "life-1", true, 9))
                .satisfies(plan -> mergesFrom(CONFIRMED, plan));
        assertThat(plan(Optional.of(state(Stand.MERGING)), slot(CONFIRMED), "life-2", true, 0))
                .isEqualTo(new StartPlan.UseSlot(CONFIRMED, begins(0, CopiedAgainTest.EMPTIED)));
    }

    private static StartPlan mending(ReplicationState state, SlotStatus slot, String life, long count) {
        return decided(Optional.of(state), slot, life, SnapshotMode.INITIAL, count);
    }

    private static StartPlan decided(
            Optional<ReplicationState> state, SlotStatus slot, String life, SnapshotMode mode, long count) {
        return StartPlan.decide(new StartPlan.Found(
                state, SOURCE, slot, WAL_END, PIPELINE, life, true, mode, mode != SnapshotMode.NEVER, subjects(count)));
    }

    private static void createsAndMerges(StartPlan plan) {
        assertThat(plan).isInstanceOfSatisfying(StartPlan.CreateSlot.class, create -> assertMerges(create.tables()));
    }

    private static void mergesFrom(Lsn resumeAt, StartPlan plan) {
        assertThat(plan).isInstanceOfSatisfying(StartPlan.UseSlot.class, use -> {
            assertThat(use.resumeAt()).isEqualTo(resumeAt);
            assertMerges(use.tables());
        });
    }

    private static void assertMerges(List<StartPlan.Begin> tables) {
        assertThat(tables).allMatch(begin -> begin.how() instanceof StartPlan.How.Merge);
    }

    private static List<StartPlan.Subject> subjects(long count) {
        return List.of(new StartPlan.Subject(USERS, 16_384, TARGET, count, true, REPLAYED));
    }

    private static List<StartPlan.Begin> begins(long count, StartPlan.How how) {
        return List.of(new StartPlan.Begin(subjects(count).getFirst(), how));
    }

    private static SlotStatus slot(Lsn at) {
        return new SlotStatus.Usable(at, BEFORE, OptionalInt.empty());
    }

    private static ReplicationState state(Stand stand) {
        return new ReplicationState(
                ReplicationState.Origin.of(SOURCE),
                new ReplicationState.Target(PIPELINE, "life-1"),
                true,
                CONFIRMED,
                List.of(new ReplicationState.Table(USERS, 16_384, TARGET, stand, CONFIRMED, 9, 9)));
    }
}
