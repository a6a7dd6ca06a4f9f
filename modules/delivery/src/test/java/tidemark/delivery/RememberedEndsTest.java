package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.delivery.ReplicationState.Stand;
import tidemark.replication.SlotStatus;
import tidemark.replication.SourceIdentity;
import tidemark.sink.FelderaName;

/** What {@link StartPlanTest} does not drive: a pipeline that came back empty where nothing is to be mended. */
class RememberedEndsTest {
    private static final SourceIdentity SOURCE = new SourceIdentity("7", 1, "shop", "tidemark", 15);
    private static final RelationName USERS = new RelationName("public", "users");
    private static final FelderaName TARGET = new FelderaName("users", false);
    private static final Lsn CONFIRMED = Lsn.parse("0/100");

    @ParameterizedTest
    @EnumSource(names = {"PENDING", "MERGING"})
    void anEmptyPipelineIsFilledWhereNothingWasWhole(Stand stand) {
        for (SnapshotMode mode : SnapshotMode.values())
            assertThat(plan(stand, mode, "life-2", false)).isInstanceOf(StartPlan.UseSlot.class);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"PENDING", "MERGING"})
    void elseItNeedsAPerson(Stand stand) {
        for (SnapshotMode mode : SnapshotMode.values()) {
            assertThat(plan(stand, mode, "life-2", false)).isInstanceOfSatisfying(StartPlan.Refuse.class, refused -> {
                assertThat(refused.what()).contains("came back empty", "life-1", "life-2");
                assertThat(refused.remedy())
                        .contains("snapshot.on-state-loss=resnapshot")
                        .contains("snapshot.mode=initial");
            });
        }
        assertThat(plan(stand, SnapshotMode.INITIAL, "life-2", true)).isInstanceOf(StartPlan.UseSlot.class);
    }

    private static StartPlan plan(Stand stand, SnapshotMode mode, String life, boolean mends) {
        var table = new ReplicationState.Table(USERS, 16, TARGET, stand, CONFIRMED, 9, 9);
        var state = new ReplicationState(
                ReplicationState.Origin.of(SOURCE),
                new ReplicationState.Target("http://f/v0/pipelines/p", "life-1"),
                true,
                CONFIRMED,
                List.of(table));
        return StartPlan.decide(new StartPlan.Found(
                Optional.of(state),
                SOURCE,
                new SlotStatus.Usable(CONFIRMED, CONFIRMED, OptionalInt.empty()),
                Lsn.parse("0/300"),
                "http://f/v0/pipelines/p",
                life,
                true,
                mode,
                mends,
                List.of(new StartPlan.Subject(USERS, 16, TARGET, 0, true, Leftovers.REPLAYED))));
    }
}
