package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.replication.SlotStatus;

class StatusBoardTest extends DrivenCore {
    private static final Lsn SLOT = Lsn.parse("A0/1000");

    private Instant time = Instant.EPOCH;
    private final StatusBoard board = new StatusBoard(List.of(), () -> time);

    /** While it connects, quiets and copies; measured from zero, lag would be all WAL the server ever wrote. */
    @Test
    void measuresLagFromTheSlotBeforeAnythingIsConfirmedHere() {
        board.serverStands(Lsn.parse("A0/1800"), new SlotStatus.Usable(SLOT, Lsn.parse("A0/400"), OptionalInt.empty()));
        assertThat(board.picture().confirmed()).isEqualTo(SLOT);
        assertThat(board.picture().lagBytes()).isEqualTo(0x800);
        assertThat(board.picture().retainedWalBytes()).isEqualTo(0x1400);
    }

    @Test
    void showsNoLagOfAServerThatItHasNotSeen() {
        assertThat(board.picture().lagBytes()).isZero();
    }

    @Test
    void showsTheColumnsWhoseValuesWentAsNull() {
        board.nulled().counter("public.users", "born").count();
        board.nulled().counter("public.users", "name");
        assertThat(board.picture().nulledValues()).containsExactly(new NulledValues.Count("public.users", "born", 1));
    }

    /** A wait says its phase at every look: a person wants to know how long it has lasted. */
    @Test
    void aPhaseBeganWhenItWasFirstSaid() {
        board.phase(Phase.QUIETING, "requests sent earlier");
        time = time.plusSeconds(30);
        board.phase(Phase.QUIETING, "the pipeline to have processed all input");
        assertThat(board.picture().phaseSince()).isEqualTo(Instant.EPOCH);
        assertThat(board.picture().waitingFor()).hasValue("the pipeline to have processed all input");
        board.phase(Phase.STREAMING);
        assertThat(board.picture().phaseSince()).isEqualTo(time);
        assertThat(board.picture().waitingFor()).isEmpty();
    }

    /** A position that is held for hours: the oldest is as old as ever, and little is kept for it. */
    @Test
    void whatIsKeptOfAPositionThatIsHeldIsBounded() {
        for (int i = 0; i < 100_000; i++) {
            board.show(new Lsn(0x1000 + i), core);
            time = time.plusMillis(100);
            assertThat(board.reads()).isLessThanOrEqualTo(1000);
        }
        assertThat(board.picture().oldestUnconfirmed()).hasValue(Instant.EPOCH);
    }

    /** Of a Feldera that is slow and yet goes on, every confirmed batch would make the next one look new. */
    @Test
    void theOldestRowIsAsOldAsItIsHoweverMuchWasConfirmedBeforeIt() {
        Lsn first = Lsn.parse("0/200");
        Lsn second = Lsn.parse("0/300");
        transaction(first, USERS);
        board.show(first, core);
        tick(10);
        accept(only(Decision.Post.class), 6);
        time = time.plusSeconds(20);
        Instant secondRead = time;
        transaction(second, USERS);
        board.show(second, core);
        assertThat(board.picture().oldestUnconfirmed()).hasValue(Instant.EPOCH);
        time = time.plusSeconds(20);
        tick(200);
        on(new Event.Complete(only(Decision.AskCompletion.class).token()));
        on(new Event.Recorded(only(Decision.Persist.class).mark()));
        board.show(second, core);
        assertThat(core.confirmed()).isEqualTo(first);
        assertThat(board.picture().oldestUnconfirmed()).hasValue(secondRead);
    }
}
