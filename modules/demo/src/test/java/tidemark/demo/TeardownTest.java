package tidemark.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class TeardownTest {
    @Test
    void whatWasStartedEndsInReverseOrderAndTheDirectoryIsGone() throws IOException {
        List<String> ended = new ArrayList<>();
        Teardown teardown = new Teardown();
        Files.writeString(
                Files.createDirectories(teardown.directory().resolve("a/b")).resolve("c"), "x");
        teardown.start(() -> () -> ended.add("first"));
        teardown.start(() -> () -> ended.add("second"));
        teardown.close();
        teardown.close();
        assertThat(ended).containsExactly("second", "first");
        assertThat(teardown.directory()).doesNotExist();
        assertThatThrownBy(() -> teardown.start(() -> () -> {})).isInstanceOf(DemoFailure.class);
    }

    @Test
    void oneThatFailsToEndDoesNotKeepTheOthersAlive() {
        List<String> ended = new ArrayList<>();
        Teardown teardown = new Teardown();
        teardown.start(() -> () -> ended.add("first"));
        teardown.start(() -> () -> {
            throw new IllegalStateException("stuck");
        });
        teardown.close();
        assertThat(ended).containsExactly("first");
        assertThat(teardown.directory()).doesNotExist();
    }

    /** A start that would wait for a server that a Ctrl-C has already taken away. */
    @Test
    void aStartUnderWayIsInterrupted() throws InterruptedException {
        Teardown teardown = new Teardown();
        CountDownLatch starting = new CountDownLatch(1);
        Thread starter = Thread.ofPlatform()
                .start(() -> teardown.start(() -> {
                    starting.countDown();
                    while (!Thread.currentThread().isInterrupted()) LockSupport.park();
                    return () -> {};
                }));
        assertThat(starting.await(10, TimeUnit.SECONDS)).isTrue();
        teardown.close();
        assertThat(starter.join(Duration.ofSeconds(10))).isTrue();
        assertThat(teardown.directory()).doesNotExist();
    }

    @Test
    void aChildOfAKilledProcessDoesNotSurviveIt() throws InterruptedException {
        Teardown teardown = new Teardown();
        Path log = teardown.directory().resolve("log");
        ChildProcess child = teardown.start(() ->
                ChildProcess.start("a shell", log, List.of("sh", "-c", "sleep 60 & echo pid $!; wait"), Map.of()));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (child.line("pid ").isEmpty()) assertThat(System.nanoTime()).isLessThan(deadline);
        long grandchild = Long.parseLong(child.line("pid ").orElseThrow().substring(4));
        assertThat(isRunning(grandchild)).isTrue();
        teardown.close();
        assertThat(child.isAlive()).isFalse();
        while (isRunning(grandchild)) assertThat(System.nanoTime()).isLessThan(deadline);
    }

    /** What was killed but not yet waited for has a handle still, but no command any more. */
    private static boolean isRunning(long pid) {
        return ProcessHandle.of(pid).flatMap(handle -> handle.info().command()).isPresent();
    }
}
