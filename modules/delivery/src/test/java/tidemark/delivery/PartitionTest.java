package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;

/**
 * A partitioned table is its root: whatever its partitions look like, and whatever happens to them unseen is reported.
 */
class PartitionTest {
    @TempDir
    Path directory;

    private final Listening log = new Listening();
    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(
                TestPostgres.shared(),
                directory,
                "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, v VARCHAR, w VARCHAR);",
                "t",
                "CREATE TABLE t (id int PRIMARY KEY, v text, w text) PARTITION BY RANGE (id)",
                "CREATE TABLE t_1 PARTITION OF t FOR VALUES FROM (0) TO (10)",
                "CREATE TABLE t_2 (w text, gone int, v text, id int PRIMARY KEY)",
                "ALTER TABLE t_2 DROP COLUMN gone",
                "ALTER TABLE t ATTACH PARTITION t_2 FOR VALUES FROM (10) TO (20)",
                "CREATE TABLE t_3 (v text, w text, id int PRIMARY KEY)",
                "INSERT INTO t VALUES (1, 'v1', 'w1'), (11, 'v11', 'w11')",
                "INSERT INTO t_3 VALUES ('v21', 'w21', 21)",
                "CREATE PUBLICATION pub FOR TABLE t WITH (publish_via_partition_root = true)");
    }

    @AfterEach
    void close() {
        log.close();
        replica.close();
    }

    private void start() {
        replica.start();
        replica.awaitStreaming();
    }

    private List<DriftKind> kinds() {
        return replica.drifts().stream().map(ConnectorStatus.Drift::kind).toList();
    }

    @Test
    void rowsComeInTheRootsOrderOfColumnsWhateverThePartitions() {
        start();
        replica.awaitRows("t", "1|v1|w1", "11|v11|w11");
        replica.sql(
                "INSERT INTO t_2 VALUES ('w12', 'v12', 12)",
                "INSERT INTO t VALUES (2, 'v2', 'w2'), (13, 'v13', 'w13')",
                "UPDATE t SET v = 'changed' WHERE id IN (1, 11)",
                "DELETE FROM t_2 WHERE id = 12");
        replica.awaitRows("t", "1|changed|w1", "2|v2|w2", "11|changed|w11", "13|v13|w13");
    }

    @Test
    void aRowThatMovesBetweenPartitionsIsOneRow() {
        start();
        replica.sql("UPDATE t SET id = 15 WHERE id = 1", "UPDATE t SET id = 3, w = 'moved' WHERE id = 11");
        replica.awaitRows("t", "15|v1|w1", "3|v11|moved");
    }

    @Test
    void leafNamesAreRefusedAtTheStartWithTheOptionThatMendsIt() {
        replica.sql("ALTER PUBLICATION pub SET (publish_via_partition_root = false)");
        replica.start();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(log.linesWith("SEVERE", "table public.t", "SET (publish_via_partition_root = true)"))
                .isNotEmpty();
    }

    /** Also where what is not listed is ignored: they are rows of the table. */
    @Test
    void leafNamesAreRefusedWhileStreamingWhateverIsIgnored() {
        replica.with(Settings::ignoringUnlisted);
        start();
        replica.sql(
                "ALTER PUBLICATION pub SET (publish_via_partition_root = false)",
                "INSERT INTO t VALUES (2, 'under the name of the leaf', NULL)");
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.DATA);
        assertThat(log.linesWith("SEVERE", "its partition public.t_1", "publish_via_partition_root = true"))
                .isNotEmpty();
    }

    @Test
    void partitionsThatComeGoOrAreTruncatedAreReportedOnceAndUntilTheTableIsReadAgain() {
        start();
        replica.sql(
                "ALTER TABLE t DETACH PARTITION t_2",
                "ALTER TABLE t ATTACH PARTITION t_3 FOR VALUES FROM (20) TO (30)",
                "TRUNCATE t_1",
                "INSERT INTO t VALUES (2, 'z', NULL), (22, 'y', NULL)");
        replica.awaitRows("t", "1|v1|w1", "11|v11|w11", "2|z|null", "22|y|null");
        TestPostgres.await("two drifts", () -> kinds().equals(List.of(DriftKind.PARTITIONS, DriftKind.REWRITE)));
        assertThat(log.linesWith("WARNING drift kind=partitions", "attached t_3", "detached or dropped t_2"))
                .hasSize(1);
        assertThat(log.linesWith("WARNING drift kind=rewrite", "partition t_1 was truncated or rewritten"))
                .hasSize(1);
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        start();
        assertThat(kinds()).as("after a restart").containsExactly(DriftKind.PARTITIONS, DriftKind.REWRITE);
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.pipeline.restartEmpty();
        start();
        replica.awaitRows("t", "2|z|null", "21|v21|w21", "22|y|null");
        assertThat(kinds()).as("read again").isEmpty();
    }

    /** The next month's: nothing of it is missing, until it goes the way of the others. */
    @Test
    void aPartitionThatIsMadeEmptyIsNoDriftBeforeItIsDropped() {
        start();
        replica.sql(
                "CREATE TABLE t_4 PARTITION OF t FOR VALUES FROM (30) TO (40)",
                "INSERT INTO t VALUES (31, 'v31', 'w31')");
        replica.awaitRows("t", "1|v1|w1", "11|v11|w11", "31|v31|w31");
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        start();
        assertThat(kinds()).isEmpty();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql("DROP TABLE t_4");
        start();
        assertThat(kinds()).containsExactly(DriftKind.PARTITIONS);
        assertThat(log.linesWith("WARNING drift kind=partitions", "detached or dropped t_4, whose rows Feldera keeps"))
                .hasSize(1);
    }

    /** The root's FULL is what the message claims, the partition's DEFAULT what was logged: its nulls are none. */
    @Test
    void aLargeValueThatAPartitionDoesNotLogIsNeverTakenForNull() {
        start();
        replica.sql(
                "ALTER TABLE t REPLICA IDENTITY FULL",
                "INSERT INTO t SELECT 4, 'v4', string_agg(md5(g::text), '') FROM generate_series(1, 400) g");
        TestPostgres.await("the large value", () -> replica.rows("t").size() == 3);
        replica.sql("UPDATE t SET id = 5 WHERE id = 4");
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.DATA);
        assertThat(log.linesWith("SEVERE", "column w", "left its large value alone"))
                .isNotEmpty();
        assertThat(replica.rows("t")).noneMatch(row -> row.startsWith("5|"));
    }

    /** The copy has its rows, so its coming is no drift. */
    @Test
    void aPartitionThatComesWhileTheSnapshotIsWaitedForIsReadWithTheOthers() throws SQLException {
        try (Connection other = replica.postgres.connect(replica.database);
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT pg_current_xact_id()"); // older than the slot, which waits for it
            replica.start();
            TestPostgres.await(
                    "the slot to wait", () -> replica.status().phase().equals("creating-slot"));
            replica.sql("ALTER TABLE t ATTACH PARTITION t_3 FOR VALUES FROM (20) TO (30)");
            other.commit();
        }
        replica.awaitStreaming();
        replica.awaitRows("t", "1|v1|w1", "11|v11|w11", "21|v21|w21");
        assertThat(kinds()).isEmpty();
    }

    /** Nobody was looking when it went, nor when it was back. */
    @Test
    void aPartitionThatWasAwayWhileStoppedIsReported() {
        start();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql(
                "ALTER TABLE t DETACH PARTITION t_2",
                "INSERT INTO t_2 VALUES ('w14', 'v14', 14)",
                "ALTER TABLE t ATTACH PARTITION t_2 FOR VALUES FROM (10) TO (20)");
        start();
        assertThat(kinds()).containsExactly(DriftKind.PARTITIONS);
        assertThat(replica.rows("t")).doesNotContain("14|v14|w14");
    }

    @Test
    void whatIsStreamedIsNoDrift() {
        start();
        replica.sql(
                "INSERT INTO t VALUES (2, 'a', 'b')",
                "ANALYZE t",
                "VACUUM t",
                "CREATE INDEX ON t (v)",
                "GRANT SELECT ON t TO PUBLIC");
        replica.awaitRows("t", "1|v1|w1", "2|a|b", "11|v11|w11");
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        start();
        assertThat(kinds()).isEmpty();
    }

    /** A publication takes no such table, but does not look at the partitions of a root. */
    @Test
    void aPartitionWhoseChangesAreNotInTheWalIsRefusedAtTheStart() {
        replica.sql("CREATE UNLOGGED TABLE t_5 PARTITION OF t FOR VALUES FROM (50) TO (60)");
        replica.start();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(log.linesWith("public.t -> t: its partition public.t_5", "not in the WAL", "SET LOGGED"))
                .isNotEmpty();
    }

    @Test
    void oneThatComesLaterIsReported() {
        start();
        replica.sql(
                "CREATE UNLOGGED TABLE t_5 PARTITION OF t FOR VALUES FROM (50) TO (60)",
                "INSERT INTO t VALUES (51, 'lost', NULL), (2, 'v2', NULL)");
        replica.awaitRows("t", "1|v1|w1", "11|v11|w11", "2|v2|null");
        TestPostgres.await("the drift", () -> kinds().equals(List.of(DriftKind.PARTITIONS)));
        assertThat(log.linesWith("WARNING drift kind=partitions", "t_5", "not in the WAL", "SET LOGGED"))
                .hasSize(1);
    }
}
