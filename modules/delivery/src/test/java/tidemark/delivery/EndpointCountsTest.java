package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.delivery.EndpointCounts.Counted;
import tidemark.sink.FelderaName;

class EndpointCountsTest {
    private static final String LIFE = "life-1";
    private static final FelderaName USERS = new FelderaName("users", false);

    private final EndpointCounts counts = new EndpointCounts();

    @Test
    void whatNobodyCountedMayBeAnything() {
        assertThat(counts.accountFor(LIFE, USERS, exactly(12))).isTrue();
    }

    @Test
    void betweenTwoSessionsNothingMayHaveComeOrGone() {
        counts.begin(LIFE, Map.of(USERS, exactly(5)));
        counts.sent(USERS, 3);
        assertThat(counts.accepted(USERS)).isEqualTo(8);
        assertThat(List.of(7L, 8L, 9L).stream().filter(this::mayBeOurs)).containsExactly(8L);
    }

    /** An array is taken whole or not at all. */
    @Test
    void aPostWithoutAnAnswerWasTakenWholeOrNotAtAll() {
        counts.begin(LIFE, Map.of(USERS, exactly(5)));
        counts.sent(USERS, 3);
        assertThat(List.of(4L, 5L, 6L, 7L, 8L, 9L).stream().filter(this::mayBeOurs))
                .containsExactly(5L, 8L);
    }

    @Test
    void whatWasRefusedTookNoEffect() {
        counts.begin(LIFE, Map.of(USERS, exactly(5)));
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
        assertThat(counts.accountFor("life-2", USERS, exactly(0))).isTrue();
    }

    @Test
    void moreThanWasAcceptedIsOursOnlyIfAPostWasLostAndNothingConfirmedSince() {
        counts.begin(LIFE, Map.of(USERS, exactly(5)));
        assertThat(counts.adopt(USERS, 8)).as("nothing was lost").isFalse();
        counts.sent(USERS, 3);
        counts.begin(LIFE, Map.of(USERS, exactly(5)));
        assertThat(counts.adopt(USERS, 4)).as("a counter never goes back").isFalse();
        assertThat(counts.adopt(USERS, 8)).isTrue();
        assertThat(mayBeOurs(8)).isTrue();
        counts.confirmed();
        assertThat(counts.adopt(USERS, 11)).as("the replay would not cover it").isFalse();
    }

    /** It would be put over what a snapshot shows, from behind which alone the stream is replayed. */
    @Test
    void aGhostIsNotTakenForOursInATableThatWasMergedMeanwhile() {
        counts.inherit(state(false, 9));
        counts.begin(LIFE, Map.of(USERS, exactly(9)));
        counts.replaysFromSnapshot(USERS);
        counts.sent(USERS, 2);
        assertThat(counts.accepted(USERS)).isEqualTo(11);
        assertThat(counts.adopt(USERS, 12)).isFalse();
        counts.begin(LIFE, Map.of(USERS, exactly(11)));
        assertThat(counts.adopt(USERS, 12)).as("nor by the next session").isFalse();
        counts.begin("life-2", Map.of(USERS, atMost(0)));
        assertThat(counts.adopt(USERS, 12)).as("of another life").isTrue();
    }

    @Test
    void aGhostIsNotTakenForOursInATableThatWasCopiedMeanwhile() {
        counts.begin(LIFE, Map.of(USERS, exactly(0)));
        counts.sent(USERS, 4);
        counts.begin(LIFE, Map.of(USERS, exactly(0)));
        counts.copied(USERS);
        assertThat(counts.adopt(USERS, 4)).isFalse();
    }

    @Test
    void whatIsSentAfterACopyIsReplayedOverItsGhost() {
        counts.begin(LIFE, Map.of(USERS, exactly(0)));
        counts.copied(USERS);
        counts.sent(USERS, 4);
        counts.begin(LIFE, Map.of(USERS, exactly(0)));
        assertThat(counts.adopt(USERS, 4)).isTrue();
    }

