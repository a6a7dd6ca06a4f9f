package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidemark.replication.ChangeSource;
import tidemark.replication.ForwardingSession;
import tidemark.replication.ForwardingSource;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceSession;
import tidemark.replication.TestPostgres;

/** One table is read again beside the stream, while much else happens. */
class ResyncIT extends ResyncCase {
    /** The one without a key gets every row once. */
    @Test
    void everyTableGetsEveryChangeOnceWhileOneAfterTheOtherIsReadAgain() {
        start();
        spoil();
        try (var writers = writers()) {
            for (String table : new String[] {"users", "bare", "parts"}) accepted(table);
            for (String table : new String[] {"users", "bare", "parts"}) await(table, "done");
            assertThat(writers.failure()).isEmpty();
        }
        awaitSame();
        assertThat(replica.status().sessions()).isEqualTo(4);
        replica.awaitConfirmed();
    }

    @Test
    void truncatedAndAlteredInTheMiddle() {
        start();
        replica.sql("INSERT INTO users SELECT g, 'u', NULL FROM generate_series(1001, 1600) g");
        awaitSame();
        lose(1001, 1200);
        replica.pipeline.ingressDelay(Duration.ofMillis(50));
        try (var writers = writers()) {
            accepted("users");
            TestPostgres.await(
                    "differences", () -> resync("users").orElseThrow().missing() > 60);
            replica.sql(
                    "TRUNCATE users", "ALTER TABLE users ADD COLUMN more text", "INSERT INTO users VALUES (2001, 'x')");
            replica.pipeline.ingressDelay(Duration.ZERO);
            await("users", "done");
            assertThat(writers.failure()).isEmpty();
        }
        replica.sql("ALTER TABLE users DROP COLUMN more");
        awaitSame();
    }

    /** The next session could not begin, so this one does not end: the others stream on. */
    @Test
    void itDoesNotGoBackWhileSomebodyHoldsATableExclusively() throws SQLException {
        start();
        lose(1, 100);
        replica.pipeline.ingressDelay(Duration.ofMillis(300));
        try (var log = new Listening();
                Connection other = replica.postgres.connect(replica.database);
                Statement open = other.createStatement()) {
            other.setAutoCommit(false);
            open.execute("SELECT 1");
            accepted("users");
            TestPostgres.await(
                    "differences", () -> resync("users").orElseThrow().missing() > 20);
            open.execute("LOCK TABLE items");
            replica.pipeline.ingressDelay(Duration.ZERO);
            TestPostgres.await(
                    "it to wait",
                    () -> !log.linesWith("WARNING", "waiting to go back", "public.items exclusively")
                            .isEmpty());
            replica.sql("INSERT INTO parts VALUES (2, 'two')");
            replica.awaitRows("parts", "1|one", "2|two");
            assertThat(resync("users").orElseThrow().state()).isEqualTo("merging");
            other.rollback();
        }
        await("users", "done");
        awaitSame();
    }

    /** Killed, or stopped: it is merged before the next session streams. */
    @Test
    void leftInTheMiddleItIsMergedByTheNextSession() {
        start();
        for (boolean killed : new boolean[] {false, true}) {
            lose(1, 100);
            replica.pipeline.ingressDelay(Duration.ofMillis(100));
            accepted("users");
            TestPostgres.await(
                    "differences", () -> resync("users").orElseThrow().missing() > 20);
            replica.sql("INSERT INTO users VALUES (%d, 'meanwhile', NULL)".formatted(killed ? 301 : 300));
            replica.sql("INSERT INTO bare VALUES (7, 'meanwhile')");
            if (killed) replica.abandon();
            else assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
            replica.pipeline.ingressDelay(Duration.ZERO);
            start();
            TestPostgres.await("users", () -> replica.target("users").equals(replica.source("users")));
            replica.awaitConfirmed();
        }
    }

    @Test
    void aPipelineThatComesBackEmptyMeanwhileIsFilled() {
        start();
        lose(1, 100);
        replica.pipeline.ingressDelay(Duration.ofMillis(300));
        accepted("users");
        TestPostgres.await("differences", () -> resync("users").orElseThrow().missing() > 20);
        replica.pipeline.restartEmpty();
        replica.pipeline.ingressDelay(Duration.ZERO);
        awaitSame();
        await("users", "interrupted");
        replica.awaitConfirmed();
    }

    /** What comes while the first one is merged is another drift of the same kind. */
    @Test
    void byPolicyASecondAttachIsReadAgain() {
        replica.with(settings -> Settings.mendingDrift(Settings.keyless(settings, 20)));
        start();
        replica.sql(
                "CREATE TABLE parts_3 (id int PRIMARY KEY, v text)",
                "INSERT INTO parts_2 SELECT g, 'unseen' FROM generate_series(10, 199) g",
                "INSERT INTO parts_3 VALUES (212, 'unseen, too')");
        replica.pipeline.ingressDelay(Duration.ofMillis(100));
        replica.sql("ALTER TABLE parts ATTACH PARTITION parts_2 FOR VALUES FROM (10) TO (200)");
        TestPostgres.await(
                "differences",
                () -> resync("parts").filter(now -> now.missing() > 20).isPresent());
        replica.sql("ALTER TABLE parts ATTACH PARTITION parts_3 FOR VALUES FROM (200) TO (300)");
        replica.pipeline.ingressDelay(Duration.ZERO);
        awaitSame();
        TestPostgres.await("no drift", () -> replica.drifts().equals(List.of()));
    }

    /** Once the slot is there, which would have waited for the lock's transaction. */
    @Test
    void whoHoldsTheTableIsWaitedForSoLongAndNamed() throws SQLException {
        replica.with(settings -> Settings.tiredAfter(Duration.ofSeconds(8), Settings.keyless(settings, 20)));
        try (Connection other = replica.postgres.connect(replica.database);
                Statement open = other.createStatement();
                Listening log = new Listening()) {
            replica.reading(real -> lockingAfterASnapshot(real, open));
            start();
            accepted("users");
            TestPostgres.await(
                    "whom it waits for",
                    () -> resync("users")
                            .flatMap(ConnectorStatus.Resync::why)
                            .filter(why ->
                                    why.contains("whoever holds table public.users, or asked for it first: pid "))
                            .isPresent());
            replica.sql("INSERT INTO items VALUES (900, 1, 'meanwhile')");
            TestPostgres.await("items", () -> replica.target("items").equals(replica.source("items")));
            TestPostgres.await(
                    "it to be given up",
                    () -> !log.linesWith("resync failed", "public.users").isEmpty());
            replica.sql("INSERT INTO items VALUES (901, 1, 'later')");
            TestPostgres.await("items", () -> replica.target("items").equals(replica.source("items")));
            assertThat(replica.status().sessions()).as("none could begin").isEqualTo(1);
            open.execute("COMMIT");
            await("users", "failed");
            assertThat(resync("users").flatMap(ConnectorStatus.Resync::why).orElseThrow())
                    .startsWith("copy table public.users: waited for PT8S for whoever holds table public.users,"
                            + " or asked for it first: pid ");
        }
        awaitSame();
    }

    private static ChangeSource lockingAfterASnapshot(ChangeSource real, Statement open) {
        return new ForwardingSource(real) {
            @Override
            public SourceSession open() {
                return new ForwardingSession(super.open()) {
                    @Override
                    public Snapshot snapshotBesideSlot() {
                        Snapshot snapshot = super.snapshotBesideSlot();
                        try {
                            open.execute("BEGIN; LOCK TABLE users");
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                        return snapshot;
                    }
                };
            }
        };
    }
}
