package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.decode.Lsn;
import tidemark.sink.Destination;
import tidemark.sink.FelderaName;
import tidemark.sink.TableBody;

class ErrandsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final GhostWatch ghosts = new GhostWatch(Duration.ofSeconds(1));

    /** Without an outcome the core would wait for ever, and the next session for the end of this one's POST. */
    @Test
    void anErrorOfTheVirtualMachineIsAnOutcomeToo() {
        try (var workers = new VirtualThreads()) {
            var errands = new Errands(workers, ghosts, new EndpointCounts(), System::nanoTime);
            errands.beginCore();
            errands.run(new Errand.Post(BROKEN, 1, TableBody.empty(new FelderaName("users", false))));
            assertThat(errands.next(LONG))
                    .hasValueSatisfying(event -> assertThat(event)
                            .isInstanceOfSatisfying(
                                    Event.QuestionFailed.class,
                                    failed -> assertThat(failed.why()).isInstanceOf(Failure.Permanent.class)));
            assertThat(errands.settled(Duration.ZERO)).isTrue();
            assertThat(ghosts.isUnderWay()).isFalse();
            assertThat(ghosts.leavesNothing(System.nanoTime())).isFalse();
        }
    }

    /** An answer to a question asked before is not one to a question asked since. */
    @Test
    void whatComesBackForAnEarlierCoreIsDropped() {
        try (var workers = new VirtualThreads()) {
            var errands = new Errands(workers, ghosts, new EndpointCounts(), System::nanoTime);
            errands.beginCore();
            errands.run(new Errand.AskLife(BROKEN));
            errands.beginCore();
            assertThat(errands.settled(LONG)).isTrue();
            errands.run(new Errand.AskLife(BROKEN));
            errands.beginCore();
            assertThat(errands.next(Duration.ofMillis(50))).isEmpty();
        }
    }

    /** An unanswered mark must not be taken for an unanswered question: the disk is another matter. */
    @Test
    void aMarkThatIsNotOnDiskIsSaidToBeSo(@TempDir Path directory) throws IOException {
        var nowhere = new StateFile(
                Files.writeString(directory.resolve("file"), "no directory").resolve("state.json"));
        var mark = new Mark(Lsn.ZERO, Map.of());
        assertThat(new Errand.Persist(nowhere, StateStoreContract.STATE, mark).outcome())
                .isInstanceOf(Event.NotRecorded.class);
    }

    private static final Destination BROKEN = (Destination) Proxy.newProxyInstance(
            Destination.class.getClassLoader(), new Class<?>[] {Destination.class}, (_, _, _) -> {
                throw new OutOfMemoryError("thrown by the test");
            });
}
