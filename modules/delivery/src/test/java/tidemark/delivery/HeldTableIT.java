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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import tidemark.replication.TestPostgres;

/**
 * A table that somebody holds exclusively while a session begins: who it is can be seen, and PostgreSQL is not away.
 */
@Tag("slow")
class HeldTableIT {
    @TempDir
    Path directory;

    private final Listening log = new Listening();
    private Replica replica;
    private Connection other;
    private Statement open;
    private volatile String holder = "nobody yet";

    @BeforeEach
    void replica() throws SQLException {
        replica = new Replica(TestPostgres.shared(), directory);
        replica.sql("INSERT INTO users VALUES (1, 'one', NULL)", "INSERT INTO items VALUES (1, 1, 'item')");
        other = replica.postgres.connect(replica.database);
        open = other.createStatement();
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        replica.close();
        log.close();
    }

    /** The first is after 2 s. */
    private static DeliverySettings patientForALook(DeliverySettings settings) {
        return Settings.tiredAfter(Duration.ofSeconds(10), settings);
    }

    private void hold(String table) {
        try {
            open.execute("BEGIN; LOCK TABLE " + table);
            holder = "whoever holds table %s, or asked for it first: pid %d "
                    .formatted(table, other.unwrap(PGConnection.class).getBackendPID());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitHolderIn(String phase) {
        TestPostgres.await(
                "the status to name the holder",
                () -> replica.status()
                        .waitingFor()
                        .filter(who -> who.startsWith(holder))
                        .isPresent());
        assertThat(replica.status().phase()).isEqualTo(phase);
    }

    private void givesUpNaming(String attempted) {
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(log.linesWith("SEVERE giving up", attempted, holder, "pg_terminate_backend"))
                .hasSize(1);
    }

    private void copiesOnceItIsLetGo() throws SQLException {
        open.execute("ROLLBACK");
        replica.with(UnaryOperator.identity());
        replica.reading(UnaryOperator.identity());
        replica.start();
        replica.awaitEqual();
    }

    /** Something that a look at a publication opens: from 16 on its tables, too. */
    private String opened() {
        return replica.postgres.serverMajor() >= 16 ? "public.items" : "pg_catalog.pg_publication";
    }

    @Test
    void aSessionThatCannotBeginNamesTheHolderUntilPatienceIsOver() throws SQLException {
        replica.with(HeldTableIT::patientForALook);
        hold(opened());
        replica.start();
        awaitHolderIn("checking");
        givesUpNaming("read publication");
        copiesOnceItIsLetGo();
    }

    @Test
    void aSessionThatCannotBeginIsStoppedAtOnceAndLeavesNobodyWaiting() throws SQLException {
        hold(opened());
        replica.start();
        awaitHolderIn("checking");
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        TestPostgres.await(
                "nobody to wait",
                () -> replica.postgres
                        .query(
                                replica.database,
                                "SELECT count(*) FROM pg_locks WHERE NOT granted AND database ="
                                        + " (SELECT oid FROM pg_database WHERE datname = current_database())")
                        .equals("0"));
        copiesOnceItIsLetGo();
    }

    /** Held since the slot is there, which would have waited for the holder. */
    @Test
    void aCopyThatCannotBeginNamesTheHolderUntilPatienceIsOver() throws SQLException {
        replica.with(HeldTableIT::patientForALook);
        replica.reading(source -> new FineParts(source, () -> hold("public.items")));
        replica.start();
        awaitHolderIn("copying");
        givesUpNaming("copy 2 tables");
        copiesOnceItIsLetGo();
    }
}
