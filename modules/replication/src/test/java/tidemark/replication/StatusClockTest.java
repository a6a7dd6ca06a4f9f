package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import tidemark.replication.StatusClock.Due;

/** The server's timeout is 6 s here, so the interval is 2 s. */
class StatusClockTest {
    private static final long START = Long.MAX_VALUE - 5_000_000_000L; // nanoTime may overflow at any moment

    private final StatusClock clock = new StatusClock(Duration.ofSeconds(6));

    @Test
    void theFirstReplyGoesOutAtOnce() {
        assertThat(clock.due(at(0))).isEqualTo(Due.STATUS);
        assertThat(clock.due(at(0))).isEqualTo(Due.NOTHING);
    }

    @Test
    void repliesGoOutOncePerIntervalAlsoWhenNobodyPolls() {
        clock.due(at(0));
        assertThat(clock.due(at(1_999))).isEqualTo(Due.NOTHING);
        assertThat(clock.due(at(2_000))).isEqualTo(Due.STATUS);
        assertThat(clock.due(at(3_999))).isEqualTo(Due.NOTHING);
        assertThat(clock.due(at(4_000))).isEqualTo(Due.STATUS);
    }

    @Test
    void aRequestedReplyIsNotDelayed() {
        clock.due(at(0));
        clock.heard();
        clock.replyRequested();
        assertThat(clock.due(at(1))).isEqualTo(Due.STATUS);
        assertThat(clock.due(at(2))).isEqualTo(Due.NOTHING);
    }

    @Test
    void movedPositionsAreToldTogether() {
        clock.due(at(0));
        clock.confirmedMoved();
        assertThat(clock.due(at(50))).isEqualTo(Due.NOTHING);
        clock.confirmedMoved();
        assertThat(clock.due(at(100))).isEqualTo(Due.STATUS);
        assertThat(clock.due(at(200))).isEqualTo(Due.NOTHING);
    }

    @Test
    void aSilentServerIsPingedOncePerIntervalAndThenGivenUp() {
        clock.due(at(0));
        assertThat(listenUntil(0, 2_000)).isEqualTo(Due.PING);
        assertThat(listenUntil(2_000, 4_000)).isEqualTo(Due.PING);
        assertThat(listenUntil(4_000, 6_000)).isEqualTo(Due.PING);
        clock.foundEmpty();
        assertThat(clock.due(at(6_100))).isEqualTo(Due.GIVE_UP);
    }

    @Test
    void anythingHeardEndsTheSilence() {
        clock.due(at(0));
        listenUntil(0, 5_900);
        clock.heard();
        clock.foundEmpty();
        clock.due(at(6_000));
        listenUntil(6_000, 11_900);
        assertThat(clock.due(at(11_900))).isEqualTo(Due.NOTHING);
    }

    /** Back-pressure: what the server said waits in the socket, so its silence proves nothing. */
    @Test
    void timeInWhichNobodyPolledIsNoSilence() {
        clock.due(at(0));
        for (int millis = 100; millis < 600_000; millis += 100) {
            assertThat(clock.due(at(millis))).isIn(Due.NOTHING, Due.STATUS);
        }
    }

    @Test
    void aProcessThatWasFrozenListensAgainBeforeItGivesUp() {
        clock.due(at(0));
        clock.foundEmpty();
        assertThat(clock.due(at(600_000))).isEqualTo(Due.PING);
        clock.heard();
        assertThat(clock.due(at(600_001))).isEqualTo(Due.NOTHING);
    }

    @Test
    void aServerWithoutTimeoutIsGivenUpAfterAMinute() {
        var patient = new StatusClock(Duration.ZERO);
        assertThat(patient.silenceLimit()).isEqualTo(Duration.ofSeconds(60));
        assertThat(StandbyStatus.interval(Duration.ZERO)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void intervalsAreAThirdOfTheTimeoutWithinBounds() {
        assertThat(StandbyStatus.interval(Duration.ofSeconds(60))).isEqualTo(Duration.ofSeconds(10));
        assertThat(StandbyStatus.interval(Duration.ofSeconds(15))).isEqualTo(Duration.ofSeconds(5));
        assertThat(StandbyStatus.interval(Duration.ofMillis(300))).isEqualTo(Duration.ofMillis(500));
    }

    private Due listenUntil(int fromMillis, int toMillis) {
        Due last = Due.NOTHING;
        for (int millis = fromMillis + 100; millis <= toMillis; millis += 100) {
            clock.foundEmpty();
            last = clock.due(at(millis));
        }
        return last;
    }

    private static long at(int millis) {
        return START + millis * 1_000_000L;
    }
}
