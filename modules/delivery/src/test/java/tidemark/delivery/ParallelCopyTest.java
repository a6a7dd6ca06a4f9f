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
        replica.awaitStreaming();
        replica.awaitEqual();
        assertThat(replica.status().sessions()).isOne();
        assertThat(replica.status().tables())
                .extracting(ConnectorStatus.Table::copiedRows)
                .containsExactly(22_500L, 0L);
    }

    /**
     * Each of two readers has a part, and no more bodies than may be on their way: three wait, as none is being sent.
     */
    @Test
    void readersWaitForFeldera() {
        try (var wide = new Replica(TestPostgres.shared(), directory)) {
            wide.sql(
                    "INSERT INTO users SELECT g, 'user ' || g, NULL FROM generate_series(1, 20000) g",
                    "INSERT INTO items SELECT g, g, 'item' FROM generate_series(1, 20000) g");
            wide.pipeline.holdCompletions();
            wide.start();
            long inFlight = 4;
            TestPostgres.await("readers that wait", () -> copied(wide) >= (inFlight + 3) * 1000);
            TestPostgres.await(
                    "what they wait for", () -> wide.status().waitingFor().isPresent());
            assertThat(copied(wide)).isEqualTo((inFlight + 3) * 1000);
            wide.pipeline.releaseCompletions();
            wide.awaitStreaming();
            wide.awaitEqual();
        }
    }

    private static long copied(Replica of) {
        return of.status().tables().stream()
                .mapToLong(ConnectorStatus.Table::copiedRows)
                .sum();
    }
}
