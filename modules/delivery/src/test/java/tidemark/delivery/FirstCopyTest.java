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
    private static final String WAITING_COPIES = "wait_event_type = 'Lock' AND query LIKE 'COPY%'";

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

    /** It keeps the snapshot alive: the copy that runs may end, the next one cannot begin. */
    @Test
    void aWalsenderThatIsKilledBetweenTwoTablesIsATransientFailure() {
        replica.pipeline.holdCompletions();
        replica.start();
        TestPostgres.await("a full window in the first copy", () -> replica.pipeline.ingressRequests("users") >= 5);
        replica.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND "
                + WALSENDERS);
        TestPostgres.await("no walsender", () -> count(WALSENDERS).equals("0"));
        replica.pipeline.releaseCompletions();
        replica.awaitEqual();
    }

    @Test
    void aStopDoesNotWaitForALockOnATableToCopy() throws SQLException {
        whileTheSecondCopyWaits(() -> assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED));
        replica.start();
        replica.awaitEqual();
    }

    private void whileTheSecondCopyWaits(Runnable then) throws SQLException {
        replica.pipeline.holdCompletions();
        replica.start();
        TestPostgres.await("a full window in the first copy", () -> replica.pipeline.ingressRequests("users") >= 5);
        try (Connection locking = replica.postgres.connect(replica.database);
                Statement statement = locking.createStatement()) {
            locking.setAutoCommit(false);
            statement.execute("LOCK TABLE items IN ACCESS EXCLUSIVE MODE");
            replica.pipeline.releaseCompletions();
            TestPostgres.await(
                    "a COPY that waits for the lock",
                    () -> !count(WAITING_COPIES).equals("0"));
            then.run();
            locking.rollback();
        }
    }

    private String count(String backends) {
        return replica.postgres.query(
                replica.database,
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND " + backends);
    }

    private void abandonMidCopy() {
        replica.pipeline.holdCompletions();
        replica.start();
        TestPostgres.await(
                "a full window in the middle of the copy", () -> replica.pipeline.ingressRequests("users") >= 5);
        replica.sever();
        replica.pipeline.releaseCompletions(); // it notices at the next row
        replica.awaitSevered();
    }
}
