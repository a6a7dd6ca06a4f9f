package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;

/** The copy reads exactly what the stream publishes, whatever a publication leaves out. */
class PublicationTest {
    @TempDir
    Path directory;

    private final TestPostgres postgres = TestPostgres.shared();
    private final Listening log = new Listening();
    private Optional<Replica> open = Optional.empty();

    @AfterEach
    void close() {
        log.close();
        open.ifPresent(Replica::close);
    }

    private Replica started(String program, String routes, String... setup) {
        var replica = new Replica(postgres, directory, program, routes, setup);
        open = Optional.of(replica);
        replica.start();
        replica.awaitStreaming();
        return replica;
    }

    @Test
    void anUpdateAcrossTheRowFilterIsAnInsertOrADelete() {
        assumeTrue(postgres.serverMajor() >= 15, "row filters came with 15");
        Replica replica = started(
                "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, v INT);",
                "t",
                "CREATE TABLE t (id int PRIMARY KEY, v int)",
                "ALTER TABLE t REPLICA IDENTITY FULL",
                "CREATE PUBLICATION pub FOR TABLE t WHERE (v > 10)",
                "INSERT INTO t VALUES (1, 11), (2, 2), (3, 30)");
        replica.awaitRows("t", "1|11", "3|30");
        replica.sql(
                "UPDATE t SET v = 5 WHERE id = 1",
                "UPDATE t SET v = 20 WHERE id = 2",
                "UPDATE t SET v = 31 WHERE id = 3",
                "INSERT INTO t VALUES (4, 4), (5, 50)",
                "DELETE FROM t WHERE id = 4");
        replica.awaitRows("t", "2|20", "3|31", "5|50");
    }

    @Test
    void aColumnThatIsNotListedIsNull() {
        assumeTrue(postgres.serverMajor() >= 15, "column lists came with 15");
        Replica replica = started(
                "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, secret VARCHAR, \"Kept\" VARCHAR);",
                "t",
                "CREATE TABLE t (\"Kept\" text, secret text, id int PRIMARY KEY)",
                "CREATE PUBLICATION pub FOR TABLE t (id, \"Kept\")",
                "INSERT INTO t VALUES ('k1', 's', 1)");
        replica.sql("INSERT INTO t VALUES ('k2', 's', 2)", "UPDATE t SET secret = 'other' WHERE id = 1");
        replica.awaitRows("t", "1|null|k1", "2|null|k2");
    }

    @Test
    void aGeneratedColumnArrivesWhereItIsPublishedAndIsNullElsewhere() {
        boolean published = postgres.serverMajor() >= 18;
        Replica replica = started(
                "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, twice INT, v INT);",
                "t",
                "CREATE TABLE t (id int PRIMARY KEY, twice int GENERATED ALWAYS AS (id * 2) STORED, v int)",
                "CREATE PUBLICATION pub FOR TABLE t" + (published ? " WITH (publish_generated_columns = stored)" : ""),
                "INSERT INTO t VALUES (1, DEFAULT, 7)");
        replica.sql("INSERT INTO t VALUES (2, DEFAULT, 8)", "UPDATE t SET v = 9 WHERE id = 1");
        if (published) replica.awaitRows("t", "1|2|9", "2|4|8");
        else replica.awaitRows("t", "1|null|9", "2|null|8");
    }

    @Test
    void aTableThatIsPublishedTwiceArrivesOnce() {
        String schema = postgres.serverMajor() < 15 ? "" : ", TABLES IN SCHEMA public"; // they came with 15
        Replica replica = started(
                "CREATE TABLE t (id INT NOT NULL PRIMARY KEY); CREATE TABLE leaf (id INT NOT NULL PRIMARY KEY);",
                "t,leaf",
                "CREATE TABLE t (id int PRIMARY KEY)",
                "CREATE TABLE root (id int PRIMARY KEY) PARTITION BY RANGE (id)",
                "CREATE TABLE leaf PARTITION OF root FOR VALUES FROM (0) TO (10)",
                "CREATE PUBLICATION pub FOR TABLE t, root, leaf" + schema,
                "INSERT INTO t VALUES (1)",
                "INSERT INTO root VALUES (1)");
        replica.sql("INSERT INTO t VALUES (2)", "INSERT INTO root VALUES (2)");
        replica.awaitRows("t", "1", "2");
        replica.awaitRows("leaf", "1", "2");
        assertThat(replica.operations("t")).isEqualTo(2);
    }

