package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PatienceTest {
    private static final Failure.Transient GONE = new Failure.Transient("gone", "wait", false);
    private static final Failure.Transient BUSY = new Failure.Transient("busy", "wait", true);

    private final Patience patience =
            new Patience(Duration.ofMinutes(5), Duration.ofMinutes(2), new SplittableRandom(7));

    @Test
    void waitsAtRandomBelowABoundThatDoublesUpToTheCap() {
        List<Duration> waits = new ArrayList<>();
        for (int attempt = 1; attempt <= 12; attempt++) {
            Duration wait = retry(patience.after(GONE, 0));
            assertThat(wait).isPositive().isLessThanOrEqualTo(Patience.bound(attempt));
            waits.add(wait);
        }
        assertThat(Patience.bound(1)).isEqualTo(Duration.ofMillis(200));
        assertThat(Patience.bound(4)).isEqualTo(Duration.ofMillis(1600));
        assertThat(Patience.bound(40)).isEqualTo(Duration.ofSeconds(15));
        assertThat(waits).doesNotHaveDuplicates();
    }

    /** The times of a run can be had again: a log tells the seed of nothing, but a test does. */
    @Test
    void theSameSeedWaitsTheSameTimes() {
        long seed = Long.getLong("tidemark.seed", 7);
        List<Long> millis = backoffs(seed);
        System.out.printf("backoff of seed %d in ms, without progress: %s%n", seed, millis);
        assertThat(backoffs(seed)).isEqualTo(millis);
        assertThat(backoffs(seed + 1)).isNotEqualTo(millis);
    }

    private static List<Long> backoffs(long seed) {
        var seeded = new Patience(Duration.ofMinutes(5), Duration.ofMinutes(2), new SplittableRandom(seed));
        List<Long> millis = new ArrayList<>();
        for (int attempt = 0; attempt < 12; attempt++)
            millis.add(retry(seeded.after(GONE, 0)).toMillis());
        return millis;
    }

    @Test
    void givesUpAfterFailingForTheWholeDeadlineWithoutProgress() {
        patience.after(GONE, 0);
        assertThat(patience.after(GONE, Duration.ofSeconds(299).toNanos())).isInstanceOf(Patience.Next.Retry.class);
        assertThat(patience.after(GONE, Duration.ofMinutes(5).toNanos()))
                .isEqualTo(new Patience.Next.GiveUp(ExitCode.UNREACHABLE, Duration.ofMinutes(5)));
    }

    /** A session that dies of idleness, once an hour. */
    @Test
    void whoWasCaughtUpFailsForTheFirstTime() {
        for (int hour = 0; hour < 9; hour++) {
            patience.caughtUp();
            assertThat(retry(patience.after(GONE, Duration.ofHours(hour).toNanos())))
                    .isLessThanOrEqualTo(Patience.bound(1));
        }
    }

    /** Before every batch, none of which ever completes. */
    @Test
    void thatBothEndsWereThereIsNoProgressOfWhatIsSentAfterwards() {
        for (int minute = 0; minute < 5; minute++) {
            patience.caughtUp();
            patience.begins();
            assertThat(patience.after(GONE, Duration.ofMinutes(minute).toNanos()))
                    .isInstanceOf(Patience.Next.Retry.class);
        }
        patience.caughtUp();
        patience.begins();
        assertThat(patience.after(GONE, Duration.ofMinutes(5).toNanos()))
                .isEqualTo(new Patience.Next.GiveUp(ExitCode.UNREACHABLE, Duration.ofMinutes(5)));
    }

    /** Else a wait as long as the deadline would only begin it. */
    @Test
    void whatAFailedWaitTookCounts() {
        patience.waits(0);
        assertThat(patience.after(GONE, Duration.ofMinutes(5).toNanos()))
                .isEqualTo(new Patience.Next.GiveUp(ExitCode.UNREACHABLE, Duration.ofMinutes(5)));
    }

    @Test
    void aWaitThatSucceededDoesNotCount() {
        patience.waits(0);
        patience.waitIsOver();
        assertThat(patience.after(GONE, Duration.ofMinutes(5).toNanos())).isInstanceOf(Patience.Next.Retry.class);
    }

    /** Else a short deadline would be as long as the longest backoff. */
    @Test
    void doesNotWaitPastTheDeadline() {
        for (int i = 0; i < 10; i++) patience.after(GONE, 0);
        assertThat(retry(patience.after(GONE, Duration.ofMinutes(5).toNanos() - 1)))
                .isEqualTo(Duration.ofNanos(1));
    }

    @Test
    void progressStartsTheDeadlineAndTheBackoffAnew() {
        for (int i = 0; i < 10; i++) patience.after(GONE, 0);
        patience.progressed();
        long later = Duration.ofHours(1).toNanos();
        assertThat(retry(patience.after(GONE, later))).isLessThanOrEqualTo(Patience.bound(1));
    }

    @Test
    void aSlotHeldByAnotherIsWaitedForUntilItsOwnLimit() {
        patience.after(BUSY, 0);
        assertThat(patience.after(BUSY, Duration.ofMinutes(2).toNanos()))
                .isEqualTo(new Patience.Next.GiveUp(ExitCode.TEMPORARY, Duration.ofMinutes(2)));
    }

    private static final long HOUR = Duration.ofHours(1).toNanos();

    /** Its batches complete each time, and are sent again each time. */
    @Test
    void whatBreaksOffAgainAndAgainIsGivenUpThoughRowsMoved() {
        for (int broken = 1; broken < Patience.TRIES; broken++) {
            patience.undertakes();
            patience.progressed();
            assertThat(patience.after(GONE, broken * HOUR)).isInstanceOf(Patience.Next.Retry.class);
            assertThat(patience.after(GONE, broken * HOUR + 1))
                    .as("failing to connect in between")
                    .isInstanceOf(Patience.Next.Retry.class);
        }
        patience.undertakes();
        patience.progressed();
        assertThat(patience.after(GONE, Patience.TRIES * HOUR))
                .isEqualTo(new Patience.Next.BrokenOff(Patience.TRIES, Duration.ofHours(Patience.TRIES - 1)));
    }

    @Test
    void itMayBreakOffOftenWithinTheDeadlineAndLessAndLessOften() {
        for (int broken = 1; broken < 12; broken++) {
            patience.undertakes();
            assertThat(retry(patience.after(GONE, broken))).isLessThanOrEqualTo(Patience.bound(broken));
        }
        patience.undertakes();
        assertThat(patience.after(GONE, HOUR)).isEqualTo(new Patience.Next.BrokenOff(12, Duration.ofNanos(HOUR - 1)));
    }

    /** A table that was whole and went with the slot is no more than there was. */
    @Test
    void oneMoreTableThatIsWholeIsProgressAndTheSameOneAgainIsNot() {
        for (int tables = 1; tables < 9; tables++) {
            patience.undertakes();
            patience.whole(tables);
            assertThat(patience.after(GONE, tables * HOUR)).isInstanceOf(Patience.Next.Retry.class);
        }
        for (int broken = 9; broken < 7 + Patience.TRIES; broken++) {
            patience.undertakes();
            patience.whole(8);
            assertThat(patience.after(GONE, broken * HOUR)).isInstanceOf(Patience.Next.Retry.class);
        }
        patience.undertakes();
        patience.whole(8);
        assertThat(patience.after(GONE, 20 * HOUR)).isInstanceOf(Patience.Next.BrokenOff.class);
    }

    @Test
    void aConfirmedPositionThatMovesEndsIt() {
        for (int broken = 1; broken < 9; broken++) {
            patience.undertakes();
            patience.whole(1);
            patience.confirmed();
            assertThat(patience.after(GONE, broken * HOUR)).isInstanceOf(Patience.Next.Retry.class);
            patience.progressed();
        }
    }

    private static Duration retry(Patience.Next next) {
        return ((Patience.Next.Retry) next).after();
    }
}
