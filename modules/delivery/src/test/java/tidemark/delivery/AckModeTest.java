package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.decode.Lsn;
import tidemark.delivery.DeliverySettings.AckMode;
import tidemark.replication.TestPostgres;

/**
 * Why {@code accepted} must not move a slot: one story, told with each ack mode. Feldera accepts ten rows and dies
 * before it has processed them. Nothing is copied in this story, so that only the slot can bring them back.
 */
class AckModeTest {
    /** Longer than the story: what was accepted is not processed. */
    private static final Duration NEVER = Duration.ofHours(1);

    @TempDir
    Path directory;

    @Test
    void acceptedLosesForEverWhatFelderaHadOnlyQueued() {
        try (var replica = replica(AckMode.ACCEPTED)) {
            Lsn end = untilAccepted(replica);
            // PostgreSQL is told to forget rows that Feldera has not looked at
            TestPostgres.await("confirmation", () -> !end.isAfter(replica.confirmedFlush()));
            pipelineDiesAndComesBack(replica);
            // then they are lost for whoever goes on with the stream
            assertThat(replica.target("users")).containsExactly("99|witness|null");
            assertThat(replica.source("users")).hasSize(11);
            assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
            assertThat(end.isAfter(replica.confirmedFlush())).isFalse();
        }
    }

    @Test
    void completedLosesNothingInTheSameStory() {
        try (var replica = replica(AckMode.COMPLETED)) {
            Lsn end = untilAccepted(replica);
            assertThat(end.isAfter(replica.confirmedFlush())).isTrue();
            pipelineDiesAndComesBack(replica);
            replica.awaitEqual();
            assertThat(replica.target("users")).hasSize(11);
        }
    }

    private Replica replica(AckMode ackMode) {
        return new Replica(TestPostgres.shared(), directory)
                .with(settings -> Settings.streamingOnly(settings, ackMode));
    }

    /** Returns the end of the ten rows. */
    private static Lsn untilAccepted(Replica replica) {
        replica.start();
        replica.awaitStreaming();
        replica.pipeline.stepDelay(NEVER);
        replica.sql("INSERT INTO users SELECT g, 'user', NULL FROM generate_series(1, 10) g");
        Lsn end = replica.walEnd();
        TestPostgres.await("acceptance", () -> replica.status().batchesAccepted() == 1);
        return end;
    }

    /** Tables are never read here, so it stops; then a person goes on without what was there. */
    private void pipelineDiesAndComesBack(Replica replica) {
        replica.pipeline.kill();
        replica.pipeline.stepDelay(Duration.ZERO);
        replica.pipeline.start();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
        replica.keepStateIn(directory.resolve("another.json"));
        replica.start();
        replica.sql("INSERT INTO users VALUES (99, 'witness', NULL)");
        TestPostgres.await("the row after it", () -> replica.target("users").contains("99|witness|null"));
    }
}