    @Test
    void rowsOfAnInheritanceChildAreTheChilds() {
        Replica replica = started(
                "CREATE TABLE parent (id INT NOT NULL PRIMARY KEY); CREATE TABLE child (id INT NOT NULL PRIMARY KEY, more INT);",
                "parent,child",
                "CREATE TABLE parent (id int PRIMARY KEY)",
                "CREATE TABLE child (more int, PRIMARY KEY (id)) INHERITS (parent)",
                "CREATE PUBLICATION pub FOR TABLE parent",
                "INSERT INTO parent VALUES (1)",
                "INSERT INTO child VALUES (2, 3)");
        replica.sql(
                "INSERT INTO parent VALUES (11)",
                "INSERT INTO child VALUES (12, 13)",
                "DELETE FROM parent WHERE id IN (1, 2)");
        replica.awaitRows("parent", "11");
        replica.awaitRows("child", "12|13");
    }

    @Test
    void aTableThatLeavesThePublicationIsReportedAndItsGapIsKnownWhenItIsBack() {
        Replica replica = started(
                "CREATE TABLE a (id INT NOT NULL PRIMARY KEY); CREATE TABLE b (id INT NOT NULL PRIMARY KEY);",
                "a,b",
                "CREATE TABLE a (id int PRIMARY KEY)",
                "CREATE TABLE b (id int PRIMARY KEY)",
                "CREATE PUBLICATION pub FOR TABLE a, b");
        replica.sql("ALTER PUBLICATION pub DROP TABLE b", "INSERT INTO b VALUES (1)", "INSERT INTO a VALUES (1)");
        TestPostgres.await(
                "the table to be missed",
                () -> !log.linesWith("WARNING drift kind=publication", "public.b", "does not publish it any more")
                        .isEmpty());
        replica.sql("ALTER PUBLICATION pub ADD TABLE b", "INSERT INTO b VALUES (2)", "INSERT INTO a VALUES (2)");
        replica.awaitRows("a", "1", "2");
        replica.awaitRows("b", "2");
        TestPostgres.await(
                "the gap to be told",
                () -> !log.linesWith("WARNING drift kind=publication", "public.b", "left the publication and came back")
                        .isEmpty());
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.start();
        replica.awaitStreaming();
        assertThat(replica.drifts()).singleElement().satisfies(drift -> {
            assertThat(drift.kind()).isEqualTo(DriftKind.PUBLICATION);
            assertThat(drift.what()).startsWith("public.b -> b: it left the publication");
            assertThat(drift.remedy()).contains("tidemark resync");
        });
    }

    private boolean watchIsTerminated() {
        return !postgres.query(
                        open.orElseThrow().database,
                        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database()"
                                + " AND query LIKE 'WITH RECURSIVE wanted%'")
                .equals("0");
    }

    /** The watch is on a connection of its own: what happens to that is no business of the session's. */
    @Test
    void aWatchThatLosesItsConnectionEndsNoSession() {
        Replica replica = started(
                "CREATE TABLE a (id INT NOT NULL PRIMARY KEY);",
                "a",
                "CREATE TABLE a (id int PRIMARY KEY)",
                "CREATE PUBLICATION pub FOR TABLE a");
        for (int i = 0; i < 5; i++) {
            TestPostgres.await("the end of a watch", this::watchIsTerminated);
            replica.sql("INSERT INTO a VALUES (%d)".formatted(i));
        }
        replica.sql("ALTER PUBLICATION pub DROP TABLE a");
        TestPostgres.await("the drift", () -> replica.drifts().size() == 1);
        replica.awaitRows("a", "0", "1", "2", "3", "4");
        assertThat(replica.status().sessions()).isEqualTo(1);
    }
}
