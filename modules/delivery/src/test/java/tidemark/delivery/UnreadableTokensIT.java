package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;

/** A Feldera whose tokens cannot be read is one whose counts nobody tells: delivered to as ever, and never doubted. */
@Tag("slow")
class UnreadableTokensIT {
    @TempDir
    Path directory;

    private TestPostgres postgres;
    private Replica replica;

    @BeforeEach
    void aReplicaOfSomeRows() {
        postgres = TestPostgres.start(Map.of());
        replica = new Replica(postgres, directory);
        replica.sql("INSERT INTO users SELECT g, 'copied', NULL FROM generate_series(1, 5) g");
        replica.through(UnreadableTokens::new);
        replica.start();
        replica.awaitStreaming();
        replica.sql("INSERT INTO users VALUES (6, 'streamed', NULL)");
        replica.awaitEqual();
    }

    @AfterEach
    void close() {
        replica.close();
        postgres.close();
    }

    @Test
    void theNextSessionGoesOnWithTheRowsOfTheOneBefore() {
        postgres.kill();
        postgres.startAgain();
        replica.sql("DELETE FROM users WHERE id = 1");
        replica.awaitEqual();
        assertThat(replica.status().sessions()).isGreaterThanOrEqualTo(2);
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
    }

    @Test
    void soDoesTheNextProcess() {
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql("DELETE FROM users WHERE id = 1");
        replica.start();
        replica.awaitEqual();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
    }

    /** The first process sent a row that no state tells of, and the second cannot count it. */
    @Test
    void aStopThatCannotTellTheCountsIsNotTakenForACleanOne() {
        replica.pipeline.holdCompletions();
        long before = replica.operations("users");
        replica.sql("INSERT INTO users VALUES (7, 'in flight', NULL)");
        TestPostgres.await("a row in flight", () -> replica.operations("users") > before);
        replica.abandon();
        replica.pipeline.releaseCompletions();
        replica.start();
        replica.awaitStreaming();
        replica.awaitConfirmed();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.through(UnaryOperator.identity());
        replica.start();
        replica.awaitStreaming();
        replica.awaitEqual();
    }

    /** Without a state file the rows are nobody's: {@code /stats} still tells that there are some. */
    @Test
    void rowsThatNoStateAccountsForAreStillNotCopiedOver() {
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.keepStateIn(directory.resolve("another.json"));
        replica.with(Settings::stopping);
        replica.start();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
    }
}
