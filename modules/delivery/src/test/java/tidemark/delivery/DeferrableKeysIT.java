package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;

/** Keys that a real PostgreSQL checks at the end of a statement or a transaction, and what may happen before. */
@Tag("slow")
class DeferrableKeysIT {
    private static final String PROGRAM = """
            CREATE TABLE ranks (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR, note VARCHAR) WITH ('materialized' = 'true');
            CREATE TABLE later (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR) WITH ('materialized' = 'true');
            CREATE TABLE bare (id INTEGER NOT NULL PRIMARY KEY) WITH ('materialized' = 'true');
            """;
    /** A hundred batches. */
    private static final int MANY = 100_000;

    @TempDir
    Path directory;

    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(TestPostgres.shared(), directory, PROGRAM, "ranks,bare");
        replica.sql(
                "CREATE TABLE ranks (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED, name text, note text)",
                "CREATE TABLE bare (id int PRIMARY KEY DEFERRABLE)",
                "ALTER TABLE ranks REPLICA IDENTITY FULL",
                "ALTER TABLE bare REPLICA IDENTITY FULL",
                "CREATE PUBLICATION pub FOR TABLE ranks, bare",
                "INSERT INTO ranks SELECT g, 'name ' || g, 'same' FROM generate_series(1, 20) g",
                "INSERT INTO bare SELECT g FROM generate_series(1, 20) g");
    }

    @AfterEach
    void close() {
        replica.close();
    }

    @Test
    void shiftsAndSwapsEndRight() {
        replica.start();
        replica.awaitStreaming();
        replica.sql(
                "UPDATE ranks SET id = id + 1",
                "UPDATE ranks SET id = id - 3",
                "BEGIN; UPDATE ranks SET id = 1000 WHERE id = 5; UPDATE ranks SET id = 5 WHERE id = 6;"
                        + " UPDATE ranks SET id = 6 WHERE id = 1000; COMMIT",
                "UPDATE ranks SET id = CASE id WHEN 7 THEN 8 ELSE 7 END WHERE id IN (7, 8)",
                "UPDATE ranks SET id = 20 - id",
                "UPDATE bare SET id = id + 1",
                "UPDATE bare SET id = 32 - id WHERE id > 10",
                "BEGIN; INSERT INTO ranks VALUES (500, 'a', NULL), (501, 'b', NULL); UPDATE ranks SET id = 501 WHERE name = 'a';"
                        + " UPDATE ranks SET id = 500 WHERE name = 'b'; COMMIT");
        replica.awaitEqual();
    }

    /** An insert over a row that goes only afterwards, and rows that come and go in between. */
    @Test
    void aDeleteAfterAnInsertOfTheSameKeyIsOfTheOlderRow() {
        replica.start();
        replica.awaitStreaming();
        replica.sql(
                "BEGIN; INSERT INTO ranks VALUES (5, 'new', NULL); DELETE FROM ranks WHERE name = 'name 5'; COMMIT",
                "BEGIN; INSERT INTO ranks VALUES (6, 'new', NULL); UPDATE ranks SET note = 'older' WHERE name = 'name 6';"
                        + " DELETE FROM ranks WHERE note = 'older'; COMMIT",
                "BEGIN; INSERT INTO ranks VALUES (7, 'short', NULL); DELETE FROM ranks WHERE name = 'short'; COMMIT",
                "BEGIN; INSERT INTO ranks VALUES (99, 'short', NULL); DELETE FROM ranks WHERE id = 99; COMMIT",
                "BEGIN; DELETE FROM ranks WHERE id = 8; INSERT INTO ranks VALUES (8, 'again', NULL); COMMIT",
                "BEGIN; UPDATE ranks SET id = 100 WHERE id = 9; UPDATE ranks SET id = 9 WHERE id = 100; COMMIT");
        replica.awaitEqual();
    }

    @Test
    void aShiftOfManyRowsInOneTransactionEndsRight() {
        replica.sql(
                "INSERT INTO ranks SELECT g, 'name ' || g, NULL FROM generate_series(21, %d) g".formatted(MANY),
                "INSERT INTO bare SELECT g FROM generate_series(21, %d) g".formatted(MANY));
        replica.postgres.expectStatusOften(replica.database);
        replica.start();
        replica.awaitStreaming();
        replica.sql(
                "UPDATE ranks SET id = id + 1",
                "UPDATE bare SET id = id + 1",
                "BEGIN; UPDATE ranks SET id = id - 7; DELETE FROM ranks WHERE id % 3 = 0;"
                        + " INSERT INTO ranks SELECT g, 'more ' || g, NULL FROM generate_series(3, 30000, 3) g; COMMIT",
                "UPDATE ranks SET id = %d - id".formatted(MANY + 1));
        replica.awaitConfirmed();
        replica.awaitEqual();
    }

    /**
     * The same messages come from one row that goes to another key and back, and those are too far apart to be held.
     */
    @Test
    void aSwapOfEqualRowsThatLieFarApartStopsByName() {
        replica.start();
        replica.awaitEqual();
        replica.sql("INSERT INTO bare SELECT g FROM generate_series(21, 200000) g", "UPDATE bare SET id = 200001 - id");
        assertRefused(
                "public.bare -> bare: two rows may have the same Feldera key.*too large to be held.*pipeline empty.*");
    }

    /** Under FULL no message shows it. */
    @Test
    void aKeyThatBecomesDeferrableWhileStreamingIsNettedFromThenOn() {
        replica.sql("CREATE TABLE later (id int PRIMARY KEY, name text)", "ALTER TABLE later REPLICA IDENTITY FULL");
        replica.sql("ALTER PUBLICATION pub ADD TABLE later", "INSERT INTO later VALUES (1, 'a'), (2, 'b'), (3, 'c')");
        replica.routes("ranks,bare,later");
        replica.start();
        replica.awaitStreaming();
        replica.sql("UPDATE later SET name = 'z' WHERE id = 3");
        replica.awaitRows("later", "1|a", "2|b", "3|z");
        replica.sql(
                "ALTER TABLE later DROP CONSTRAINT later_pkey, ADD PRIMARY KEY (id) DEFERRABLE",
                "UPDATE later SET id = id + 1");
        replica.awaitRows("later", "2|a", "3|b", "4|z");
        replica.sql(
                "ALTER TABLE later DROP CONSTRAINT later_pkey, ADD PRIMARY KEY (id)",
                "UPDATE later SET name = 'y' WHERE id = 4",
                "ALTER TABLE later DROP CONSTRAINT later_pkey",
                "UPDATE later SET id = id - 1");
        replica.awaitRows("later", "1|a", "2|b", "3|y");
    }

    /** The catalog says immediate, of WAL that is older. */
    @Test
    void rowsThatChangedPlacesBeforeTheirKeyWasMadeImmediateEndRight() {
        replica.start();
        replica.awaitEqual();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql("UPDATE ranks SET id = id + 1", "UPDATE ranks SET id = 41 - id");
        replica.sql(
                "ALTER TABLE ranks DROP CONSTRAINT ranks_pkey, ADD PRIMARY KEY (id)",
                "UPDATE ranks SET name = 'after' WHERE id = 30");
        replica.start();
        replica.awaitEqual();
    }

    /** Immediate when the table was read and when its WAL is, and not in between. */
    @Test
    void aKeyThatWasDeferrableForAWhileIsNettedForThatWhile() {
        replica.sql("ALTER TABLE ranks DROP CONSTRAINT ranks_pkey, ADD PRIMARY KEY (id)");
        replica.start();
        replica.awaitEqual();
        replica.sql(
                "BEGIN; ALTER TABLE ranks DROP CONSTRAINT ranks_pkey, ADD PRIMARY KEY (id) DEFERRABLE;"
                        + " UPDATE ranks SET id = id + 1; ALTER TABLE ranks DROP CONSTRAINT ranks_pkey, ADD PRIMARY KEY (id); COMMIT");
        replica.awaitEqual();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql(
                "ALTER TABLE ranks DROP CONSTRAINT ranks_pkey, ADD PRIMARY KEY (id) DEFERRABLE",
                "UPDATE ranks SET id = id + 1",
                "ALTER TABLE ranks DROP CONSTRAINT ranks_pkey, ADD PRIMARY KEY (id)");
        replica.start();
        replica.awaitEqual();
    }

    @Test
    void aPartitionWhoseOwnKeyIsDeferrableIsNetted() {
        aPartitionWithADeferrableKey();
        replica.sql("ALTER TABLE later REPLICA IDENTITY FULL");
        replica.start();
        replica.awaitStreaming();
        replica.sql("UPDATE later SET id = id + 1");
        replica.awaitRows("later", "2|a", "3|b", "4|c");
    }

    /** Its root's identity is the root's key, which is immediate. */
    @Test
    void aPartitionWhoseOwnKeyIsDeferrableStopsByNameWhereItsRootLogsTheKey() {
        aPartitionWithADeferrableKey();
        replica.start();
        replica.awaitStreaming();
        replica.sql("INSERT INTO later VALUES (4, 'd')");
        replica.awaitRows("later", "1|a", "2|b", "3|c", "4|d");
        replica.sql("UPDATE later SET id = id + 1");
        assertRefused("public.later -> later: two rows may have the same Feldera key.*REPLICA IDENTITY FULL.*");
    }

    /** The root's new key is immediate in all of them, but not when that was written. */
    @Test
    void aKeyOfTheRootThatIsMadeAnewDoesNotProveWhatWasRefused() {
        aPartitionWithADeferrableKey();
        replica.start();
        replica.awaitStreaming();
        replica.sql("UPDATE later SET id = id + 1");
        assertRefused("public.later -> later: two rows may have the same Feldera key.*REPLICA IDENTITY FULL.*");
        replica.sql("ALTER TABLE later DROP CONSTRAINT later_pkey, ADD PRIMARY KEY (id)");
        replica.start();
        assertRefused("public.later -> later: two rows may have the same Feldera key.*REPLICA IDENTITY FULL.*");
        assertThat(replica.rows("later")).containsExactlyInAnyOrder("1|a", "2|b", "3|c");
    }

    /** PostgreSQL attaches it although the root's key is immediate. */
    private void aPartitionWithADeferrableKey() {
        replica.sql(
                "CREATE TABLE later (id int PRIMARY KEY, name text) PARTITION BY RANGE (id)",
                "CREATE TABLE later_1 (id int PRIMARY KEY DEFERRABLE, name text)",
                "ALTER TABLE later ATTACH PARTITION later_1 FOR VALUES FROM (0) TO (100)",
                "ALTER TABLE later_1 REPLICA IDENTITY FULL",
                "ALTER PUBLICATION pub SET (publish_via_partition_root = true)",
                "ALTER PUBLICATION pub ADD TABLE later",
                "INSERT INTO later VALUES (1, 'a'), (2, 'b'), (3, 'c')");
        replica.routes("ranks,bare,later");
    }

    /** Until its synchronous standby has it, questions about the catalog are answered as if it were not. */
    @Test
    void aTransactionThatPostgresSendsAndDoesNotShowYetIsWaitedFor() {
        try (TestPostgres waiting = TestPostgres.start(Map.of());
                Replica other = new Replica(waiting, directory, PROGRAM, "later")) {
            other.sql(
                    "CREATE TABLE later (id int PRIMARY KEY, name text)",
                    "ALTER TABLE later REPLICA IDENTITY FULL",
                    "CREATE PUBLICATION pub FOR TABLE later",
                    "INSERT INTO later VALUES (1, 'a'), (2, 'b'), (3, 'c')");
            other.start();
            other.awaitEqual();
            other.sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'", "SELECT pg_reload_conf()");
            TestPostgres.await("no standby", () -> standbys(waiting, other).equals("nobody"));
            var commit = CompletableFuture.runAsync(() ->
                    other.sql("BEGIN; ALTER TABLE later DROP CONSTRAINT later_pkey, ADD PRIMARY KEY (id) DEFERRABLE;"
                            + " UPDATE later SET id = id + 1; COMMIT"));
            TestPostgres.await(
                    "somebody to wait for it",
                    () -> !waiting.query(
                                    other.database,
                                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
                            .equals("0"));
            waiting.execute(other.database, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
            commit.join();
            other.awaitRows("later", "2|a", "3|b", "4|c");
        }
    }

    private static String standbys(TestPostgres postgres, Replica of) {
        return postgres.query(of.database, "SHOW synchronous_standby_names");
    }

    /** Netted, a change would be refused, as the old images have no more than the index. */
    @Test
    void aKeyCountsFromWhereItWasFirstSeenAlsoAfterARestart() {
        replica.sql(
                "ALTER TABLE ranks ALTER COLUMN name SET NOT NULL",
                "CREATE UNIQUE INDEX ranks_id_name ON ranks (id, name)",
                "ALTER TABLE ranks REPLICA IDENTITY USING INDEX ranks_id_name");
        replica.start();
        replica.awaitEqual();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql("ALTER TABLE ranks DROP CONSTRAINT ranks_pkey, ADD PRIMARY KEY (id)");
        replica.start();
        replica.awaitStreaming();
        replica.sql("UPDATE ranks SET id = id + 100, note = 'seen'");
        replica.awaitEqual();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql("UPDATE ranks SET id = id + 100, note = 'still known'");
        replica.start();
        replica.awaitEqual();
    }

    /** Why there is FULL wherever keys may meet. */
    @Test
    void aDeferrableKeyIsNoReplicaIdentity() {
        replica.sql("ALTER TABLE ranks REPLICA IDENTITY DEFAULT");
        assertThatThrownBy(() -> replica.sql("UPDATE ranks SET note = 'x'"))
                .rootCause()
                .hasMessageContaining("replica identity");
        assertThatThrownBy(() -> replica.sql("ALTER TABLE ranks REPLICA IDENTITY USING INDEX ranks_pkey"))
                .rootCause()
                .hasMessageContaining("non-immediate");
    }

    /** The one way to change rows under a deferrable key without FULL: an index that has more than the key. */
    @Test
    void aDeferrableKeyUnderAnotherIdentityStopsByNameAtTheFirstChange() {
        replica.sql(
                "ALTER TABLE ranks ALTER COLUMN name SET NOT NULL",
                "CREATE UNIQUE INDEX ranks_id_name ON ranks (id, name)",
                "ALTER TABLE ranks REPLICA IDENTITY USING INDEX ranks_id_name");
        replica.start();
        replica.awaitStreaming();
        replica.sql("INSERT INTO ranks VALUES (21, 'new', NULL)");
        replica.awaitEqual();
        replica.sql("UPDATE ranks SET id = id + 1");
        assertRefused("public.ranks -> ranks: two rows may have the same Feldera key.*REPLICA IDENTITY FULL.*");
    }

    private void assertRefused(String why) {
        TestPostgres.await("a refusal", () -> replica.status().lastFailure().isPresent());
        assertThat(replica.status().lastFailure().orElseThrow()).matches(why);
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.DATA);
    }
}
