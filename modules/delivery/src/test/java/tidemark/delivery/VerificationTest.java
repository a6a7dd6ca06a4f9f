package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.decode.Lsn;
import tidemark.replication.TestPostgres;
import tidemark.standin.Direction;
import tidemark.standin.FaultProxy;
import tidemark.standin.HttpFault;
import tidemark.standin.RequestPattern;

/** In the place of a stopped service, between a real PostgreSQL and the stand-in. */
class VerificationTest {
    @TempDir
    private Path directory;

    private Replica replica;
    private final List<String> report = new ArrayList<>();

    @BeforeEach
    void tablesWithRows() {
        replica = new Replica(TestPostgres.shared(), directory);
        replica.sql(
                "INSERT INTO users SELECT n, 'user ' || n, '2024-01-01' FROM generate_series(1, 1000) n",
                "INSERT INTO items SELECT n, n, 'item' FROM generate_series(1, 100) n");
    }

    @AfterEach
    void close() {
        replica.close();
    }

    private void aStoppedService() {
        replica.start();
        replica.awaitStreaming();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
    }

    @Test
    void twoEndsThatAreTheSameAreSaidToBe() {
        aStoppedService();
        assertThat(replica.verify(report)).isEqualTo(ExitCode.DRAINED);
        assertThat(report)
                .containsExactly(
                        "public.users -> users: 1,000 rows in PostgreSQL, 1,000 in Feldera: the same",
                        "public.items -> items: 100 rows in PostgreSQL, 100 in Feldera: the same");
    }

    @Test
    void exactlyWhatDiffersIsToldByItsKey() {
        aStoppedService();
        replica.post("users", "{\"delete\":{\"id\":17}}");
        replica.post("users", "{\"insert\":{\"id\":1001,\"name\":\"secret\",\"at\":null}}");
        replica.post("users", "{\"update\":{\"id\":500,\"name\":\"secret\"}}");
        assertThat(replica.verify(report)).isEqualTo(ExitCode.DIFFERENT);
        assertThat(report)
                .containsExactly(
                        "public.users -> users: 1,000 rows in PostgreSQL, 1,000 in Feldera: 1 missing, 1 extra, 1 different",
                        "  missing id=17",
                        "  different id=500 in name",
                        "  extra id=1001",
                        "public.items -> items: 100 rows in PostgreSQL, 100 in Feldera: the same");
        report.clear();
        assertThat(replica.verify(report, "items")).isEqualTo(ExitCode.DRAINED);
        assertThat(report).hasSize(1);
    }

    @Test
    void manyDifferencesAreCountedAndTheFirstTold() {
        aStoppedService();
        replica.post("items", "{\"insert\":{\"id\":0,\"owner\":1,\"label\":null}}");
        for (int id = 1; id <= 30; id++) replica.post("items", "{\"delete\":{\"id\":%d}}".formatted(id));
        assertThat(replica.verify(report, "items")).isEqualTo(ExitCode.DIFFERENT);
        assertThat(report).hasSize(1 + TableFindings.KEYS_MAX + 1).contains("  extra id=0", "  missing id=19");
        assertThat(report.getFirst()).endsWith("30 missing, 1 extra, 0 different");
        assertThat(report.getLast()).isEqualTo("  and 11 more");
    }

    @Test
    void whatTheServiceHasNotDeliveredYetIsDeliveredFirst() {
        aStoppedService();
        replica.sql(
                "INSERT INTO users SELECT n, 'late', NULL FROM generate_series(2001, 7000) n",
                "UPDATE users SET id = -id WHERE id <= 10",
                "DELETE FROM items WHERE id > 50");
        Lsn written = replica.walEnd();
        assertThat(replica.verify(report)).isEqualTo(ExitCode.DRAINED);
        assertThat(report.getFirst()).contains("6,000 rows in PostgreSQL, 6,000 in Feldera: the same");
        // and the service goes on behind it
        assertThat(replica.confirmedFlush()).isGreaterThanOrEqualTo(written);
        replica.sql("INSERT INTO items VALUES (1000, 1, 'after')");
        replica.start();
        replica.awaitEqual();
    }

    /** The position in between is one that every transaction is wholly on one side of. */
    @Test
    void writersDuringTheComparisonAreNoDifference() {
        aStoppedService();
        var writing = new AtomicBoolean(true);
        Thread writer = Thread.ofVirtual().start(() -> {
            for (long n = 10_000; writing.get(); n++) {
                replica.sql(
                        "BEGIN; INSERT INTO users VALUES (%1$d, 'w', NULL); UPDATE items SET owner = %1$d; DELETE FROM users WHERE id = %1$d - 50; COMMIT"
                                .formatted(n));
            }
        });
        try {
            for (int i = 0; i < 3; i++)
                assertThat(replica.verify(report)).as("%s", report).isEqualTo(ExitCode.DRAINED);
        } finally {
            writing.set(false);
            TestPostgres.await("the writer", () -> !writer.isAlive());
        }
    }

    @Test
    void aServiceThatRunsIsLeftAlone() {
        replica.start();
        replica.awaitStreaming();
        assertThat(replica.verify(report)).isEqualTo(ExitCode.TEMPORARY);
        assertThat(report).isEmpty();
        assertThat(replica.status().phase()).isEqualTo("streaming");
    }

    @Test
    void whereNothingWasDeliveredThereIsNothingToCompare() {
        assertThat(replica.verify(report)).isEqualTo(ExitCode.CONFIGURATION);
        aStoppedService();
        replica.pipeline.restartEmpty();
        TestPostgres.await("the pipeline", () -> replica.target("users").isEmpty());
        assertThat(replica.verify(report)).isEqualTo(ExitCode.TEMPORARY);
        assertThat(report).isEmpty();
    }

    /** Two ends that moved apart while they were read would be a finding that never was. */
    @Test
    void rowsOfSomebodyElseMeanwhileLeaveNoFinding() {
        aStoppedService();
        FaultProxy feldera = replica.proxied().feldera();
        feldera.inject(RequestPattern.query(), new HttpFault.Latency(Direction.TO_CLIENT, Duration.ofSeconds(3)));
        CompletableFuture<ExitCode> code = CompletableFuture.supplyAsync(() -> replica.verify(report));
        TestPostgres.await("the query", () -> feldera.counts("query").seen() > 0);
        replica.post("users", "{\"insert\":{\"id\":5000,\"name\":null,\"at\":null}}");
        assertThat(code.join()).isEqualTo(ExitCode.TEMPORARY);
        assertThat(report).isEmpty();
    }

    /** PostgreSQL does not show a truncated table to an older snapshot: all rows of Feldera would be extra. */
    @Test
    void aTruncateMeanwhileLeavesNoFinding() {
        aStoppedService();
        FaultProxy feldera = replica.proxied().feldera();
        feldera.inject(RequestPattern.query(), new HttpFault.Latency(Direction.TO_CLIENT, Duration.ofSeconds(3)));
        CompletableFuture<ExitCode> code = CompletableFuture.supplyAsync(() -> replica.verify(report, "users"));
        TestPostgres.await("the query", () -> feldera.counts("query").seen() > 0);
        replica.sql("TRUNCATE users");
        assertThat(code.join()).isEqualTo(ExitCode.TEMPORARY);
        assertThat(report).isEmpty();
    }

    @Test
    void anAnswerThatBreaksOffIsNoFinding() {
        aStoppedService();
        replica.pipeline.breakQueries(500);
        assertThat(replica.verify(report)).isEqualTo(ExitCode.PROTOCOL);
        assertThat(report).isEmpty();
    }
}
