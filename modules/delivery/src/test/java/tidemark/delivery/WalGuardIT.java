package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.decode.RelationName;
import tidemark.replication.TestPostgres;

/** A server that limits what a slot may hold back. */
@Tag("slow")
class WalGuardIT {
    private static final RelationName USERS = new RelationName("public", "users");

    @TempDir
    private Path directory;

    private static Optional<ConnectorStatus.Resync> resync(Replica replica) {
        return replica.status().tables().getFirst().resync();
    }

    private static void awaitFailed(Replica replica) {
        TestPostgres.await(
                "it to fail",
                () -> resync(replica)
                        .filter(now -> now.state().equals("failed"))
                        .isPresent());
        assertThat(resync(replica).flatMap(ConnectorStatus.Resync::why).orElseThrow())
                .contains("max_slot_wal_keep_size");
    }

    /** What the slot holds back meanwhile would cost all tables; so nothing was sent, and it is not begun again. */
    @Test
    void aTableIsLeftAsItWasRatherThanTheSlotLost() throws SQLException {
        try (TestPostgres postgres = TestPostgres.start(Map.of("max_slot_wal_keep_size", "64MB"));
                Replica replica = new Replica(postgres, directory);
                Connection other = postgres.connect(replica.database);
                Statement open = other.createStatement()) {
            replica.sql("INSERT INTO users VALUES (1, 'one', NULL)", "CREATE TABLE noise (x text)");
            replica.start();
            replica.awaitStreaming();
            open.execute("BEGIN; INSERT INTO noise VALUES ('long')"); // no snapshot before it ends
            assertThat(replica.resync(USERS)).isEqualTo(new ResyncReply.Accepted());
            TestPostgres.await(
                    "it to be left out",
                    () -> resync(replica)
                            .filter(now -> now.state().equals("merging"))
                            .isPresent());
            for (int i = 0; i < 5; i++) replica.sql("INSERT INTO noise VALUES ('x')", "SELECT pg_switch_wal()");
            awaitFailed(replica);
            TestPostgres.await("another session", () -> replica.status().sessions() == 2);
            replica.awaitStreaming();
            replica.sql("INSERT INTO users VALUES (2, 'two', NULL)");
            replica.awaitEqual();
            assertThat(replica.resync(USERS)).isEqualTo(new ResyncReply.Accepted());
            awaitFailed(replica);
            assertThat(replica.status().sessions()).as("nothing was begun").isEqualTo(2);
            open.execute("COMMIT");
        }
    }
}
