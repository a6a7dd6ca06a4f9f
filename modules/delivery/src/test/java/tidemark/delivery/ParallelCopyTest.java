package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidemark.replication.TestPostgres;

/** Tables in many parts, copied by several readers from a real PostgreSQL while they are written. */
class ParallelCopyTest {
    @TempDir
    Path directory;

    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(TestPostgres.shared(), directory).inFineParts();
        replica.sql(
                "ALTER TABLE users SET (autovacuum_enabled = false)",
                "INSERT INTO users SELECT g, 'user ' || g, NULL FROM generate_series(1, 30000) g",
                "DELETE FROM users WHERE id % 4 = 0",
                "UPDATE users SET name = 'moved' WHERE id % 7 = 0");
    }

    @AfterEach
    void close() {
        replica.pipeline.releaseCompletions();
        replica.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void bothSidesAreEqualWhateverIsWrittenWhileTablesAreCopied(int readers) {
        replica.with(settings -> Settings.copyingWith(readers, settings));
        replica.pipeline.holdCompletions();
        replica.start();
        TestPostgres.await(
                "a full window in the middle of the copy", () -> replica.pipeline.ingressRequests("users") >= 5);
        // rows move to the end of the table, which grows, and change their keys, and go, and come where others went
        replica.sql(
                "UPDATE users SET name = repeat('longer', 30) WHERE id % 3 = 0",
                "UPDATE users SET id = -id WHERE id % 11 = 0",
                "DELETE FROM users WHERE id % 13 = 0",
                "VACUUM users",
                "INSERT INTO users SELECT g, 'new ' || g, NULL FROM generate_series(40000, 42000) g",
                "INSERT INTO items SELECT g, g, 'after the snapshot' FROM generate_series(1, 100) g");
        replica.pipeline.releaseCompletions();
        replica.awaitEqual();
        assertThat(replica.status().sessions()).isOne();
        assertThat(replica.status().tables())
                .extracting(ConnectorStatus.Table::copiedRows)
                .containsExactly(22_500L, 0L);
    }

    /** Whatever has been read of it, PostgreSQL is asked for no more than may be on its way. */
    @Test
    void readersWaitForFeldera() {
        replica.pipeline.holdCompletions();
        replica.start();
        TestPostgres.await(
                "a full window in the middle of the copy", () -> replica.pipeline.ingressRequests("users") >= 5);
        long sent = 4_000; // batches in flight
        long bodies = 2 * 2 * 1_000; // two for each reader
        TestPostgres.await("bodies that wait", () -> copied() >= sent + bodies - 2_000);
        assertThat(copied()).isLessThanOrEqualTo(sent + bodies);
        replica.pipeline.releaseCompletions();
        replica.awaitEqual();
    }

    private long copied() {
        return replica.status().tables().getFirst().copiedRows();
    }
}
