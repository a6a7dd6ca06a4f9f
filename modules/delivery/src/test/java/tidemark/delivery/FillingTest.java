package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tidemark.sink.FelderaName;

class FillingTest {
    private static final FelderaName USERS = new FelderaName("users", false);

    /** Does an errand when it is told to, and not before. */
    private static final class ByHand implements Workers {
        private final ArrayDeque<Ticket> begun = new ArrayDeque<>();
        private final ArrayDeque<Outcome> outcomes = new ArrayDeque<>();

        @Override
        public void begin(Ticket ticket) {
            begun.add(ticket);
        }

        void doOne() {
            Ticket ticket = begun.remove();
            outcomes.add(new Outcome(ticket, ticket.errand().outcome()));
        }

        @Override
        public Optional<Outcome> take(Duration wait) {
            return Optional.ofNullable(outcomes.poll());
        }

        @Override
        public void close() {}
    }

    /** Three rows, at most two of them in a body. */
    private static final class ThreeRows implements BodySource {
        private final BodyBounds bounds = new BodyBounds(2, 1 << 20);
        private int left = 3;

        @Override
        public FelderaName table() {
            return USERS;
        }

        @Override
        public boolean fill(RowBytes body) {
            while (left > 0 && !bounds.isFull(body)) {
                body.beginOperation(RowBytes.ascii("{\"insert\":0}"));
                left--;
            }
            return left > 0;
        }

        @Override
        public void close() {
            left = 0;
        }
    }

    private final ByHand workers = new ByHand();
    private final Errands errands =
            new Errands(workers, new GhostWatch(Duration.ofSeconds(1)), new EndpointCounts(), System::nanoTime);
    private final Filling filling = new Filling(errands, new ThreeRows());

    private static RowBytes blank() {
        return new RowBytes(1 << 20);
    }

    @Test
    void bringsBodiesOneAfterTheOtherUntilItsSourceIsAtItsEnd() {
        RowBytes first = blank();
        filling.begin(first);
        assertThat(filling.isIdle()).isFalse();
        assertThat(filling.filled()).as("before the errand was done").isEmpty();
        workers.doOne();
        assertThat(filling.filled()).containsSame(first);
        assertThat(first.operations()).isEqualTo(2);
        assertThat(filling.filled()).as("it is given back once").isEmpty();
        assertThat(filling.isIdle()).isTrue();
        filling.begin(blank());
        workers.doOne();
        assertThat(filling.filled())
                .hasValueSatisfying(last -> assertThat(last.operations()).isOne());
        assertThat(filling.isOver()).isTrue();
        assertThat(filling.isIdle()).isFalse();
    }

    @Test
    void refusesASecondBodyWhileOneIsUnderWay() {
        filling.begin(blank());
        assertThatExceptionOfType(InvariantViolation.class).isThrownBy(() -> filling.begin(blank()));
    }

    /** On the loop's thread, where every failure is classified. */
    @Test
    void throwsWhatItsSourceThrew() {
        var refused = new RowRefused(new Finding("t", "what", "remedy"));
        var broken = new Filling(errands, new BodySource() {
            @Override
            public FelderaName table() {
                return USERS;
            }

            @Override
            public boolean fill(RowBytes body) {
                throw refused;
            }

            @Override
            public void close() {}
        });
        broken.begin(blank());
        workers.doOne();
        assertThatExceptionOfType(RowRefused.class).isThrownBy(broken::filled).isSameAs(refused);
    }

    @Test
    void sourcesThatFillAtTheSameTimeShareTheBytesOfABatch() {
        DeliverySettings settings = Settings.of(Path.of("unused"), "users");
        assertThat(BodyBounds.of(settings, 4)).isEqualTo(new BodyBounds(settings.maxRows(), settings.maxBytes() / 4));
        RowBytes body = blank();
        body.beginOperation(new byte[100]);
        assertThat(new BodyBounds(2, 200).isFull(body)).isFalse();
        assertThat(new BodyBounds(1, 200).isFull(body)).isTrue();
        assertThat(new BodyBounds(2, 100).isFull(body)).isTrue();
    }
}
