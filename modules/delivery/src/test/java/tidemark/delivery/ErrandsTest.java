package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tidemark.sink.Destination;
import tidemark.sink.FelderaName;
import tidemark.sink.TableBody;

class ErrandsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final GhostWatch ghosts = new GhostWatch(Duration.ofSeconds(1));

    /** Without an outcome the core would wait for ever, and the next session for the end of this one's POST. */
    @Test
    void anErrorOfTheVirtualMachineIsAnOutcomeToo() {
        try (Errands errands = errands()) {
            errands.beginCore();
            errands.post(1, TableBody.empty(new FelderaName("users", false)));
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
        try (Errands errands = errands()) {
            errands.beginCore();
            errands.askLife();
            errands.beginCore();
            assertThat(errands.settled(LONG)).isTrue();
            errands.askLife();
            errands.beginCore();
            assertThat(errands.next(Duration.ofMillis(50))).isEmpty();
        }
    }

    private Errands errands() {
        var out = new OutOfMemoryError("thrown by the test");
        Destination broken = (Destination) Proxy.newProxyInstance(
                Destination.class.getClassLoader(), new Class<?>[] {Destination.class}, (_, _, _) -> {
                    throw out;
                });
        return new Errands(broken, new StateFile(Path.of("unused")), ghosts, System::nanoTime);
    }
}
