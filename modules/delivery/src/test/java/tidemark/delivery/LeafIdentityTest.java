package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;

/**
 * The kind of an old image is the root's replica identity, its content the partition's: what the first promises and the
 * second lacks must never be taken for null.
 */
class LeafIdentityTest {
    private static final String KEYED =
            "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, v VARCHAR, w VARCHAR) WITH ('materialized' = 'true');";
    private static final String KEYLESS =
            "CREATE TABLE t (id INT, v VARCHAR, w VARCHAR) WITH ('materialized' = 'true');";

    @TempDir
    Path directory;

    private final Listening log = new Listening();
    private final List<Replica> made = new ArrayList<>();

    @AfterEach
    void close() {
        log.close();
        made.forEach(Replica::close);
    }

    /** @param key of the root, in SQL, with the comma before it */
    private Replica replica(String program, String key) {
        var replica = new Replica(
                TestPostgres.shared(),
                directory,
                program,
                "t",
                "CREATE TABLE t (id int NOT NULL, v text NOT NULL, w text%s) PARTITION BY RANGE (id)".formatted(key),
                "CREATE TABLE t_1 PARTITION OF t FOR VALUES FROM (0) TO (10)",
                "CREATE TABLE t_2 PARTITION OF t FOR VALUES FROM (10) TO (20)",
                "ALTER TABLE t REPLICA IDENTITY FULL",
                "ALTER TABLE t_1 REPLICA IDENTITY FULL",
                "CREATE PUBLICATION pub FOR TABLE t WITH (publish_via_partition_root = true)");
        made.add(replica);
        return replica;
    }

    private static void start(Replica replica) {
        replica.start();
        replica.awaitStreaming();
    }

    /** A TRUNCATE announces its tables one after the other, as a row announces a root and then its partition. */
    @Test
    void whatIsAnnouncedAfterTheRootOfATruncateIsNoPartition() {
        var replica = replica(KEYED, "").with(Settings::ignoringUnlisted);
        replica.sql(
                "CREATE TABLE unlisted (w text NOT NULL UNIQUE)",
                "ALTER TABLE unlisted REPLICA IDENTITY USING INDEX unlisted_w_key",
                "ALTER PUBLICATION pub ADD TABLE unlisted",
                "ALTER TABLE t_2 REPLICA IDENTITY FULL");
        start(replica);
        replica.sql(
                "TRUNCATE t, unlisted",
                "INSERT INTO t VALUES (1, 'a', NULL)",
                "TRUNCATE t",
                "INSERT INTO unlisted VALUES ('w')",
                "INSERT INTO t VALUES (1, 'a', NULL), (2, 'b', NULL)",
                "UPDATE t SET v = 'c' WHERE id = 1");
        replica.awaitRows("t", "1|c|null", "2|b|null");
    }

    /** The key that the root logs is checked row by row in each of them, however new it is. */
    @Test
    void aKeyThatIsNewerThanTheWalNeedsNoWholeRowsWhereTheRootLogsIt() {
        var replica = replica(KEYED, ", PRIMARY KEY (id)");
        replica.sql(
                "ALTER TABLE t REPLICA IDENTITY DEFAULT",
                "ALTER TABLE t_1 REPLICA IDENTITY DEFAULT",
                "INSERT INTO t VALUES (1, 'v', 'w'), (11, 'v', 'w')");
        start(replica);
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql(
                "ALTER TABLE t DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (id)",
                "UPDATE t SET v = 'x' WHERE id = 1",
                "DELETE FROM t WHERE id = 11");
        start(replica);
        replica.awaitRows("t", "1|x|w");
    }

    /** The key of the partition is checked row by row, so it has an identity; the root's is not. */
    private Replica keysThatMayMeet() {
        var replica = replica(KEYED, "");
        replica.sql("ALTER TABLE t_2 ADD PRIMARY KEY (id)");
        return replica;
    }

    @Test
    void whereKeysMayMeetAPartitionWithoutFullTakesInsertsAndStopsTheFirstChange() {
        warnedOfAndStopped(keysThatMayMeet());
    }

    @Test
    void aKeylessTableTakesInsertsIntoAPartitionWithoutFullAndStopsTheFirstChange() {
        var replica = replica(KEYLESS, ", PRIMARY KEY (id)");
        replica.with(Settings::keyless);
        warnedOfAndStopped(replica);
    }

