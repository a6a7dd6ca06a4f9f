package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.decode.Lsn;
import tidemark.replication.TestPostgres;

/** PostgreSQL goes away under load, in an orderly way and not, and comes back; both sides end equal. */
class RestartTest {
    @TempDir
    Path directory;

    private TestPostgres postgres;
    private Replica replica;
    private Writers writers;

    @BeforeEach
    void startWriting() {
        postgres = TestPostgres.start(Map.of());
        replica = new Replica(postgres, directory);
        replica.start();
        replica.awaitStreaming();
        writers = new Writers();
        writers.awaitSome();
    }

    @AfterEach
    void close() {
        writers.stop();
        replica.close();
        postgres.close();
    }

    @Test
    void equalAfterPostgresWasShutDownCleanlyUnderLoadAndStartedAgain() {
        postgres.stop();
        postgres.startAgain();
        writers.awaitSome();
        writers.stop();
        replica.awaitEqual();
        assertThat(replica.status().sessions()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void equalAfterPostgresWasKilledUnderLoadAndStartedAgain() {
        postgres.kill();
        postgres.startAgain();
        writers.awaitSome();
        writers.stop();
        replica.awaitEqual();
        assertThat(replica.status().sessions()).isGreaterThanOrEqualTo(2);
    }

    /**
     * The server keeps the confirmed position on disk only now and then; the first status reply of a session repeats
     * it.
     */
    @Test
    void aSlotThatFellBackWithTheServerIsMovedForwardAgainWhileIdle() {
        writers.stop();
        replica.awaitEqual();
        Lsn end = replica.walEnd();
        TestPostgres.await("confirmation", () -> !end.isAfter(replica.confirmedFlush()));
        postgres.kill();
        postgres.startAgain();
        TestPostgres.await("the position to come back", () -> !end.isAfter(replica.confirmedFlush()));
    }

    /**
     * One connection that writes seeded transactions until it is told to stop, and reconnects when the server is back.
     */
    private final class Writers {
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final AtomicLong committed = new AtomicLong();
        private final Thread thread = Thread.ofVirtual().start(this::write);

        private void write() {
            var random = new SplittableRandom(5);
            while (!stopped.get()) {
                try (Connection connection = postgres.connect(replica.database);
                        Statement statement = connection.createStatement()) {
                    while (!stopped.get()) {
                        long id = random.nextLong(200);
                        statement.execute(
                                "INSERT INTO users VALUES (%d, 'user', NULL) ON CONFLICT (id) DO UPDATE SET name = users.name || 'x'"
                                        .formatted(id));
                        statement.execute(
                                "BEGIN; INSERT INTO items SELECT coalesce(max(id), 0) + 1, %d, 'l' FROM items;"
                                                .formatted(id)
                                        + " DELETE FROM users WHERE id = %d; COMMIT".formatted((id + 100) % 200));
                        committed.addAndGet(2);
                    }
                } catch (SQLException | IllegalStateException serverIsAway) {
                    Thread.onSpinWait();
                }
            }
        }

        void awaitSome() {
            long from = committed.get();
            TestPostgres.await("more commits", () -> committed.get() > from + 200);
        }

        void stop() {
            stopped.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
