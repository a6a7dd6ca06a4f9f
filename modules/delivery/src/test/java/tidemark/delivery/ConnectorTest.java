package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.decode.Lsn;
import tidemark.replication.ForwardingSource;
import tidemark.replication.SlotStatus;
import tidemark.replication.TestPostgres;

/** The main job against a real PostgreSQL and real HTTP. */
class ConnectorTest {
    @TempDir
    Path directory;

    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(TestPostgres.shared(), directory);
    }

    @AfterEach
    void close() {
        replica.close();
    }

    @Test
    void copiesWhatIsThereAndThenStreamsWhatChanges() {
        replica.sql(
                "INSERT INTO users SELECT g, 'user ' || g, '2024-01-01' FROM generate_series(1, 2500) g",
                "INSERT INTO items VALUES (1, 1, E'tab\\tquote\"back\\\\slash\\nline ü 😀'), (2, NULL, NULL)");
        replica.start();
        replica.awaitEqual();
        replica.awaitStreaming();
        replica.sql(
                "INSERT INTO users VALUES (9000, 'new', now())",
                "UPDATE users SET name = 'changed' WHERE id % 7 = 0",
                "DELETE FROM users WHERE id % 11 = 0",
                "UPDATE users SET id = id + 100000 WHERE id % 13 = 0",
                "BEGIN; INSERT INTO items VALUES (3, 9000, 'a'); DELETE FROM items WHERE id = 1; INSERT INTO items VALUES (1, 7,"
                        + " 'again'); UPDATE users SET name = NULL WHERE id = 9000; COMMIT",
                "BEGIN; INSERT INTO items VALUES (99, 0, 'rolled back'); ROLLBACK");
        replica.awaitEqual();
        assertThat(replica.target("users")).hasSizeGreaterThan(2000);
    }

    @Test
    void whoWatchesTheServerGoesOnAfterAnyFailure() {
        var looks = new AtomicInteger();
        replica.reading(source -> new ForwardingSource(source) {
            @Override
            public SlotStatus slot() {
                if (looks.getAndIncrement() == 0) throw new IllegalStateException("nobody expects this");
                return super.slot();
            }
        });
        replica.start();
        TestPostgres.await("another look", () -> looks.get() > 1);
    }

    @Test
    void sendsATransactionLargerThanABatchInPartsAndConfirmsItAtItsEndOnly() {
        replica.postgres.expectStatusOften(replica.database);
        replica.start();
        replica.awaitStreaming();
        replica.pipeline.holdCompletions();
        replica.sql("INSERT INTO users SELECT g, repeat('x', 50), NULL FROM generate_series(1, 3500) g");
        Lsn after = replica.walEnd();
        TestPostgres.await("four parts", () -> replica.status().batchesAccepted() >= 4);
        long replies = replica.status().statusReplies();
        TestPostgres.await("two more status replies", () -> replica.status().statusReplies() >= replies + 2);
        // A keepalive may have told of what the server had written of it, as nothing is sent of it before its end.
        assertThat(after.isAfter(replica.confirmedFlush())).as("before its end").isTrue();
        replica.pipeline.releaseCompletions();
        TestPostgres.await("confirmation", () -> !after.isAfter(replica.confirmedFlush()));
        replica.awaitEqual();
    }

    @Test
    void doesNotMoveTheSlotWhileFelderaHasNotFinishedAndDoesWhenItHas() {
        replica.postgres.expectStatusOften(replica.database);
        replica.start();
        replica.awaitStreaming();
        replica.pipeline.holdCompletions();
        replica.sql("INSERT INTO users VALUES (1, 'one', NULL)");
        Lsn row = replica.walEnd();
        TestPostgres.await("acceptance", () -> replica.status().batchesAccepted() == 1);
        // other work in the same database makes the server send keepalives past the undelivered row
        replica.sql("CREATE TABLE busy AS SELECT g FROM generate_series(1, 50000) g", "SELECT pg_switch_wal()");
        Lsn busy = replica.walEnd();
        long replies = replica.status().statusReplies();
        TestPostgres.await("two more status replies", () -> replica.status().statusReplies() >= replies + 2);
        assertThat(row.isAfter(replica.confirmedFlush())).isTrue();
        replica.pipeline.releaseCompletions();
        TestPostgres.await("the slot to pass the busy tables' WAL", () -> !busy.isAfter(replica.confirmedFlush()));
    }

    @Test
    void anIdlePublicationDoesNotHoldBackWhatOtherTablesWrite() {
        replica.start();
        replica.awaitStreaming();
        replica.sql("CREATE TABLE busy AS SELECT g FROM generate_series(1, 50000) g");
        Lsn busy = replica.walEnd();
        TestPostgres.await("the slot to pass the busy tables' WAL", () -> !busy.isAfter(replica.confirmedFlush()));
    }

    @Test
    void aDrainedStopConfirmsEverythingAndNothingIsReplayed() {
        replica.start();
        replica.awaitStreaming();
        replica.sql("INSERT INTO users SELECT g, 'u', NULL FROM generate_series(1, 500) g");
        replica.awaitEqual();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        long posts = replica.pipeline.ingressRequests("users");
        replica.start();
        replica.awaitStreaming();
        replica.sql("INSERT INTO items VALUES (5, 5, 'after')");
        replica.awaitEqual();
        assertThat(replica.pipeline.ingressRequests("users"))
                .as("only the empty array of the new session")
                .isEqualTo(posts + 1);
    }

    @Test
    void whatHappenedWhileItWasStoppedArrivesAfterwards() {
        replica.start();
        replica.awaitStreaming();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql(
                "INSERT INTO users SELECT g, 'u', NULL FROM generate_series(1, 1500) g",
                "DELETE FROM users WHERE id < 100",
                "UPDATE users SET id = -id WHERE id > 1400");
        replica.start();
        replica.awaitEqual();
    }

    @Test
    void aPipelineThatWasRestartedEmptyIsFilledAgain() {
        replica.sql("INSERT INTO users SELECT g, 'u', NULL FROM generate_series(1, 300) g");
        replica.start();
        replica.awaitEqual();
        replica.pipeline.restartEmpty();
        replica.sql("INSERT INTO users VALUES (1000, 'later', NULL)", "DELETE FROM users WHERE id < 50");
        replica.awaitEqual();
    }

    /** A slot without a state would keep WAL for nobody. */
    @Test
    void makesNoSlotWhenTheStateCannotBeWritten() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "a file where a directory should be");
        replica.keepStateIn(file.resolve("state.json"));
        replica.start();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(replica.slotStatus()).isEqualTo(new SlotStatus.Missing());
    }

    @Test
    void aWriteToAPublishedTableWithoutARouteStopsAndSaysWhich() {
        replica.sql("CREATE TABLE extra (id int PRIMARY KEY)", "ALTER PUBLICATION pub ADD TABLE extra");
        replica.start();
        replica.awaitStreaming();
        replica.sql("INSERT INTO extra VALUES (1)");
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
    }

    @Test
    void aPipelineThatIsNotRunningIsWaitedForAndNeverStarted() {
        replica.pipeline.kill();
        replica.start();
        TestPostgres.await(
                "the wait to be shown", () -> replica.status().lastFailure().isPresent());
        assertThat(replica.status().ready()).isFalse();
        replica.pipeline.start();
        replica.sql("INSERT INTO users VALUES (1, 'one', NULL)");
        replica.awaitEqual();
    }

    /** An endless retry would keep WAL for ever. */
    @Test
    void aPipelineThatStaysAwayIsGivenUpAfterTheDeadline() {
        replica.with(Settings::soonTired);
        replica.pipeline.kill();
        replica.start();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.UNREACHABLE);
    }

    @Test
    void aPausedPipelineIsWaitedForWithoutLosingOrRepeatingAnything() {
        replica.start();
        replica.awaitStreaming();
        replica.pipeline.pause();
        replica.sql("INSERT INTO users SELECT g, 'u', NULL FROM generate_series(1, 100) g");
        TestPostgres.await(
                "the session to end at the API server's limit, or to see the pause before it posts",
                () -> replica.status().lastFailure().isPresent()
                        || replica.status()
                                .waitingFor()
                                .filter(what -> what.contains("Paused"))
                                .isPresent());
        replica.sql("UPDATE users SET name = 'newer'");
        replica.pipeline.resume();
        replica.awaitEqual();
    }

    /**
     * Of a transaction that is larger than what may be in flight a part is sent, and the drain does not read the rest.
     */
    @Test
    void aStopInTheMiddleOfALargeTransactionSaysThatItComesAgain() {
        replica.start();
        replica.awaitStreaming();
        replica.pipeline.holdCompletions();
        replica.sql("INSERT INTO users SELECT g, 'u', NULL FROM generate_series(1, 20000) g");
        TestPostgres.await(
                "a full window in the middle of it", () -> replica.status().batchesAccepted() == 4);
        Connector first = replica.connector();
        first.stop();
        TestPostgres.await("the drain", () -> replica.status().phase().equals("draining"));
        replica.pipeline.releaseCompletions();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.DRAINED);
        assertThat(first.status().closing().orElseThrow())
                .endsWith("replays=\"the transaction that was open, of which a part was sent\"");
        replica.start();
        replica.awaitEqual();
        Connector second = replica.connector();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        assertThat(second.status().closing().orElseThrow()).endsWith("replays=nothing");
    }

    @Test
    void aWalsenderThatIsKilledIsReplacedByANewSession() {
        replica.start();
        replica.awaitStreaming();
        replica.sql("INSERT INTO users VALUES (1, 'one', NULL)");
        replica.awaitEqual();
        replica.sql("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = '"
                + replica.slot + "'");
        replica.sql("INSERT INTO users VALUES (2, 'two', NULL)");
        replica.awaitEqual();
        assertThat(replica.status().sessions()).isGreaterThanOrEqualTo(2);
    }
}
