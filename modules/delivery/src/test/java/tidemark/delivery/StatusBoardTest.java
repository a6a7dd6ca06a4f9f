package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.replication.SlotStatus;

class StatusBoardTest {
    private static final Lsn SLOT = Lsn.parse("A0/1000");

    private Instant now = Instant.EPOCH;
    private final StatusBoard board = new StatusBoard(List.of(), () -> now);

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

    /** A wait says its phase at every look: a person wants to know how long it has lasted. */
    @Test
    void aPhaseBeganWhenItWasFirstSaid() {
        board.phase("quieting", "requests sent earlier");
        now = now.plusSeconds(30);
        board.phase("quieting", "the pipeline to have processed all input");
        assertThat(board.picture().phaseSince()).isEqualTo(Instant.EPOCH);
        assertThat(board.picture().waitingFor()).hasValue("the pipeline to have processed all input");
        board.phase("streaming");
        assertThat(board.picture().phaseSince()).isEqualTo(now);
        assertThat(board.picture().waitingFor()).isEmpty();
    }
}
