package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;
import tidemark.standin.Direction;
import tidemark.standin.FaultProxy;
import tidemark.standin.HttpFault;
import tidemark.standin.RequestPattern;

/** Beside a stream, between a real PostgreSQL and the stand-in. */
class ComparingTest {
    @TempDir
    private Path directory;

    private Replica replica;
    private ComparedEnds ends;

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

    private void aService() {
        replica.start();
        replica.awaitStreaming();
    }

    /** Until the test looks away Feldera's answers to queries take a while. */
    private FaultProxy slowQueries() {
        FaultProxy feldera = replica.proxied().feldera();
        feldera.inject(RequestPattern.query(), new HttpFault.Latency(Direction.TO_CLIENT, Duration.ofSeconds(1)));
        return feldera;
    }

    private static TableFindings found(VerifyState state) {
        assertThat(state).isInstanceOf(VerifyState.Compared.class);
        return ((VerifyState.Compared) state).found();
    }

    private static String whyNot(VerifyState state) {
        assertThat(state).isInstanceOf(VerifyState.NotCompared.class);
        var not = (VerifyState.NotCompared) state;
        assertThat(not.exit()).isEqualTo(ExitCode.TEMPORARY);
        return not.why();
    }

    @Test
    void exactlyWhatDiffersIsToldByItsKeyAndTheStreamGoesOn() {
        aService();
        replica.post("users", "{\"delete\":{\"id\":17}}");
        replica.post("users", "{\"insert\":{\"id\":1001,\"name\":\"secret\",\"at\":null}}");
        replica.post("users", "{\"update\":{\"id\":500,\"name\":\"secret\"}}");
        VerifyState state = ends.beside("users");
        assertThat(found(state).lines())
                .containsExactly(
                        "public.users -> users: 1,000 rows in PostgreSQL, 1,000 in Feldera: 1 missing, 1 extra, 1 different",
                        "  missing id=17",
                        "  different id=500 in name",
                        "  extra id=1001");
        assertThat(((VerifyState.Compared) state).held()).isLessThan(Duration.ofSeconds(5));
        assertThat(found(ends.beside("items")).areNone()).isTrue();
        replica.sql("INSERT INTO items VALUES (1000, 1, 'after')");
        TestPostgres.await("the stream", () -> replica.source("items").equals(replica.target("items")));
    }

    /** The position in between is one that every transaction is wholly on one side of. */
    @Test
    void writersAreNoDifference() {
        aService();
        var writing = new AtomicBoolean(true);
        Thread writer = Thread.ofVirtual().start(() -> {
            for (long n = 10_000; writing.get(); n++) {
                replica.sql(
                        "BEGIN; INSERT INTO users VALUES (%1$d, 'w', NULL); UPDATE items SET owner = %1$d; DELETE FROM users WHERE id = %1$d - 50; COMMIT"
                                .formatted(n));
            }
        });
        try {
            for (int i = 0; i < 3; i++) {
                assertThat(found(ends.beside("users")).lines()).hasSize(1);
                assertThat(found(ends.beside("items")).lines()).hasSize(1);
            }
        } finally {
            writing.set(false);
            TestPostgres.await("the writer", () -> !writer.isAlive());
        }
        replica.awaitEqual();
    }

    @Test
    void aTruncateThatIsCarriedOutIsNotTheTime() {
        FaultProxy feldera = slowQueries();
        aService();
        replica.sql("TRUNCATE users");
        TestPostgres.await("the TRUNCATE", () -> feldera.counts("query").seen() > 0);
        assertThat(whyNot(ends.beside("items"))).contains("TRUNCATE");
        replica.awaitEqual();
    }

    /** PostgreSQL does not show a truncated table to an older snapshot: all rows of Feldera would be extra. */
    @Test
    void aTruncateMeanwhileWaitsForTheComparison() {
        FaultProxy feldera = slowQueries();
        aService();
        ends.ask("users");
        TestPostgres.await("the query", () -> feldera.counts("query").seen() > 0);
        replica.sql("TRUNCATE users");
        assertThat(found(ends.outcome("users")).areNone()).isTrue();
        replica.awaitEqual();
    }

    /** What the new life answers says nothing of the one that was streamed to. */
    @Test
    void aPipelineThatRestartsLeavesNoFinding() {
        FaultProxy feldera = slowQueries();
        aService();
        ends.ask("users");
        TestPostgres.await("the query", () -> feldera.counts("query").seen() > 0);
        replica.pipeline.restartEmpty();
        assertThat(whyNot(ends.outcome("users"))).isNotEmpty();
        replica.awaitEqual();
    }

    @Test
    void aLostSessionLeavesNoFindingAndTheNextOneCompares() {
        FaultProxy feldera = slowQueries();
        aService();
        ends.ask("users");
        TestPostgres.await("the query", () -> feldera.counts("query").seen() > 0);
        replica.sql("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = '"
                + replica.slot + "'");
        assertThat(whyNot(ends.outcome("users"))).contains("the session ended");
        TestPostgres.await("another session", () -> replica.status().sessions() > 1);
        replica.awaitStreaming();
        assertThat(found(ends.beside("users")).areNone()).isTrue();
    }

    @Test
    void aStopWaitsForNoComparison() {
        FaultProxy feldera = slowQueries();
        aService();
        ends.ask("users");
        TestPostgres.await("the query", () -> feldera.counts("query").seen() > 0);
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
    }
}
