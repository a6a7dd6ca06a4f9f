package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.sink.PipelineStats;

/**
 * When a POST may not leave though a batch is due: not to a pipeline that stands still, nor from who may be replaced.
 */
class PostGateTest extends DrivenCore {
    /** A POST that is blocked in it would outlive its answer, and end the session. */
    @Test
    void nothingIsSentToAPipelineThatIsSeenStandingStill() {
        tick(3_000);
        only(Decision.AskLife.class);
        on(new Event.LifeSeen(new PipelineStats(LIFE, true, "Paused", false, true, Map.of())));
        transaction(Lsn.parse("0/200"), USERS);
        tick(4_000);
        assertThat(all(Decision.Post.class)).isEmpty();
        assertThat(core.waitingFor())
                .hasValueSatisfying(what -> assertThat(what).contains("Paused"));
        only(Decision.AskLife.class);
        on(new Event.LifeSeen(stats(LIFE)));
        accept(only(Decision.Post.class), 6);
    }

    @Test
    void aPipelineThatStandsStillIsNotWaitedForForEver() {
        tick(3_000);
        on(new Event.LifeSeen(new PipelineStats(LIFE, true, "Paused", false, true, Map.of())));
        transaction(Lsn.parse("0/200"), USERS);
        now = settings.giveUpAfter().toNanos() + 3_000 * MILLI;
        on(new Event.LifeSeen(new PipelineStats(LIFE, true, "Paused", false, true, Map.of())));
        assertThat(ended())
                .isInstanceOfSatisfying(
                        Failure.Permanent.class, why -> assertThat(why.exit()).isEqualTo(ExitCode.UNREACHABLE));
    }

    /** Paused over a night without a change, it has kept nobody waiting. */
    @Test
    void aPipelineThatStandsStillIsWaitedForFromTheFirstRowThatWaits() {
        var paused = new Event.LifeSeen(new PipelineStats(LIFE, true, "Paused", false, true, Map.of()));
        tick(3_000);
        on(paused);
        now = 2 * settings.giveUpAfter().toNanos();
        transaction(Lsn.parse("0/200"), USERS);
        on(paused);
        assertThat(all(Decision.EndSession.class)).isEmpty();
        now += settings.giveUpAfter().toNanos();
        on(paused);
        assertThat(ended()).isInstanceOf(Failure.Permanent.class);
    }

    /** A frozen process may have been replaced meanwhile (R14). */
    @Test
    void nothingIsSentBeforeTheSlotIsKnownToBeOurs() {
        core = core(SlotTenure.bySlot(Duration.ofSeconds(1)));
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        assertThat(all(Decision.Post.class)).isEmpty();
        only(Decision.AskTenure.class);
        on(new Event.TenureSeen(true));
        accept(only(Decision.Post.class), 6);
        now = 5_000 * MILLI;
        transaction(Lsn.parse("0/300"), USERS);
        assertThat(all(Decision.Post.class)).as("an old proof").isEmpty();
        only(Decision.AskTenure.class);
        on(new Event.TenureSeen(false));
        assertThat(ended())
                .isInstanceOfSatisfying(
                        Failure.Transient.class, why -> assertThat(why.onSlot()).isTrue());
    }

    @Test
    void aProofIsRenewedBeforeItIsOver() {
        core = core(SlotTenure.bySlot(Duration.ofSeconds(1)));
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        on(new Event.TenureSeen(true));
        accept(only(Decision.Post.class), 6);
        all(Decision.AskTenure.class);
        now = 700 * MILLI;
        transaction(Lsn.parse("0/300"), USERS);
        only(Decision.AskTenure.class);
        accept(only(Decision.Post.class), 7);
    }

    /** An answer that took longer than a proof is good for would be asked for, and come too late, for ever. */
    @Test
    void aProofThatComesTooLateEndsTheSession() {
        core = core(SlotTenure.bySlot(Duration.ofSeconds(1)));
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        now = 2_000 * MILLI;
        on(new Event.TenureSeen(true));
        assertThat(ended()).isInstanceOf(Failure.Transient.class);
        assertThat(all(Decision.Post.class)).isEmpty();
    }
}
