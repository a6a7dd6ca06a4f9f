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

/** A slot that somebody moved takes nothing with it where nothing was copied yet. */
class SlotAheadTest {
    private static final SourceIdentity SOURCE = new SourceIdentity("7", 1, "shop", "tidemark", 15);
    private static final RelationName USERS = new RelationName("public", "users");
    private static final FelderaName TARGET = new FelderaName("users", false);
    private static final String PIPELINE = "http://f/v0/pipelines/p";
    private static final Lsn CONFIRMED = Lsn.parse("0/100");
    private static final Lsn AHEAD = Lsn.parse("0/200");

    /** With {@code snapshot.on-state-loss=stop}. */
    private static StartPlan plan(Stand stand, long count) {
        return StartPlan.decide(new StartPlan.Found(
                Optional.of(new ReplicationState(
                        ReplicationState.Origin.of(SOURCE),
                        new ReplicationState.Target(PIPELINE, "life-1"),
                        true,
                        CONFIRMED,
                        List.of(new ReplicationState.Table(USERS, 16, TARGET, stand, CONFIRMED, count, count)))),
                SOURCE,
                new SlotStatus.Usable(AHEAD, CONFIRMED, OptionalInt.empty()),
                Lsn.parse("0/300"),
                PIPELINE,
                "life-1",
                true,
                SnapshotMode.INITIAL,
                false,
                List.of(new StartPlan.Subject(USERS, 16, TARGET, count, true, Leftovers.REPLAYED))));
    }

    @Test
    void beforeTheFirstRowTheTablesAreCopiedBesideIt() {
        assertThat(plan(Stand.PENDING, 0)).isInstanceOfSatisfying(StartPlan.UseSlot.class, use -> {
            assertThat(use.resumeAt()).isEqualTo(AHEAD);
            assertThat(use.tables()).allMatch(begin -> begin.how() instanceof StartPlan.How.Copy);
        });
    }

    @Test
    void whatACopyLeftAndWhatWasCopiedNeedAPerson() {
        assertThat(plan(Stand.PENDING, 9)).isInstanceOf(StartPlan.Refuse.class);
        assertThat(plan(Stand.COPIED, 9)).isInstanceOf(StartPlan.Refuse.class);
        assertThat(plan(Stand.MERGING, 9)).isInstanceOf(StartPlan.Refuse.class);
    }
}
