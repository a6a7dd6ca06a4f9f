package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidemark.decode.Lsn;
import tidemark.sink.CompletionToken;
import tidemark.sink.FelderaName;
import tidemark.sink.IngressReply;
import tidemark.sink.TableBody;

/** Which point is passed by what a core is told and decides, played by hand: batches of two tables, one by one. */
class CrashWatchTest {
    /** The end of the process, for a test. */
    private static final class Crashed extends Error {
        private static final long serialVersionUID = 1;
    }

    private static final TableBody BODY = TableBody.empty(new FelderaName("users", false));
    private static final Mark MARK = new Mark(Lsn.parse("0/100"), Map.of());

    /** One thing that happens to the watch, and the point that it passes, if it passes one. */
    private record Moment(Optional<CrashPoint> passes, Runnable happens) {}

    @ParameterizedTest
    @EnumSource(CrashPoint.class)
    void endsTheProcessAtItsPointInItsBatchAndNowhereElse(CrashPoint point) {
        for (int after = 1; after <= 3; after++) {
            // given a kit for this batch
            var watch = new CrashWatch(CrashKit.at(point, after, () -> {
                throw new Crashed();
            }));
            // when every batch before it passes every point, nothing happens
            for (int batch = 1; batch < after; batch++) {
                play(watch, batch).forEach(moment -> moment.happens().run());
            }
            // and then only its own point ends it
            for (Moment moment : play(watch, after)) {
                if (moment.passes().equals(Optional.of(point))) {
                    assertThatThrownBy(() -> moment.happens().run())
                            .as("%s in batch %d", point, after)
                            .isInstanceOf(Crashed.class);
                    break;
                }
                moment.happens().run();
            }
        }
    }

    @Test
    void everyPointIsPassedOnce() {
        var watch = new CrashWatch(CrashKit.none());
        assertThat(play(watch, 1).stream().flatMap(moment -> moment.passes().stream()))
                .containsExactlyInAnyOrder(CrashPoint.values());
    }

    @Test
    void withoutAPointNothingEndsIt() {
        var watch = new CrashWatch(CrashKit.none());
        for (int batch = 1; batch <= 3; batch++) {
            play(watch, batch).forEach(moment -> moment.happens().run());
        }
    }

    @Test
    void aMarkThatIsOlderThanTheBatchIsNotItsMark() {
        // given a mark on its way to the disk before the batch completes
        var watch = new CrashWatch(CrashKit.at(CrashPoint.AFTER_MARK_BEFORE_CONFIRM, 1, () -> {
            throw new Crashed();
        }));
        watch.decided(List.of(new Decision.Persist(MARK)), 0, 0);
        watch.decided(List.of(), 1, 1);
        // then its arrival is not what is waited for
        watch.hears(new Event.Recorded(MARK));
        // and the next one is
        watch.decided(List.of(new Decision.Persist(MARK)), 1, 1);
        assertThatThrownBy(() -> watch.hears(new Event.Recorded(MARK))).isInstanceOf(Crashed.class);
    }

    private static List<Moment> play(CrashWatch watch, long batch) {
        var token = CompletionToken.read("token");
        var answered = new Event.Answered(batch, new IngressReply.Accepted(token));
        var post = List.<Decision>of(new Decision.Post(batch, BODY));
        long before = batch - 1;
        return List.of(
                moment(CrashPoint.AFTER_READ, () -> watch.row(CrashPoint.AFTER_READ, batch)),
                moment(CrashPoint.AFTER_ENCODE, () -> watch.row(CrashPoint.AFTER_ENCODE, batch)),
                moment(CrashPoint.BEFORE_POST, () -> watch.decided(post, before, before)),
                moment(CrashPoint.AFTER_POST_BEFORE_REPLY, () -> watch.hears(answered)),
                moment(CrashPoint.BETWEEN_TABLES_OF_A_BATCH, () -> watch.decided(post, before, before)),
                moment(CrashPoint.AFTER_ACCEPT, () -> watch.decided(List.of(), batch, before)),
                moment(CrashPoint.MID_SNAPSHOT, watch::copying),
                moment(CrashPoint.MID_TRUNCATE, () -> watch.retracts(batch)),
                moment(CrashPoint.MID_RESYNC, () -> watch.mends(batch)),
                moment(CrashPoint.AFTER_COMPLETE, () -> watch.decided(List.of(), batch, batch)),
                nothing(() -> watch.decided(List.of(new Decision.Persist(MARK)), batch, batch)),
                moment(CrashPoint.AFTER_MARK_BEFORE_CONFIRM, () -> watch.hears(new Event.Recorded(MARK))),
                nothing(() -> watch.decided(List.of(new Decision.Confirm(MARK.confirmable())), batch, batch)),
                nothing(() -> watch.replied(0)),
                moment(CrashPoint.AFTER_CONFIRM_BEFORE_PERSIST, () -> watch.replied(1)));
    }

    private static Moment moment(CrashPoint passes, Runnable happens) {
        return new Moment(Optional.of(passes), happens);
    }

    private static Moment nothing(Runnable happens) {
        return new Moment(Optional.empty(), happens);
    }
}
