package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class GhostWatchTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final GhostWatch ghosts = new GhostWatch(LIMIT);

    @Test
    void waitsForNothingWhenEveryPostWasAnswered() {
        ghosts.sent();
        ghosts.answered();
        assertThat(ghosts.leavesNothing(0)).isTrue();
    }

    @Test
    void waitsOutTheRequestLimitAndAMarginAfterAPostWhoseEffectIsUnknown() {
        ghosts.sent();
        assertThat(ghosts.isUnderWay()).isTrue();
        ghosts.lost(0);
        assertThat(ghosts.quietLeft(0)).isGreaterThan(LIMIT);
        assertThat(ghosts.quietLeft(30 * SECOND)).isPositive();
        assertThat(ghosts.leavesNothing(30 * SECOND)).isFalse();
        assertThat(ghosts.quietLeft(31 * SECOND)).isZero();
        assertThat(ghosts.leavesNothing(31 * SECOND)).isTrue();
    }

    @Test
    void aSecondDoubtStartsTheWaitAnew() {
        ghosts.inherited(0);
        ghosts.sent();
        ghosts.lost(20 * SECOND);
        assertThat(ghosts.quietLeft(40 * SECOND)).isEqualTo(Duration.ofSeconds(11));
    }

    /** It may not know yet that it was replaced, and posts until its last proof is over. */
    @Test
    void waitsLongerForWhatAnotherProcessMayHaveSent() {
        ghosts.inherited(0);
        assertThat(ghosts.quietLeft(33 * SECOND)).isPositive();
        assertThat(ghosts.quietLeft(34 * SECOND)).isZero();
    }

    @Test
    void aPipelineThatDoesNotRunHoldsBackWhatIsInDoubtAndNothingElse() {
        ghosts.heldUp(0);
        assertThat(ghosts.leavesNothing(0)).isTrue();
        ghosts.sent();
        ghosts.lost(0);
        ghosts.heldUp(20 * SECOND);
        assertThat(ghosts.quietLeft(40 * SECOND)).isEqualTo(Duration.ofSeconds(11));
    }

    @Test
    void aPostUnderWayIsSomethingLeftBehind() {
        ghosts.sent();
        assertThat(ghosts.leavesNothing(0)).isFalse();
    }
}
