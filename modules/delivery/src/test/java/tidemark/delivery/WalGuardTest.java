package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import tidemark.replication.WalRoom;

class WalGuardTest {
    @Test
    void aServerWithoutALimitTakesNothingAway() {
        assertThat(WalGuard.tooLittleToBegin(Optional.empty())).isEmpty();
        assertThat(WalGuard.tooLittleToGoOn(Optional.empty())).isEmpty();
    }

    @Test
    void aTableBeginsToBeReadAgainWithHalfOfTheRoomAndGoesOnToAQuarter() {
        assertThat(WalGuard.tooLittleToBegin(Optional.of(new WalRoom(50, 100)))).isEmpty();
        assertThat(WalGuard.tooLittleToBegin(Optional.of(new WalRoom(49, 100)))).isPresent();
        assertThat(WalGuard.tooLittleToGoOn(Optional.of(new WalRoom(25, 100)))).isEmpty();
        assertThat(WalGuard.tooLittleToGoOn(Optional.of(new WalRoom(24, 100))).orElseThrow())
                .hasMessageContaining("24 bytes");
    }
}
