package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the loop relies on, of whoever does its errands. */
abstract class WorkersContract {
    private static final Duration LONG = Duration.ofSeconds(30);

    private Workers workers;

    abstract Workers workers();

    @BeforeEach
    void employ() {
        workers = workers();
    }

    @AfterEach
    void dismiss() {
        workers.close();
    }

    private static Workers.Ticket ticket(long core, Runnable ask) {
        return new Workers.Ticket(core, new Errand.Question(ask));
    }

    @Test
    void nothingComesBackWhenNothingWasBegun() {
        assertThat(workers.take(Duration.ZERO)).isEmpty();
        assertThat(workers.take(Duration.ofMillis(1))).isEmpty();
    }

    @Test
    void everyErrandIsDoneAndComesBackOnceWithItsTicket() {
        List<Workers.Ticket> begun = new ArrayList<>();
        List<Long> done = java.util.Collections.synchronizedList(new ArrayList<>());
        for (long core = 0; core < 20; core++) {
            long mine = core;
            begun.add(ticket(core, () -> done.add(mine)));
        }
        begun.forEach(workers::begin);
        Set<Workers.Ticket> back = new HashSet<>();
        for (int i = 0; i < begun.size(); i++) {
            Workers.Outcome outcome = workers.take(LONG).orElseThrow();
            assertThat(outcome.event()).isInstanceOf(Event.Elapsed.class);
            back.add(outcome.ticket());
        }
        assertThat(back).containsExactlyInAnyOrderElementsOf(begun);
        assertThat(done).hasSize(begun.size()).doesNotHaveDuplicates();
        assertThat(workers.take(Duration.ofMillis(1))).isEmpty();
    }

    @Test
    void whatIsThrownComesBackAsAFailure() {
        workers.begin(ticket(1, () -> {
            throw new IllegalStateException("thrown by the test");
        }));
        workers.begin(ticket(2, () -> {
            throw new OutOfMemoryError("thrown by the test");
        }));
        for (int i = 0; i < 2; i++) {
            Optional<Workers.Outcome> outcome = workers.take(LONG);
            assertThat(outcome.orElseThrow().event()).isInstanceOf(Event.QuestionFailed.class);
        }
    }
}