    /** Another POST without an answer does not bring back what was confirmed. */
    @Test
    void aGhostOfBeforeAConfirmIsNotTakenForOursOnceAnotherIsPossible() {
        counts.begin(LIFE, Map.of(USERS, exactly(0)));
        counts.sent(USERS, 4);
        counts.begin(LIFE, Map.of(USERS, exactly(0)));
        counts.confirmed();
        counts.sent(USERS, 2);
        counts.begin(LIFE, Map.of(USERS, exactly(0)));
        assertThat(counts.adopt(USERS, 4)).isFalse();
        counts.begin("life-2", Map.of(USERS, exactly(0)));
        counts.sent(USERS, 2);
        counts.begin("life-2", Map.of(USERS, exactly(0)));
        assertThat(counts.adopt(USERS, 2)).as("in another life").isTrue();
    }

    /** Of the process before, a table's own position says so. */
    @Test
    void aGhostOfAProcessThatDiedIsNotTakenForOursInATableThatItCopiedBesideTheSlot() {
        counts.inherit(state(false, 9, "0/200"));
        counts.begin(LIFE, Map.of(USERS, exactly(9)));
        assertThat(counts.adopt(USERS, 11)).isFalse();
    }

    @Test
    void aGhostOfAProcessThatDiedMayStillCome() {
        counts.inherit(state(false, 9));
        counts.begin(LIFE, Map.of(USERS, exactly(9)));
        assertThat(counts.adopt(USERS, 11)).isTrue();
    }

    /** Somebody else may post to the same table by another endpoint: what all of them took is not less than ours. */
    @Test
    void anEndpointWhoseTokensTellNothingMayHaveTakenAsMuchAsAllOfTheTable() {
        counts.begin(LIFE, Map.of(USERS, atMost(0)));
        counts.sent(USERS, 3);
        counts.accepted(USERS);
        assertThat(List.of(2L, 3L, 7L).stream().filter(all -> counts.accountFor(LIFE, USERS, atMost(all))))
                .containsExactly(3L, 7L);
    }

    /** Another session changes nothing in what this process knows. */
    @Test
    void whatWasTakenIsKnownAlsoIfTheTokensOfTheNextSessionTellNothing() {
        counts.begin(LIFE, Map.of(USERS, atMost(0)));
        counts.sent(USERS, 3);
        counts.accepted(USERS);
        counts.begin(LIFE, Map.of(USERS, atMost(7)));
        assertThat(counts.taken(USERS)).isEqualTo(3);
        assertThat(counts.isExact(LIFE)).isFalse();
        counts.begin("life-2", Map.of(USERS, atMost(7)));
        assertThat(counts.taken(USERS)).isZero();
    }

    /** The pipeline may be older than the Tidemark that can read its tokens. */
    @Test
    void aTokenThatTellsMoreThanWasCountedWithoutTokensIsBelieved() {
        counts.begin(LIFE, Map.of(USERS, atMost(7)));
        counts.sent(USERS, 3);
        counts.accepted(USERS);
        assertThat(counts.adopt(USERS, 2)).as("a counter never goes back").isFalse();
        assertThat(counts.adopt(USERS, 8)).isTrue();
        assertThat(counts.adopt(USERS, 9)).as("it is known now").isFalse();
    }

    private static Counted exactly(long operations) {
        return new Counted(operations, true);
    }

    private static Counted atMost(long operations) {
        return new Counted(operations, false);
    }

    private boolean mayBeOurs(long counted) {
        return counts.accountFor(LIFE, USERS, exactly(counted));
    }

    private static ReplicationState state(boolean clean, long taken) {
        return state(clean, taken, "0/0");
    }

    private static ReplicationState state(boolean clean, long taken, String position) {
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
                        Lsn.parse(position),
                        4,
                        taken)));
    }
}
