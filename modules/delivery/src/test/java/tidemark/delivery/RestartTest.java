package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
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
        writers = new Writers(replica, 5);
        writers.awaitSome();
    }

    @AfterEach
    void close() {
        writers.close();
        replica.close();
        postgres.close();
    }

    @Test
    void equalAfterPostgresWasShutDownCleanlyUnderLoadAndStartedAgain() {
        postgres.stop();
        postgres.startAgain();
        writers.awaitSome();
        writers.close();
        replica.awaitEqual();
        assertThat(replica.status().sessions()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void equalAfterPostgresWasKilledUnderLoadAndStartedAgain() {
        postgres.kill();
        postgres.startAgain();
        writers.awaitSome();
        writers.close();
        replica.awaitEqual();
        assertThat(replica.status().sessions()).isGreaterThanOrEqualTo(2);
    }

    /**
     * The server keeps the confirmed position on disk only now and then; the first status reply of a session repeats
     * it.
     */
    @Test
    void aSlotThatFellBackWithTheServerIsMovedForwardAgainWhileIdle() {
        writers.close();
        replica.awaitEqual();
        Lsn end = replica.walEnd();
        TestPostgres.await("confirmation", () -> !end.isAfter(replica.confirmedFlush()));
        postgres.kill();
        postgres.startAgain();
        TestPostgres.await("the position to come back", () -> !end.isAfter(replica.confirmedFlush()));
    }
}
