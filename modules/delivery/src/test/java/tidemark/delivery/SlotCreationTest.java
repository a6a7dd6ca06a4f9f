package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import tidemark.decode.Lsn;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.replication.SlotStatus;
import tidemark.replication.TestPostgres;

/** A slot that cannot be made in time, and one that goes before what it stands for was copied. */
class SlotCreationTest {
    @TempDir
    Path directory;

    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(TestPostgres.shared(), directory);
        replica.sql("INSERT INTO users SELECT g, 'user ' || g, NULL FROM generate_series(1, 20000) g");
    }

    @AfterEach
    void close() {
        replica.pipeline.releaseCompletions();
        replica.close();
    }

    /** A wait that is no progress ends the process as any other does; the next one is free to try. */
    @Test
    void anOpenTransactionEndsTheProcessWhenPatienceIsOverAndTheNextOneCopies() throws SQLException {
        replica.with(settings -> Settings.tiredAfter(Duration.ofSeconds(8), settings));
        try (Connection older = replica.postgres.connect(replica.database);
                Statement statement = older.createStatement();
                var log = new Listening()) {
            older.setAutoCommit(false);
            statement.execute("DELETE FROM users WHERE id = 1");
            int pid = older.unwrap(PGConnection.class).getBackendPID();
            replica.start();
            TestPostgres.await("the status to name the pid", () -> {
                ConnectorStatus now = replica.status();
                return now.phase().equals("creating-slot")
                        && now.waitingFor()
                                .filter(who -> who.startsWith("pid %d ".formatted(pid)))
                                .isPresent();
            });
            assertThat(replica.awaitExit()).isEqualTo(ExitCode.UNREACHABLE);
            assertThat(log.linesWith("SEVERE giving up", "pid %d ".formatted(pid), "session.give-up-after"))
                    .hasSize(1);
            assertThat(replica.slotStatus()).isEqualTo(new SlotStatus.Missing());
            older.commit();
        }
        replica.with(UnaryOperator.identity());
        replica.start();
        replica.awaitEqual();
    }

    @Test
    void aStopWhileItWaitsLeavesNoSlotBehind() throws SQLException {
        try (Connection older = replica.postgres.connect(replica.database);
                Statement statement = older.createStatement()) {
            older.setAutoCommit(false);
            statement.execute("DELETE FROM users WHERE id = 1");
            replica.start();
            TestPostgres.await("a half-made slot", () -> replica.slotStatus().equals(new SlotStatus.HalfMade()));
            assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
            TestPostgres.await("no slot", () -> replica.slotStatus().equals(new SlotStatus.Missing()));
            older.rollback();
        }
        replica.start();
        replica.awaitEqual();
    }

    /** Else nobody would notice before the stream begins, which may be hours later. */
    @Test
    void aSlotDroppedUnderACopyEndsTheCopy() {
        assertThatADroppedSlotEndsTheCopy(Settings::stopping);
    }

    /** It copies before a slot, and so without one; but not where there is one already. */
    @Test
    void aSlotDroppedUnderAnInconsistentCopyBesideItEndsTheCopy() {
        replica.sql("SELECT pg_create_logical_replication_slot('%s', 'pgoutput')".formatted(replica.slot));
        assertThatADroppedSlotEndsTheCopy(
                settings -> Settings.copying(Settings.stopping(settings), SnapshotMode.INCONSISTENT));
    }

    @Test
    void aSlotMovedUnderACopyEndsTheCopy() {
        replica.with(Settings::stopping);
        try (var log = new Listening()) {
            startACopyThatStands();
            replica.sql("SELECT pg_replication_slot_advance('%s', pg_current_wal_lsn())".formatted(replica.slot));
            TestPostgres.await(
                    "the move to be noticed",
                    () -> !log.linesWith(
                                    "WARNING ending session phase=copying",
                                    "slot " + replica.slot + " was moved, or made anew, while its tables were copied")
                            .isEmpty());
            replica.pipeline.releaseCompletions();
            assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(log.linesWith("SEVERE stopping exit=78", "ahead of", "somebody else moved it"))
                    .hasSize(1);
        }
    }

    /** And was seen by whoever looks at the server. */
    private void startACopyThatStands() {
        replica.pipeline.holdCompletions();
        replica.start();
        TestPostgres.await("a full window in the copy", () -> replica.pipeline.ingressRequests("users") >= 5);
        for (int look : new int[] {1, 2}) { // the second began when it copied
            replica.sql("INSERT INTO items VALUES (%d, 1, 'meanwhile')".formatted(look));
            Lsn now = replica.walEnd();
            TestPostgres.await(
                    "a look at the server", () -> !now.isAfter(replica.status().walEnd()));
        }
    }

    private void assertThatADroppedSlotEndsTheCopy(UnaryOperator<DeliverySettings> adjusted) {
        replica.with(adjusted);
        try (var log = new Listening()) {
            startACopyThatStands();
            replica.sql("SELECT pg_drop_replication_slot('%s')".formatted(replica.slot));
            String dropped = "slot " + replica.slot + " was dropped while its tables were copied";
            TestPostgres.await(
                    "the loss to be noticed",
                    () -> !log.linesWith("WARNING ending session phase=copying", dropped)
                            .isEmpty());
            replica.pipeline.releaseCompletions(); // it ends at the next row
            assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(log.linesWith("SEVERE stopping exit=78", "slot " + replica.slot + " is gone"))
                    .hasSize(1);
            assertThat(log.linesWith("WARNING session ended", dropped, "remedy=\"Find out who drops it.\""))
                    .hasSize(1);
        }
        assertThat(replica.operations("users")).isLessThan(20_000);
    }
}
