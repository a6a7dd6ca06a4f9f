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
    private ComparedEnds ends;
    private final List<String> report = new ArrayList<>();

    @BeforeEach
    void tablesWithRows() {
        replica = new Replica(TestPostgres.shared(), directory);
        ends = new ComparedEnds(replica);
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
        assertThat(ends.verify(report)).isEqualTo(ExitCode.DRAINED);
        assertThat(report)
                .containsExactly(
                        "public.users -> users: 1,000 rows in PostgreSQL, 1,000 in Feldera: the same",
                        "public.items -> items: 100 rows in PostgreSQL, 100 in Feldera: the same");
    }

    @Test
    void exactlyWhatDiffersIsToldByItsKey() {
        aStoppedService();
        plantOneOfEach();
        assertThat(ends.verify(report)).isEqualTo(ExitCode.DIFFERENT);
        assertThat(report)
                .containsExactly(
                        "public.users -> users: 1,000 rows in PostgreSQL, 1,000 in Feldera: 1 missing, 1 extra, 1 different",
                        "  missing id=17",
                        "  different id=500 in name",
                        "  extra id=1001",
                        "public.items -> items: 100 rows in PostgreSQL, 100 in Feldera: the same");
        report.clear();
        assertThat(ends.verify(report, "items")).isEqualTo(ExitCode.DRAINED);
        assertThat(report).hasSize(1);
    }

    private void plantOneOfEach() {
        replica.post("users", "{\"delete\":{\"id\":17}}");
        replica.post("users", "{\"insert\":{\"id\":1001,\"name\":\"secret\",\"at\":null}}");
        replica.post("users", "{\"update\":{\"id\":500,\"name\":\"secret\"}}");
    }

    @Test
    void aRepairSendsWhatDiffersAndNothingElse() {
        aStoppedService();
        plantOneOfEach();
        long sent = replica.operations("users");
        long others = replica.operations("items");
        assertThat(ends.repair(report)).isEqualTo(ExitCode.DRAINED);
        assertThat(report)
                .contains(
                        "public.users -> users: 1,000 rows in PostgreSQL, 1,000 in Feldera: 1 missing, 1 extra, 1 different",
                        "public.users -> users: mended by 3 operations")
                .hasSize(6);
        assertThat(replica.operations("users") - sent).isEqualTo(3);
        assertThat(replica.operations("items")).isEqualTo(others);
        // then the service goes on with what was written meanwhile
        replica.sql("UPDATE users SET name = 'after' WHERE id IN (17, 500)", "DELETE FROM users WHERE id = 1");
        replica.start();
        replica.awaitEqual();
        assertThat(replica.operations("users") - sent).isEqualTo(6);
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        report.clear();
        assertThat(ends.repair(report)).isEqualTo(ExitCode.DRAINED);
        assertThat(report).hasSize(2).allMatch(line -> line.endsWith("the same"));
    }

    /** Only others posted to it, through an endpoint that is not ours. */
    @Test
    void aRepairTakesOutWhatOthersPutIntoATableThatNeverHadRows() {
        replica.sql("TRUNCATE items");
        aStoppedService();
        replica.post("items", "{\"insert\":{\"id\":5,\"owner\":1,\"label\":null}}");
        assertThat(ends.repair(report, "items")).isEqualTo(ExitCode.DRAINED);
        assertThat(report.getLast()).endsWith("mended by 1 operations");
        assertThat(replica.rows("items")).isEmpty();
    }

    /** The mark is durable before the first difference is sent. */
    @Test
    void whatARepairLeavesBehindIsMergedByTheNextService() {
        aStoppedService();
        plantOneOfEach();
        FaultProxy feldera = replica.proxied().feldera();
        feldera.inject(RequestPattern.query(), new HttpFault.Latency(Direction.TO_CLIENT, Duration.ofSeconds(1)));
        var repairing = new CompletableFuture<Verification>();
        CompletableFuture<ExitCode> code = CompletableFuture.supplyAsync(() -> ends.verification(report, asked -> {
            repairing.complete(asked);
            return asked.runAndMend(List.of());
        }));
        TestPostgres.await(
                "the merge, after two comparisons",
                () -> feldera.counts("query").seen() > 2);
        repairing.join().stop();
        assertThat(code.join()).isEqualTo(ExitCode.TEMPORARY);
        assertThat(report).noneMatch(line -> line.contains("mended"));
        assertThat(replica.rows("users")).contains("1001|secret|null");
        replica.start();
        replica.awaitEqual();
    }

    @Test
    void manyDifferencesAreCountedAndTheFirstTold() {
        aStoppedService();
        replica.post("items", "{\"insert\":{\"id\":0,\"owner\":1,\"label\":null}}");
        for (int id = 1; id <= 30; id++) replica.post("items", "{\"delete\":{\"id\":%d}}".formatted(id));
        assertThat(ends.verify(report, "items")).isEqualTo(ExitCode.DIFFERENT);
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
        assertThat(ends.verify(report)).isEqualTo(ExitCode.DRAINED);
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
                assertThat(ends.verify(report)).as("%s", report).isEqualTo(ExitCode.DRAINED);
        } finally {
            writing.set(false);
            TestPostgres.await("the writer", () -> !writer.isAlive());
        }
    }

    @Test
    void aServiceThatRunsIsLeftAlone() {
        replica.start();
        replica.awaitStreaming();
        assertThat(ends.verify(report)).isEqualTo(ExitCode.TEMPORARY);
        assertThat(report).isEmpty();
        assertThat(replica.status().phase()).isEqualTo("streaming");
    }

    @Test
    void whereNothingWasDeliveredThereIsNothingToCompare() {
        assertThat(ends.verify(report)).isEqualTo(ExitCode.CONFIGURATION);
        aStoppedService();
        replica.pipeline.restartEmpty();
        TestPostgres.await("the pipeline", () -> replica.target("users").isEmpty());
        assertThat(ends.verify(report)).isEqualTo(ExitCode.TEMPORARY);
        assertThat(report).isEmpty();
    }

    /** Two ends that moved apart while they were read would be a finding that never was. */
    @Test
    void rowsOfSomebodyElseMeanwhileLeaveNoFinding() {
        aStoppedService();
        FaultProxy feldera = replica.proxied().feldera();
        feldera.inject(RequestPattern.query(), new HttpFault.Latency(Direction.TO_CLIENT, Duration.ofSeconds(3)));
        CompletableFuture<ExitCode> code = CompletableFuture.supplyAsync(() -> ends.verify(report));
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
        CompletableFuture<ExitCode> code = CompletableFuture.supplyAsync(() -> ends.verify(report, "users"));
        TestPostgres.await("the query", () -> feldera.counts("query").seen() > 0);
        replica.sql("TRUNCATE users");
        assertThat(code.join()).isEqualTo(ExitCode.TEMPORARY);
        assertThat(report).isEmpty();
    }

    @Test
    void anAnswerThatBreaksOffIsNoFinding() {
        aStoppedService();
        replica.pipeline.breakQueries(500);
        assertThat(ends.verify(report)).isEqualTo(ExitCode.PROTOCOL);
        assertThat(report).isEmpty();
    }
}