    /** Changes of the other partition go on until this one is written to: then no message says which it is of. */
    private void warnedOfAndStopped(Replica replica) {
        replica.sql("INSERT INTO t VALUES (1, 'v', 'w'), (11, 'v', 'w')");
        start(replica);
        assertThat(log.linesWith(
                        "WARNING", "public.t -> t", "public.t_2", "ALTER TABLE public.t_2 REPLICA IDENTITY FULL"))
                .hasSize(1);
        replica.sql("UPDATE t SET v = 'x' WHERE id = 1", "INSERT INTO t VALUES (12, 'v', 'w')");
        replica.awaitRows("t", "1|x|w", "11|v|w", "12|v|w");
        replica.sql("DELETE FROM t WHERE id = 11");
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.DATA);
        assertThat(log.linesWith("SEVERE", "public.t -> t", "partition public.t_2", "REPLICA IDENTITY FULL"))
                .isNotEmpty();
        assertThat(replica.rows("t")).containsExactlyInAnyOrder("1|x|w", "11|v|w", "12|v|w");
    }

    /** PostgreSQL itself refuses to change its rows. */
    @Test
    void aPartitionWithNothingTakesInserts() {
        var replica = replica(KEYED, ", PRIMARY KEY (id)");
        replica.sql("ALTER TABLE t_2 REPLICA IDENTITY NOTHING");
        start(replica);
        replica.sql("INSERT INTO t VALUES (11, 'v', 'w'), (1, 'v', 'w')", "UPDATE t SET v = 'x' WHERE id = 1");
        replica.awaitRows("t", "11|v|w", "1|x|w");
        assertThatThrownBy(() -> replica.sql("DELETE FROM t WHERE id = 11"))
                .rootCause()
                .hasMessageContaining("replica identity");
    }

    /** A row that came and went: its delete lacks what tells that it is that row. */
    @Test
    void whereKeysMayMeetAPartitionThatComesWithoutFullStopsTheFirstChange() {
        var replica = keysThatMayMeet();
        replica.sql("ALTER TABLE t_2 REPLICA IDENTITY FULL");
        start(replica);
        replica.sql("ALTER TABLE t_2 REPLICA IDENTITY DEFAULT", "INSERT INTO t VALUES (12, 'stays', NULL)");
        replica.awaitRows("t", "12|stays|null");
        replica.sql("BEGIN; INSERT INTO t VALUES (11, 'goes', 'w'); DELETE FROM t WHERE id = 11; COMMIT");
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.DATA);
        assertThat(log.linesWith("SEVERE", "public.t -> t", "partition public.t_2", "REPLICA IDENTITY FULL"))
                .isNotEmpty();
        assertThat(replica.rows("t")).containsExactly("12|stays|null");
    }

    @Test
    void aKeylessTableStopsAtTheFirstChangeAfterAPartitionCameWithoutFull() {
        var replica = replica(KEYLESS, ", PRIMARY KEY (id)");
        replica.with(Settings::keyless);
        replica.sql("ALTER TABLE t_2 REPLICA IDENTITY FULL");
        start(replica);
        replica.sql(
                "CREATE TABLE t_3 PARTITION OF t FOR VALUES FROM (20) TO (30)",
                "INSERT INTO t VALUES (21, 'v', 'w')",
                "UPDATE t SET v = 'x' WHERE id = 21");
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.DATA);
        assertThat(log.linesWith("SEVERE", "public.t -> t", "partition public.t_3"))
                .isNotEmpty();
        assertThat(replica.rows("t")).isSubsetOf("21|v|w");
    }

    @Test
    void anotherIndexOfAPartitionStopsByNameAsItDoesNotSayWhichRowChanged() {
        var replica = replica(KEYED, ", PRIMARY KEY (id)");
        replica.sql("CREATE UNIQUE INDEX t_2_v ON t_2 (v)");
        start(replica);
        replica.sql("INSERT INTO t VALUES (11, 'v', 'w')");
        replica.awaitRows("t", "11|v|w");
        replica.sql("ALTER TABLE t_2 REPLICA IDENTITY USING INDEX t_2_v", "UPDATE t SET id = 12 WHERE id = 11");
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.DATA);
        assertThat(log.linesWith("SEVERE", "public.t -> t", "partition public.t_2"))
                .isNotEmpty();
        replica.start();
        assertThat(replica.awaitExit()).as("it is the first change again").isEqualTo(ExitCode.DATA);
        assertThat(log.linesWith("WARNING", "public.t_2", "only v")).isNotEmpty();
        assertThat(replica.rows("t")).containsExactly("11|v|w");
    }

    /** The key is all that is needed, and a partition's primary key has it. */
    @Test
    void aKeyedTableGoesOnWithPartitionsThatLogTheKey() {
        var replica = replica(KEYED, ", PRIMARY KEY (id)");
        String large = "(SELECT string_agg(md5(g::text), '') FROM generate_series(1, 400) g)";
        replica.sql("INSERT INTO t VALUES (11, 'v', " + large + ")");
        start(replica);
        replica.sql(
                "UPDATE t SET v = 'x' WHERE id = 11",
                "INSERT INTO t VALUES (12, 'v', 'w'), (2, 'v', 'w'), (13, 'v', 'w')",
                "UPDATE t SET id = 14 WHERE id = 12",
                "DELETE FROM t WHERE id = 13",
                "CREATE TABLE t_3 PARTITION OF t FOR VALUES FROM (20) TO (30)",
                "UPDATE t SET id = 22 WHERE id = 2");
        replica.awaitEqual();
    }
}
