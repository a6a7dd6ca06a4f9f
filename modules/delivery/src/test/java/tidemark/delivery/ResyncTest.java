package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.decode.RelationName;
import tidemark.replication.TestPostgres;

/** One table is read again beside the stream, between a real PostgreSQL and the stand-in. */
class ResyncTest {
    private static final String PROGRAM = Replica.PROGRAM + """
            CREATE TABLE bare (n INTEGER, v VARCHAR) WITH ('materialized' = 'true');
            CREATE TABLE parts (id INTEGER NOT NULL PRIMARY KEY, v VARCHAR) WITH ('materialized' = 'true');
            """;

    @TempDir
    Path directory;

    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(
                TestPostgres.shared(),
                directory,
                PROGRAM,
                "users,items,bare,parts",
                "CREATE TABLE users (id bigint PRIMARY KEY, name text, at timestamp)",
                "CREATE TABLE items (id int PRIMARY KEY, owner bigint, label text)",
                "CREATE TABLE bare (n int, v text)",
                "ALTER TABLE bare REPLICA IDENTITY FULL",
                "CREATE TABLE parts (id int PRIMARY KEY, v text) PARTITION BY RANGE (id)",
                "CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10)",
                "CREATE TABLE parts_2 (id int PRIMARY KEY, v text)",
                "CREATE PUBLICATION pub FOR TABLE users, items, bare, parts WITH (publish_via_partition_root = true)",
                "INSERT INTO users SELECT g, 'u' || g, NULL FROM generate_series(1, 100) g",
                "INSERT INTO items SELECT g, g, 'i' FROM generate_series(1, 20) g",
                "INSERT INTO bare SELECT g % 3, 'v' FROM generate_series(1, 9) g",
                "INSERT INTO parts VALUES (1, 'one')");
        replica.with(settings -> Settings.keyless(settings, 20));
    }

    @AfterEach
    void close() {
        replica.close();
    }

    private void start() {
        replica.start();
        replica.awaitStreaming();
    }

    private static RelationName named(String table) {
        return new RelationName("public", table);
    }

    private void accepted(String table) {
        assertThat(replica.resync(named(table))).isEqualTo(new ResyncReply.Accepted());
    }

    private Optional<ConnectorStatus.Resync> resync(String table) {
        return replica.status().tables().stream()
                .filter(row -> row.postgres().equals("public." + table))
                .findFirst()
                .orElseThrow()
                .resync();
    }

    private void await(String table, String state) {
        TestPostgres.await(
                table + " to be " + state,
                () -> resync(table).filter(now -> now.state().equals(state)).isPresent());
    }

    private void awaitSame() {
        for (String table : new String[] {"users", "items", "parts"}) {
            try {
                TestPostgres.await(table, () -> replica.target(table).equals(replica.source(table)));
            } catch (AssertionError different) {
                assertThat(replica.target(table)).isEqualTo(replica.source(table));
                throw different;
            }
        }
        String bare = "SELECT string_agg(n || '|' || v, ',' ORDER BY n || '|' || v COLLATE \"C\") FROM bare";
        replica.awaitRows("bare", replica.postgres.query(replica.database, bare).split(","));
    }

    /** Users lacks one, has another one that PostgreSQL lacks, and one that is not the same. */
    private void spoil() {
        replica.post("users", "{\"delete\":{\"id\":7}}");
        replica.post("users", "{\"insert\":{\"id\":8,\"name\":\"another\",\"at\":null}}");
        replica.post("users", "{\"insert\":{\"id\":1000,\"name\":\"stranger\",\"at\":null}}");
    }

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
        for (int id = 1001; id <= 1200; id++) replica.post("users", "{\"delete\":{\"id\":%d}}".formatted(id));
        replica.pipeline.ingressDelay(Duration.ofMillis(50));
        try (var writers = writers()) {
            accepted("users");
            TestPostgres.await(
                    "differences", () -> resync("users").orElseThrow().missing() > 60);
            replica.sql(
                    "TRUNCATE users", "ALTER TABLE users ADD COLUMN more text", "INSERT INTO users VALUES (1, 'x')");
            replica.pipeline.ingressDelay(Duration.ZERO);
            await("users", "done");
            assertThat(writers.failure()).isEmpty();
        }
        replica.sql("ALTER TABLE users DROP COLUMN more");
        awaitSame();
    }

    /** Killed, or stopped: it is merged before the next session streams. */
    @Test
    void leftInTheMiddleItIsMergedByTheNextSession() {
        start();
        for (boolean killed : new boolean[] {false, true}) {
            for (int id = 1; id <= 100; id++) replica.post("users", "{\"delete\":{\"id\":%d}}".formatted(id));
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

    /** The others do not notice. */
    @Test
    void withoutASnapshotItFailsByNameAndGoesOnWhereItWas() throws SQLException {
        replica.with(settings -> Settings.soonTired(Settings.keyless(settings, 20)));
        start();
        try (Connection other = replica.postgres.connect(replica.database);
                Statement open = other.createStatement()) {
            open.execute("BEGIN; INSERT INTO items VALUES (900, 1, 'long')");
            String pid = replica.postgres.query(
                    replica.database,
                    "SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = '"
                            + replica.database + "'");
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
    void aPipelineThatComesBackEmptyMeanwhileIsFilled() {
        start();
        replica.pipeline.ingressDelay(Duration.ofMillis(50));
        for (int id = 1; id <= 100; id++) replica.post("users", "{\"delete\":{\"id\":%d}}".formatted(id));
        accepted("users");
        TestPostgres.await("differences", () -> resync("users").orElseThrow().missing() > 20);
        replica.pipeline.restartEmpty();
        replica.pipeline.ingressDelay(Duration.ZERO);
        awaitSame();
        await("users", "interrupted");
        replica.awaitConfirmed();
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

    private Busy writers() {
        return new Busy();
    }

    /** Writes to all tables until it is closed. */
    private final class Busy implements AutoCloseable {
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile Optional<SQLException> failure = Optional.empty();
        private final Thread thread = Thread.ofVirtual().start(this::write);

        private void write() {
            try (Connection connection = replica.postgres.connect(replica.database);
                    Statement statement = connection.createStatement()) {
                for (int i = 0; !over.get(); i++) {
                    statement.execute(
                            "BEGIN; INSERT INTO users VALUES (%d, 'w', NULL) ON CONFLICT (id) DO UPDATE SET name = users.name || '.';"
                                            .formatted(i % 150)
                                    + "DELETE FROM users WHERE id = %d;".formatted((i * 7) % 150)
                                    + "UPDATE items SET label = 'l%d' WHERE id = %d;".formatted(i, i % 20)
                                    + "INSERT INTO bare VALUES (%d, 'w'); DELETE FROM bare WHERE n = %d;"
                                            .formatted(i, i - 30)
                                    + "INSERT INTO parts VALUES (%d, 'p') ON CONFLICT (id) DO UPDATE SET v = 'p%d'; COMMIT"
                                            .formatted(i % 10, i));
                }
            } catch (SQLException e) {
                failure = Optional.of(e);
            }
        }

        Optional<SQLException> failure() {
            return failure;
        }

        @Override
        public void close() {
            over.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
