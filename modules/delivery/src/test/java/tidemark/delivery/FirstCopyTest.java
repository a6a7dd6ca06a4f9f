package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;

/** The first copy, broken at its worst moments. */
class FirstCopyTest {
    private static final String WALSENDERS = "backend_type = 'walsender'";
    private static final String WAITS_TO_COPY = "wait_event_type = 'Lock' AND query LIKE 'LOCK TABLE%'";

    @TempDir
    Path directory;

    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(TestPostgres.shared(), directory);
        replica.sql(
                "INSERT INTO users SELECT g, 'user ' || g, NULL FROM generate_series(1, 20000) g",
                "INSERT INTO items SELECT g, g, 'item' FROM generate_series(1, 3000) g");
    }

    @AfterEach
    void close() {
        replica.pipeline.releaseCompletions();
        replica.close();
    }

    @Test
    void rowsOfACopyThatBrokeAndAreDeletedSinceDoNotStay() {
        abandonMidCopy();
        replica.sql("DELETE FROM users WHERE id < 500", "UPDATE users SET id = -id WHERE id < 700");
        replica.start();
        replica.awaitEqual();
    }

    /** The slot's WAL would have removed them; without it only a merge can. */
    @Test
    void aCopyThatBrokeIsMergedWithItsLeftoversOnceTheSlotIsGone() {
        abandonMidCopy();
        replica.sql("DELETE FROM users WHERE id < 500");
        replica.postgres.dropSlots(replica.database);
        replica.with(Settings::stopping);
        replica.start();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
        replica.with(settings -> settings);
        replica.start();
        replica.awaitEqual();
    }

    /** It kept the snapshot alive until the readers had it: they copy on, and then there is no walsender to stream. */
    @Test
    void aWalsenderThatIsKilledWhileTablesAreCopiedIsATransientFailure() {
        startUntilTheWindowIsFull();
        terminate(WALSENDERS);
        replica.pipeline.releaseCompletions();
        replica.awaitEqual();
    }

    @Test
    void aReaderThatIsKilledEndsTheSessionAndTheNextOneCopiesAgain() {
        replica.with(settings -> Settings.inBatchesOf(200, settings)); // bodies that the API server takes in time
        replica.sql("UPDATE users SET name = repeat('more than a socket holds', 100)");
        startUntilTheWindowIsFull();
        terminate("query LIKE 'COPY%'");
        replica.sql("DELETE FROM users WHERE id < 500");
        replica.pipeline.releaseCompletions();
        replica.awaitStreaming();
        replica.awaitEqual();
        assertThat(replica.status().sessions()).isGreaterThanOrEqualTo(2);
    }

    private void terminate(String backends) {
        replica.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND"
                + " pid <> pg_backend_pid() AND " + backends);
        TestPostgres.await("no such backend", () -> count(backends).equals("0"));
    }

    /** Its transaction is older than no slot: it would be waited for before, else. */
    @Test
    void aStopDoesNotWaitForALockOnATableToCopy() throws SQLException {
        try (Connection locking = replica.postgres.connect(replica.database);
                Statement statement = locking.createStatement()) {
            locking.setAutoCommit(false);
            replica.reading(source -> new FineParts(source, () -> lockItems(statement)));
            replica.start();
            TestPostgres.await(
                    "a copy that waits for the lock",
                    () -> !count(WAITS_TO_COPY).equals("0"));
            assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
            locking.rollback();
        }
        replica.reading(source -> source);
        replica.start();
        replica.awaitEqual();
    }

    private static void lockItems(Statement statement) {
        try {
            statement.execute("LOCK TABLE items IN ACCESS EXCLUSIVE MODE");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As many batches as may be in flight, besides the request that makes an endpoint. */
    private void startUntilTheWindowIsFull() {
        replica.pipeline.holdCompletions();
        replica.start();
        TestPostgres.await(
                "a full window in the middle of the copy",
                () -> replica.pipeline.ingressRequests("users") + replica.pipeline.ingressRequests("items") >= 6);
    }

    private String count(String backends) {
        return replica.postgres.query(
                replica.database,
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND " + backends);
    }

    private void abandonMidCopy() {
        startUntilTheWindowIsFull();
        replica.sever();
        replica.pipeline.releaseCompletions(); // it notices at the next row
        replica.awaitSevered();
    }
}
