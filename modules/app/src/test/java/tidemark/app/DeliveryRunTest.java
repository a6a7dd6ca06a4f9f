package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tidemark.delivery.ExitCode;

class DeliveryRunTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(50);

    @Test
    void aDrainIsTheEndThatDeliveryMakesOfIt() {
        var stopped = new CompletableFuture<ExitCode>();
        var run = new DeliveryRun(stopped::join, () -> stopped.complete(ExitCode.DRAINED), LONG);
        run.start();
        assertThat(run.ended()).isEmpty();
        assertThat(run.drain()).isEqualTo(ExitCode.DRAINED);
        assertThat(run.ended()).contains(ExitCode.DRAINED);
    }

    @Test
    void aDrainGivesUpWhenItsTimeIsSpent() {
        var never = new CompletableFuture<ExitCode>();
        var run = new DeliveryRun(never::join, () -> {}, SHORT);
        run.start();
        assertThat(run.drain()).isEqualTo(ExitCode.TEMPORARY);
        never.complete(ExitCode.DRAINED);
    }

    @Test
    void anEndBeforeTheDrainKeepsItsCode() {
        var run = new DeliveryRun(() -> ExitCode.DATA, () -> {}, LONG);
        run.start();
        assertThat(run.await()).isEqualTo(ExitCode.DATA);
        assertThat(run.drain()).isEqualTo(ExitCode.DATA);
    }

    @Test
    void whatEscapesDeliveryIsABrokenInvariant() {
        var run = new DeliveryRun(
                () -> {
                    throw new IllegalStateException("impossible");
                },
                () -> {},
                LONG);
        run.start();
        assertThat(run.await()).isEqualTo(ExitCode.BROKEN_INVARIANT);
    }

    @Test
    void whatWasNeverStartedIsDrained() {
        var run = new DeliveryRun(() -> ExitCode.DATA, () -> {}, LONG);
        assertThat(run.drain()).isEqualTo(ExitCode.DRAINED);
    }

    /** The process stays alive by it, and thread dumps name it. */
    @Test
    void deliveryHasAPlatformThreadOfItsOwn() throws InterruptedException {
        var seen = new CompletableFuture<Thread>();
        var run = new DeliveryRun(
                () -> {
                    seen.complete(Thread.currentThread());
                    return ExitCode.DRAINED;
                },
                () -> {},
                LONG);
        run.start();
        Thread thread = seen.join();
        assertThat(thread.getName()).isEqualTo("tidemark-delivery");
        assertThat(thread.isDaemon()).isFalse();
        assertThat(thread.isVirtual()).isFalse();
        thread.join();
    }
}
