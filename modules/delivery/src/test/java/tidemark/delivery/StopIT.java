package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;

/**
 * Stopped under load; Feldera's own counter tells what was sent twice: each item is inserted once and never changed.
 */
@Tag("long")
class StopIT {
    private static final int STOPS = 8;

    @TempDir
    Path directory;

    private Replica replica;

    @BeforeEach
    void aStreamingReplica() {
        replica = new Replica(TestPostgres.shared(), directory);
        replica.start();
        replica.awaitStreaming();
    }

    @AfterEach
    void close() {
        replica.pipeline.releaseCompletions();
        replica.close();
    }

    @Test
    void nothingIsSentAgainAfterAnOrderlyStopUnderLoad() {
        try (Writers writers = new Writers(replica, 8)) {
            for (int stop = 1; stop <= STOPS; stop++) {
                writers.awaitSome();
                assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
                replica.start();
                replica.awaitStreaming();
            }
            writers.awaitSome();
        }
        replica.awaitEqual();
        int items = replica.source("items").size();
        System.out.printf("%d stops under load: %d items, %d operations%n", STOPS, items, replica.operations("items"));
        assertThat(replica.operations("items")).isEqualTo(items);
    }

    @Test
    void whatWasNotConfirmedIsSentAgainAfterACrashAndAbsorbed() {
        replica.pipeline.holdCompletions();
        try (Writers writers = new Writers(replica, 9)) {
            writers.awaitSome();
            TestPostgres.await("something accepted", () -> replica.status().batchesAccepted() > 0);
            replica.abandon();
            replica.pipeline.releaseCompletions();
            replica.start();
            writers.awaitSome();
        }
        replica.awaitEqual();
        int items = replica.source("items").size();
        System.out.printf("crash under load: %d items, %d operations%n", items, replica.operations("items"));
        assertThat(replica.operations("items")).isGreaterThan(items);
    }
}
