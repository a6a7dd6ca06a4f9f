package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.sink.FelderaName;

class EndpointCountsTest {
    private static final String LIFE = "life-1";
    private static final FelderaName USERS = new FelderaName("users", false);

    private final EndpointCounts counts = new EndpointCounts();

    @Test
    void whatNobodyCountedMayBeAnything() {
        assertThat(counts.accountFor(LIFE, USERS, 12)).isTrue();
    }

    @Test
    void betweenTwoSessionsNothingMayHaveComeOrGone() {
        counts.begin(LIFE, Map.of(USERS, 5L));
        counts.sent(USERS, 3);
        assertThat(counts.accepted(USERS)).isEqualTo(8);
        assertThat(List.of(7L, 8L, 9L).stream().filter(this::mayBeOurs)).containsExactly(8L);
    }

    /** An array is taken whole or not at all. */
    @Test
    void aPostWithoutAnAnswerWasTakenWholeOrNotAtAll() {
        counts.begin(LIFE, Map.of(USERS, 5L));
        counts.sent(USERS, 3);
        assertThat(List.of(4L, 5L, 6L, 7L, 8L, 9L).stream().filter(this::mayBeOurs))
                .containsExactly(5L, 8L);
    }

    @Test
    void whatWasRefusedTookNoEffect() {
        counts.begin(LIFE, Map.of(USERS, 5L));
        counts.sent(USERS, 3);
        counts.refused(USERS);
        assertThat(mayBeOurs(8)).isFalse();
    }

    @Test
    void afterACleanStopTheCountIsWhatItWas() {
        counts.inherit(state(true, 9));
        assertThat(List.of(8L, 9L, 10L).stream().filter(this::mayBeOurs)).containsExactly(9L);
    }

    /** A process that died may have sent more than it wrote down. */
    @Test
    void afterACrashTheCountIsAtLeastWhatItWas() {
        counts.inherit(state(false, 9));
        assertThat(List.of(8L, 9L, 10L).stream().filter(this::mayBeOurs)).containsExactly(9L, 10L);
    }

    @Test
    void inAnotherLifeNothingIsExpected() {
        counts.inherit(state(true, 9));
        assertThat(counts.accountFor("life-2", USERS, 0)).isTrue();
    }

    @Test
    void moreThanWasAcceptedIsOursOnlyIfAPostWasLostAndNothingConfirmedSince() {
        counts.begin(LIFE, Map.of(USERS, 5L));
        assertThat(counts.adopt(USERS, 8)).as("nothing was lost").isFalse();
        counts.sent(USERS, 3);
        counts.begin(LIFE, Map.of(USERS, 5L));
        assertThat(counts.adopt(USERS, 4)).as("a counter never goes back").isFalse();
        assertThat(counts.adopt(USERS, 8)).isTrue();
        assertThat(mayBeOurs(8)).isTrue();
        counts.confirmed();
        assertThat(counts.adopt(USERS, 11)).as("the replay would not cover it").isFalse();
    }

    @Test
    void aGhostOfAProcessThatDiedMayStillCome() {
        counts.inherit(state(false, 9));
        counts.begin(LIFE, Map.of(USERS, 9L));
        assertThat(counts.adopt(USERS, 11)).isTrue();
    }

    private boolean mayBeOurs(long counted) {
        return counts.accountFor(LIFE, USERS, counted);
    }

    private static ReplicationState state(boolean clean, long taken) {
        return new ReplicationState(
                new ReplicationState.Origin("7", 1, "shop", "tidemark"),
                new ReplicationState.Target("http://f", LIFE),
                clean,
                Lsn.ZERO,
                List.of(new ReplicationState.Table(
                        new RelationName("public", "users"),
                        1,
                        USERS,
                        ReplicationState.Stand.COPIED,
                        Lsn.ZERO,
                        4,
                        taken)));
    }
}
