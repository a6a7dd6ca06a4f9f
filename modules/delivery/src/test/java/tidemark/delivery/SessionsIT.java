package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;

/**
 * Waits that are many times longer than the server's patience, and none of them ends the session: a server that hears
 * nothing for 4 s ends the connection, so with a reply every 1.3 s the number of replies is the proof of the time.
 */
@Tag("long")
class SessionsIT {
    private static final int REPLIES_IN_30_SECONDS = 22;
    private static final int REPLIES_IN_60_SECONDS = 45;

    private static TestPostgres postgres;

    @TempDir
    Path directory;

    private Replica replica;

    @BeforeAll
    static void anImpatientServer() {
        postgres = TestPostgres.start(Map.of("wal_sender_timeout", "4s"));
    }

    @BeforeEach
    void aStreamingReplica() {
        replica = new Replica(postgres, directory);
        replica.start();
        replica.awaitStreaming();
    }

    @AfterEach
    void close() {
        replica.pipeline.releaseCompletions();
        replica.close();
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    @Test
    void aCompletionThatTakesHalfAMinute() {
        replica.pipeline.holdCompletions();
        replica.sql("INSERT INTO users VALUES (1, 'one', NULL)");
        TestPostgres.await("acceptance", () -> replica.status().batchesAccepted() == 1);
        awaitReplies(REPLIES_IN_30_SECONDS);
        assertThat(replica.status().waitingFor())
                .hasValueSatisfying(what -> assertThat(what).contains("completion of batch 1", "Running"));
        replica.pipeline.releaseCompletions();
        inOneSession("completion held for 30 s");
    }

    @Test
    void aPipelineThatIsPausedForAMinute() {
        replica.pipeline.pause();
        awaitReplies(3); // seen within 2 s; a POST sent before that would be blocked in it
        replica.sql("INSERT INTO users VALUES (1, 'one', NULL)");
        awaitReplies(REPLIES_IN_30_SECONDS);
        assertThat(replica.status().waitingFor())
                .hasValueSatisfying(what -> assertThat(what).contains("Paused"));
        awaitReplies(REPLIES_IN_60_SECONDS - REPLIES_IN_30_SECONDS);
        replica.pipeline.resume();
        inOneSession("pipeline paused for 60 s");
    }

    @Test
    void aTransactionOfAMillionRows() {
        replica.sql("INSERT INTO items SELECT g, g, 'of a million' FROM generate_series(1, 1000000) g");
        for (long part = 1; part <= 4; part++) {
            long operations = part * 250_000;
            TestPostgres.await(operations + " operations", () -> replica.operations("items") >= operations);
        }
        replica.awaitConfirmed();
        assertThat(replica.operations("items")).isEqualTo(1_000_000);
        inOneSession("transaction of 1,000,000 rows");
    }

    private void awaitReplies(int more) {
        long from = replica.status().statusReplies();
        TestPostgres.await(more + " status replies", () -> replica.status().statusReplies() >= from + more);
    }

    private void inOneSession(String what) {
        replica.awaitConfirmed();
        assertThat(replica.target("users")).isEqualTo(replica.source("users"));
        System.out.printf(
                "%s: %d session(s), %d status replies%n",
                what, replica.status().sessions(), replica.status().statusReplies());
        assertThat(replica.status().sessions()).isEqualTo(1);
    }
}
