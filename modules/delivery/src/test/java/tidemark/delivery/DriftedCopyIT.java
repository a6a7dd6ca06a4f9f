package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidemark.replication.TestPostgres;

/** A copy that broke, and rows that went before the next one without a word in the WAL since the slot. */
@Tag("slow")
class DriftedCopyIT {
    private static final int ROWS = 3000;

    @TempDir
    Path directory;

    private final Listening log = new Listening();
    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(
                        TestPostgres.shared(),
                        directory,
                        "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, v VARCHAR);",
                        "t",
                        "CREATE TABLE t (id int PRIMARY KEY, v text) PARTITION BY RANGE (id)",
                        "CREATE TABLE t_1 PARTITION OF t FOR VALUES FROM (0) TO (1000)",
                        "CREATE TABLE t_2 PARTITION OF t FOR VALUES FROM (1000) TO (10000)",
                        "CREATE PUBLICATION pub FOR TABLE t WITH (publish_via_partition_root = true)",
                        "INSERT INTO t SELECT g, 'row ' || g FROM generate_series(1, %d) g".formatted(ROWS))
                .with(settings -> Settings.inBatchesOf(200, Settings.stopping(settings)));
        replica.pipeline.holdCompletions();
        replica.start();
        TestPostgres.await("a full window", () -> replica.pipeline.ingressRequests("t") >= 5);
        replica.sever();
        replica.pipeline.releaseCompletions();
        replica.awaitSevered();
    }

    @AfterEach
    void close() {
        replica.pipeline.releaseCompletions();
        replica.close();
        log.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DROP TABLE t_1",
                "ALTER PUBLICATION pub DROP TABLE t; DELETE FROM t WHERE id < 1000; ALTER PUBLICATION pub ADD TABLE t"
            })
    void whatItLeftIsTakenOutByAMerge(String gone) {
        assertThat(replica.rows("t")).contains("1|row 1");
        replica.sql(gone.split("; "));
        replica.start();
        TestPostgres.await("as many rows", () -> replica.rows("t").size() == ROWS - 999);
        assertThat(log.linesWith("WARNING merging table=public.t", "not as it was when it was last read"))
                .isNotEmpty();
        replica.sql("DELETE FROM t WHERE id < 2999", "UPDATE t SET v = 'streamed' WHERE id = 3000");
        replica.awaitRows("t", "2999|row 2999", "3000|streamed");
    }

    /** What can be known of the rows since the slot is in the WAL. */
    @Test
    void aPartitionThatIsMadeInBetweenIsNoReasonToCompare() {
        replica.sql(
                "CREATE TABLE t_3 PARTITION OF t FOR VALUES FROM (10000) TO (20000)",
                "INSERT INTO t VALUES (10000, 'new')",
                "DELETE FROM t WHERE id < 3000");
        replica.start();
        replica.awaitRows("t", "3000|row 3000", "10000|new");
        assertThat(log.linesWith("WARNING merging table=public.t")).isEmpty();
    }
}
