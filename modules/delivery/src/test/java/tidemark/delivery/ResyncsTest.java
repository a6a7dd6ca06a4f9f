package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;

/** What is asked for, and what becomes of it, step by step as the connector's thread takes them. */
class ResyncsTest {
    private static final Lsn AT = Lsn.parse("0/100");
    private static final Lsn UNTIL = Lsn.parse("0/200");
    private static final MergedTable.Found FOUND = new MergedTable.Found(7, 1, 0, 0);

    private final TablePlan plan =
            new TableFixture("t").both("id", 23, "INTEGER!").key("id").plan();
    private final RelationName table = plan.postgres();
    private final DeliverySettings settings = TableFixture.settings("t");
    private final StatusBoard board = new StatusBoard(settings.routes(), InstantSource.system());
    private final Resyncs resyncs = new Resyncs(settings, board, InstantSource.system());

    @BeforeEach
    void aSessionStreams() {
        resyncs.streams(List.of(plan));
    }

    private String state() {
        return board.picture().tables().getFirst().resync().orElseThrow().state();
    }

    private void begins() {
        assertThat(resyncs.request(table)).isEqualTo(new ResyncReply.Accepted());
        assertThat(resyncs.next()).contains(table);
    }

    @Test
    void whatIsAskedForBeforeItsRowsAreKnownComesWithIt() {
        begins();
        assertThat(resyncs.request(table)).isEqualTo(new ResyncReply.UnderWay());
        resyncs.leftOut();
        assertThat(resyncs.request(table)).isEqualTo(new ResyncReply.UnderWay());
    }

    /** Else whoever breaks the table then would be told that it was mended. */
    @Test
    void whatIsAskedForAfterwardsIsAnotherTime() {
        begins();
        resyncs.leftOut();
        resyncs.imaged();
        assertThat(resyncs.request(table)).isEqualTo(new ResyncReply.Accepted());
        assertThat(resyncs.request(table)).isEqualTo(new ResyncReply.UnderWay());
        assertThat(resyncs.changes(table)).isTrue();
        resyncs.goesBack(table, UNTIL, AT, FOUND);
        assertThat(resyncs.next()).isEmpty();
        assertThat(resyncs.received(UNTIL)).contains(table);
        assertThat(state()).as("of the second one").isEqualTo("requested");
        assertThat(resyncs.next()).contains(table);
    }

    @Test
    void nothingIsChangedOfWhatWasCancelled() {
        begins();
        resyncs.leftOut();
        assertThat(resyncs.cancel(table)).isEqualTo(new CancelReply.Cancelled());
        assertThat(resyncs.changes(table)).isFalse();
        assertThat(resyncs.cancelled()).isPresent();
        resyncs.failed(table, "it was cancelled", Optional.of(UNTIL));
        assertThat(resyncs.hasFailed(table)).as("for drift.policy").isFalse();
        assertThat(resyncs.cancel(table)).isEqualTo(new CancelReply.NotUnderWay());
    }

    @Test
    void whatWasChangedCannotBeCancelled() {
        begins();
        assertThat(resyncs.changes(table)).isTrue();
        assertThat(resyncs.cancel(table)).isEqualTo(new CancelReply.TooLate());
        resyncs.streamEnded();
        assertThat(state()).isEqualTo("interrupted");
    }

    @Test
    void whatWasCancelledIsNotBegunByTheNextSession() {
        begins();
        resyncs.cancel(table);
        resyncs.streamEnded();
        assertThat(state()).isEqualTo("failed");
        aSessionStreams();
        assertThat(resyncs.next()).isEmpty();
    }

    /** It may be what ends the sessions. */
    @Test
    void aTableThatIsLeftOutWhenItsSessionEndsIsBegunOnceMore() {
        begins();
        resyncs.streamEnded();
        assertThat(state()).as("it was only looked at").isEqualTo("requested");
        for (String then : new String[] {"requested", "failed"}) {
            aSessionStreams();
            assertThat(resyncs.next()).contains(table);
            resyncs.leftOut();
            resyncs.streamEnded();
            assertThat(state()).isEqualTo(then);
        }
        assertThat(resyncs.hasFailed(table)).isTrue();
        aSessionStreams();
        begins();
    }
}
