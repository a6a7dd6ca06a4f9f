package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;
import tidemark.sink.Destination;
import tidemark.sink.IngressReply;
import tidemark.sink.TableBody;

/** A request that takes effect later than Feldera gives up on it, which nobody can wait out (delivery-rules.md R7). */
@Tag("slow")
class LateRequestIT {
    private static final Duration LATE = Duration.ofSeconds(45);

    @TempDir
    Path directory;

    /** Its rows are of the snapshot before, and the replay begins behind the next one. */
    @Test
    void overATableThatWasCopiedAgainMeanwhileItsRowsDoNotStay() {
        try (var replica = new Replica(TestPostgres.shared(), directory);
                var log = new Listening()) {
            replica.sql("INSERT INTO users SELECT g, 'first', NULL FROM generate_series(1, 10) g");
            replica.through(feldera -> new LateOnce(feldera, replica));
            replica.start();
            TestPostgres.await("what follows it", () -> replica.target("users").contains("11|streamed|null"));
            replica.awaitEqual();
            assertThat(log.linesWith("counted 20 operations where 10 were expected"))
                    .isNotEmpty();
        }
    }

    /** The first copy's body is late; it comes when the second copy's was answered, before anything was confirmed. */
    private static final class LateOnce extends ForwardingDestination {
        private final Replica replica;
        private final AtomicInteger posts = new AtomicInteger();

        LateOnce(Destination feldera, Replica replica) {
            super(feldera);
            this.replica = replica;
        }

        @Override
        public IngressReply post(TableBody body) {
            if (body.length() <= "[]".length()) return super.post(body);
            return switch (posts.incrementAndGet()) {
                case 1 -> late(body);
                case 2 -> overtaken(body);
                default -> super.post(body);
            };
        }

        private IngressReply late(TableBody body) {
            replica.pipeline.ingressDelay(LATE);
            try {
                return super.post(body);
            } finally {
                replica.pipeline.ingressDelay(Duration.ZERO);
                replica.sql("DELETE FROM users WHERE id = 1", "UPDATE users SET name = 'newer' WHERE id = 2");
            }
        }

        private IngressReply overtaken(TableBody body) {
            IngressReply reply = super.post(body);
            TestPostgres.await("the late request", () -> replica.operations("users") == 9 + 10);
            replica.sql("INSERT INTO users VALUES (11, 'streamed', NULL)");
            return reply;
        }
    }
}
