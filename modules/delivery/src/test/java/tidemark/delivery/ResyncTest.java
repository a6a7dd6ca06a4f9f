package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import tidemark.replication.TestPostgres;

/** One table is read again beside the stream: what differs, what is refused, what fails. */
class ResyncTest extends ResyncCase {
    @Test
    void whatDiffersIsMendedAndNothingElseIsSent() {
        start();
        spoil();
        long before = replica.operations("users");
        accepted("users");
        await("users", "done");
        awaitSame();
        ConnectorStatus.Resync done = resync("users").orElseThrow();
        assertThat(done.rows()).isEqualTo(100);
        assertThat(done.missing()).isEqualTo(1);
        assertThat(done.different()).isEqualTo(1);
        assertThat(done.extra()).isEqualTo(1);
        assertThat(done.at()).isPresent();
        assertThat(replica.operations("users") - before).isEqualTo(3);
        assertThat(replica.status().sessions()).isEqualTo(2);
        assertThat(replica.status().lastFailure()).isEmpty();
        replica.sql("INSERT INTO users VALUES (200, 'later', NULL)");
        awaitSame();
        replica.awaitConfirmed();
    }

    /** The others do not notice. */
    @Test
    void withoutASnapshotItFailsByNameAndGoesOnWhereItWas() throws SQLException {
        replica.with(settings -> Settings.soonTired(Settings.keyless(settings, 20)));
        start();
        try (Connection other = replica.postgres.connect(replica.database);
                Statement open = other.createStatement()) {
            open.execute("BEGIN; INSERT INTO items VALUES (900, 1, 'long')");
            String pid = "pid " + other.unwrap(PGConnection.class).getBackendPID();
            accepted("users");
            TestPostgres.await(
                    "whom it waits for",
                    () -> resync("users")
                            .flatMap(ConnectorStatus.Resync::why)
                            .filter(why -> why.contains(pid))
                            .isPresent());
            replica.sql(
                    "INSERT INTO users VALUES (500, 'meanwhile', NULL)",
                    "INSERT INTO parts VALUES (5, 'five')",
                    "INSERT INTO bare VALUES (5, 'once')");
            replica.awaitRows("parts", "1|one", "5|five");
            await("users", "failed");
            assertThat(resync("users").flatMap(ConnectorStatus.Resync::why).orElseThrow())
                    .contains(pid);
            awaitSame();
            open.execute("COMMIT");
        }
        awaitSame();
        assertThat(replica.status().lastFailure()).isEmpty();
        accepted("users");
        await("users", "done");
    }

    @Test
    void byPolicyDriftIsReadAgainWithoutAPerson() {
        replica.with(settings -> Settings.mendingDrift(Settings.keyless(settings, 20)));
        start();
        replica.sql(
                "INSERT INTO parts_2 VALUES (12, 'unseen')",
                "ALTER TABLE parts ATTACH PARTITION parts_2 FOR VALUES FROM (10) TO (20)");
        await("parts", "done");
        awaitSame();
        assertThat(replica.drifts()).isEmpty();
        assertThat(replica.status().sessions()).isEqualTo(2);
    }

    /** Its edition is then the one that was read. */
    @Test
    void driftIsOverOnceItWasReadAgain() {
        start();
        replica.sql(
                "INSERT INTO parts_2 VALUES (12, 'unseen')",
                "ALTER TABLE parts ATTACH PARTITION parts_2 FOR VALUES FROM (10) TO (20)");
        TestPostgres.await(
                "a drift", () -> replica.drifts().stream().anyMatch(drift -> drift.kind() == DriftKind.PARTITIONS));
        accepted("parts");
        await("parts", "done");
        awaitSame();
        assertThat(replica.drifts()).isEmpty();
    }

    @Test
    void whatCannotBeReadAgainIsRefusedBefore() {
        start();
        assertThat(replica.resync(named("nobody"))).isEqualTo(new ResyncReply.UnknownTable());
        replica.pipeline.holdCompletions();
        replica.sql("INSERT INTO users VALUES (500, 'held', NULL)");
        accepted("users");
        accepted("items");
        assertThat(replica.resync(named("users"))).isEqualTo(new ResyncReply.UnderWay());
        assertThat(replica.resync(named("items"))).isEqualTo(new ResyncReply.UnderWay());
        replica.pipeline.releaseCompletions();
        await("items", "done");
        replica.pipeline.pause();
        replica.pipeline.kill();
        TestPostgres.await("no stream", () -> !replica.status().phase().equals("streaming"));
        assertThat(replica.resync(named("users"))).isEqualTo(new ResyncReply.NotStreaming());
    }

    @Test
    void aTableThatBecameAnotherOneFailsByNameBeforeAnythingIsPending() {
        start();
        replica.sql("ALTER TABLE parts RENAME TO gone");
        accepted("parts");
        await("parts", "failed");
        assertThat(resync("parts").flatMap(ConnectorStatus.Resync::why).orElseThrow())
                .contains("public.parts");
        assertThat(replica.status().sessions()).isEqualTo(1);
        replica.sql("ALTER TABLE gone RENAME TO parts");
    }
}
