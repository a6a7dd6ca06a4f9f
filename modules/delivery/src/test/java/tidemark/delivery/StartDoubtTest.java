package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.OnStateLoss;
import tidemark.delivery.ReplicationState.Stand;
import tidemark.sink.FelderaName;

/** A doubt is durable whichever of the tables a start is refused for: a process that comes later may not see it. */
class StartDoubtTest {
    private static final StartPlan.Refuse REFUSED = new StartPlan.Refuse("it cannot be merged", "Restart it empty.");
    private static final FelderaName ITEMS = new FelderaName("items", false);

    @Test
    void ofATableThatCannotBeMerged() {
        var found = StartScene.known(Stand.COPIED).countsWhatIsNotOurs().found(OnStateLoss.RESNAPSHOT);
        assertThat(StartPlan.refused(found, REFUSED)).isInstanceOfSatisfying(StartPlan.Doubt.class, doubt -> {
            assertThat(doubt.what()).isEqualTo(REFUSED.what());
            assertThat(doubt.remedy()).isEqualTo(REFUSED.remedy());
            assertThat(stands(doubt)).containsExactly(Stand.DOUBTED);
        });
    }

    @Test
    void withoutOneNothingIsWritten() {
        var found = StartScene.known(Stand.COPIED).found(OnStateLoss.RESNAPSHOT);
        assertThat(StartPlan.refused(found, REFUSED)).isEqualTo(REFUSED);
    }

    @Test
    void ofATableBehindOneThatIsRefused() {
        StartPlan.Found recreated =
                StartScene.known(Stand.COPIED).knownOid(StartScene.OID + 1).found(OnStateLoss.STOP);
        var found = withDoubtedItems(recreated);
        assertThat(StartPlan.decide(found)).isInstanceOfSatisfying(StartPlan.Doubt.class, doubt -> {
            assertThat(doubt.what()).contains("dropped and made anew");
            assertThat(stands(doubt)).containsExactly(Stand.COPIED, Stand.DOUBTED);
        });
    }

    private static StartPlan.Found withDoubtedItems(StartPlan.Found found) {
        var name = new RelationName("public", "items");
        ReplicationState state = found.state().orElseThrow();
        var known = new ReplicationState.Table(name, 7, ITEMS, Stand.COPIED, StartScene.CONFIRMED, 9, 9);
        var items = new StartPlan.Subject(name, 7, ITEMS, 10, false, Leftovers.REPLAYED);
        return new StartPlan.Found(
                Optional.of(state.with(
                        Stream.concat(state.tables().stream(), Stream.of(known)).toList())),
                found.source(),
                found.slot(),
                found.walEnd(),
                found.address(),
                found.incarnation(),
                found.fresh(),
                found.mode(),
                found.mends(),
                Stream.concat(found.tables().stream(), Stream.of(items)).toList());
    }

    private static List<Stand> stands(StartPlan.Doubt doubt) {
        return doubt.durable().tables().stream()
                .map(ReplicationState.Table::stand)
                .toList();
    }
}
