package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.replication.TestPostgres;

/** A copy before there is a slot loses what is committed in between; one under the slot's snapshot does not. */
class InconsistentCopyTest {
    @TempDir
    Path directory;

    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(TestPostgres.shared(), directory);
        replica.sql("INSERT INTO users VALUES (1, 'one', NULL)", "INSERT INTO items VALUES (1, 1, 'first')");
    }

    @AfterEach
    void close() {
        replica.pipeline.releaseCompletions();
        replica.close();
    }

    @Test
    void whatIsCommittedBetweenTheCopyAndTheSlotIsLostAndThatIsSaid() {
        replica.with(settings -> Settings.copying(settings, SnapshotMode.INCONSISTENT));
        try (Listening log = new Listening()) {
            writeDuringTheCopy();
            replica.sql("INSERT INTO users VALUES (3, 'streamed', NULL)");
            replica.awaitRows("users", "1|one|null", "3|streamed|null");
            assertThat(log.linesWith("WARNING", "snapshot.mode=inconsistent", "lost for ever"))
                    .hasSize(1);
            assertThat(log.linesWith("WARNING", "lost what was committed")).hasSize(1);
            assertThat(log.linesWith("INFO created slot name=" + replica.slot)).hasSize(1);
            assertThat(log.linesWith("copying again")).isEmpty();
        }
    }

    @Test
    void underTheSnapshotOfTheSlotItIsNotLost() {
        writeDuringTheCopy();
        replica.sql("INSERT INTO users VALUES (3, 'streamed', NULL)");
        replica.awaitEqual();
    }

    private void writeDuringTheCopy() {
        replica.pipeline.holdCompletions();
        replica.start();
        TestPostgres.await("the copy", () -> replica.pipeline.ingressRequests("users") >= 2);
        replica.sql("INSERT INTO users VALUES (2, 'meanwhile', NULL)");
        replica.pipeline.releaseCompletions();
        replica.awaitStreaming();
    }
}
