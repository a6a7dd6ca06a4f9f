package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;

/** TRUNCATE of a real PostgreSQL, in every place that it can have in a transaction and in a session. */
class TruncateTest {
    private static final String PROGRAM = """
            CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY, v VARCHAR) WITH ('materialized' = 'true');
            CREATE TABLE lines (id BIGINT NOT NULL PRIMARY KEY, "order" BIGINT) WITH ('materialized' = 'true');
            CREATE TABLE ranks (id INTEGER NOT NULL PRIMARY KEY, v VARCHAR);
            CREATE TABLE bare (n INTEGER, v VARCHAR) WITH ('materialized' = 'true');
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
                "orders,lines,ranks,bare",
                "CREATE TABLE orders (id bigint PRIMARY KEY, v text)",
                "CREATE TABLE lines (id bigint PRIMARY KEY, \"order\" bigint REFERENCES orders)",
                "CREATE TABLE ranks (id int PRIMARY KEY DEFERRABLE, v text)",
                "CREATE TABLE bare (n int, v text)",
                "ALTER TABLE ranks REPLICA IDENTITY FULL",
                "ALTER TABLE bare REPLICA IDENTITY FULL",
                "CREATE PUBLICATION pub FOR TABLE orders, lines, ranks, bare",
                "INSERT INTO orders SELECT g, 'v' || g FROM generate_series(1, 30) g",
                "INSERT INTO lines SELECT g, g FROM generate_series(1, 20) g",
                "INSERT INTO ranks SELECT g, 'v' || g FROM generate_series(1, 10) g",
                "INSERT INTO bare SELECT g % 3, 'v' FROM generate_series(1, 9) g");
        replica.with(settings -> Settings.keyless(settings, 1000));
    }

    @AfterEach
    void close() {
        replica.close();
    }

    private void start() {
        replica.start();
        replica.awaitStreaming();
    }

    private void awaitSame() {
        for (String table : new String[] {"orders", "lines", "ranks"}) {
            TestPostgres.await(table, () -> replica.target(table).equals(replica.source(table)));
        }
    }

    private ConnectorStatus.Table status(String table) {
        return replica.status().tables().stream()
                .filter(row -> row.postgres().equals("public." + table))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatIsWrittenAfterwardsIsAllThatIsThere() {
        start();
        replica.sql("TRUNCATE lines", "INSERT INTO lines VALUES (5, 5), (100, 1)");
        replica.awaitRows("lines", "5|5", "100|1");
        replica.awaitConfirmed();
        assertThat(status("lines").truncates()).isEqualTo(1);
        assertThat(status("lines").retractions()).isEqualTo(20);
        assertThat(status("lines").state()).isEqualTo("streaming");
        assertThat(replica.operations("lines"))
                .as("copied, retracted, inserted")
                .isEqualTo(20 + 20 + 2);
        assertThat(replica.rows("orders")).hasSize(30);
    }

    @Test
    void writesOnBothSidesOfItInOneTransactionEndRight() {
        start();
        replica.sql("BEGIN; INSERT INTO lines VALUES (50, 1), (51, 2); UPDATE lines SET \"order\" = 9 WHERE id < 10;"
                + " UPDATE lines SET id = id + 1000 WHERE id > 15; DELETE FROM lines WHERE id = 12;"
                + " INSERT INTO orders VALUES (99, 'beside'); TRUNCATE lines;"
                + " INSERT INTO lines VALUES (50, 3), (1, 99); UPDATE lines SET \"order\" = 4 WHERE id = 50; COMMIT");
        replica.awaitRows("lines", "1|99", "50|4");
        awaitSame();
        assertThat(status("lines").retractions())
                .as("nothing of the transaction was sent before")
                .isEqualTo(20);
    }

    @Test
    void twiceInOneTransactionAndOfAnEmptyTable() {
        start();
        replica.sql("BEGIN; TRUNCATE lines; INSERT INTO lines VALUES (50, 1); TRUNCATE lines;"
                + " INSERT INTO lines VALUES (51, 1); TRUNCATE lines; TRUNCATE lines; COMMIT");
        replica.awaitRows("lines");
        replica.awaitConfirmed();
        replica.sql("TRUNCATE lines");
        replica.awaitConfirmed();
        assertThat(status("lines").truncates()).isEqualTo(5);
        replica.sql("INSERT INTO lines VALUES (1, 1)");
        replica.awaitRows("lines", "1|1");
    }

    @Test
    void severalTablesAndCascadeInOneMessage() {
        start();
        replica.sql("BEGIN; INSERT INTO orders VALUES (40, 'gone'); INSERT INTO ranks VALUES (40, 'gone');"
                + " TRUNCATE orders, bare RESTART IDENTITY CASCADE; INSERT INTO orders VALUES (7, 'new');"
                + " INSERT INTO bare VALUES (7, 'new'); COMMIT");
        replica.awaitRows("orders", "7|new");
        replica.awaitRows("lines");
        replica.awaitRows("bare", "7|new");
        awaitSame();
    }

    @Test
    void oneThatIsRolledBackWasNeverThere() {
        start();
        replica.sql(
                "BEGIN; TRUNCATE lines; INSERT INTO lines VALUES (77, 1); ROLLBACK",
                "BEGIN; INSERT INTO lines VALUES (78, 1); SAVEPOINT s; TRUNCATE lines; ROLLBACK TO s;"
                        + " INSERT INTO lines VALUES (79, 1); COMMIT",
                "BEGIN; SAVEPOINT s; TRUNCATE ranks; RELEASE s; INSERT INTO ranks VALUES (1, 'again'); COMMIT");
        awaitSame();
        assertThat(replica.rows("lines")).hasSize(22);
        assertThat(status("lines").truncates()).isZero();
        assertThat(status("ranks").truncates()).isEqualTo(1);
    }

    /** Parts of it that were sent before the TRUNCATE are retracted with everything else. */
    @Test
    void inATransactionThatIsLargerThanABatch() {
        replica.with(settings -> Settings.keyless(settings, 7));
        start();
        replica.sql("BEGIN; INSERT INTO orders SELECT g, 'x' FROM generate_series(100, 200) g;"
                + " INSERT INTO bare SELECT g, 'x' FROM generate_series(1, 50) g;"
                + " TRUNCATE orders, bare CASCADE; INSERT INTO orders SELECT g, 'y' FROM generate_series(150, 250) g;"
                + " INSERT INTO bare SELECT g % 2, 'y' FROM generate_series(1, 10) g; COMMIT");
        replica.awaitRows(
                "bare", IntStream.rangeClosed(1, 10).mapToObj(g -> g % 2 + "|y").toArray(String[]::new));
        awaitSame();
        replica.awaitConfirmed();
        assertThat(replica.rows("orders")).hasSize(101);
    }

    /** The session that reads it has been told of no table. */
    @Test
    void whatWasTruncatedWhileStoppedArrivesAfterwards() {
        start();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql("TRUNCATE orders CASCADE", "TRUNCATE bare", "INSERT INTO bare VALUES (NULL, NULL)");
        start();
        replica.awaitRows("orders");
        replica.awaitRows("lines");
        replica.awaitRows("bare", "null|null");
    }

    @Test
    void rowsThatMetUnderAKeyBeforeItAreForgotten() {
        start();
        replica.sql("BEGIN; UPDATE ranks SET id = id + 1; INSERT INTO ranks VALUES (1, 'one'); TRUNCATE ranks;"
                + " INSERT INTO ranks VALUES (1, 'a'), (2, 'b'); UPDATE ranks SET id = 3 - id; COMMIT");
        replica.awaitRows("ranks", "1|b", "2|a");
    }

    /** Its rows are retracted as often as they are there, and none of them below zero. */
    @Test
    void aTableWithoutKeyIsEmptiedOnceAlsoWhenItIsStoppedInTheMiddle() {
        replica.sql("INSERT INTO bare SELECT g % 40, 'w' FROM generate_series(1, 400) g");
        replica.with(settings -> Settings.keyless(settings, 20));
        start();
        replica.pipeline.ingressDelay(Duration.ofMillis(150));
        long before = replica.operations("bare");
        replica.sql("BEGIN; INSERT INTO bare SELECT g, 'x' FROM generate_series(1, 30) g; TRUNCATE bare;"
                + " INSERT INTO bare VALUES (1, 'a'), (1, 'a'); COMMIT");
        TestPostgres.await("some retractions", () -> replica.operations("bare") > before + 100);
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        assertThat(replica.operations("bare")).as("it ended in the middle").isLessThan(before + 400);
        replica.start();
        replica.pipeline.ingressDelay(Duration.ZERO);
        replica.awaitRows("bare", "1|a", "1|a");
        replica.awaitConfirmed();
        assertThat(status("bare").truncates()).isEqualTo(1);
    }

    /** The rows before the error are retracted, and the slot stays before the TRUNCATE. */
    @Test
    void anAnswerThatEndsWithAnErrorIsNeverTakenForTheWholeTable() {
        replica.sql("INSERT INTO ranks SELECT g, 'w' FROM generate_series(100, 300) g");
        replica.with(settings -> Settings.keyless(settings, 20));
        start();
        replica.pipeline.breakQueries(50);
        replica.sql("TRUNCATE ranks", "INSERT INTO ranks VALUES (1, 'a')");
        TestPostgres.await("several sessions", () -> replica.status().sessions() > 2);
        String why = "public.ranks -> ranks was truncated, and Feldera did not answer with all of its rows";
        TestPostgres.await(
                "the reason",
                () -> replica.status()
                        .lastFailure()
                        .filter(told -> told.contains(why))
                        .isPresent());
        replica.pipeline.mendQueries();
        replica.awaitRows("ranks", "1|a");
        replica.awaitConfirmed();
    }

    /** What Feldera cannot read it cannot be told to forget. */
    @Test
    void aTableWithoutKeyThatCannotBeReadStopsByName() {
        start();
        replica.post("bare", "{\"delete\":{\"n\":77,\"v\":\"not there\"}}");
        replica.sql("TRUNCATE bare");
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.DATA);
    }

    @Test
    void nothingIsAskedBeforeWhatPrecedesItIsComplete() {
        for (DeliverySettings.AckMode mode : DeliverySettings.AckMode.values()) {
            replica.with(settings -> Settings.acknowledging(Settings.keyless(settings, 1000), mode));
            start();
            replica.pipeline.stepDelay(Duration.ofMillis(700));
            replica.sql("INSERT INTO bare VALUES (500, 'late')", "TRUNCATE bare", "INSERT INTO bare VALUES (6, 'six')");
            replica.awaitRows("bare", "6|six");
            replica.pipeline.stepDelay(Duration.ZERO);
            replica.awaitConfirmed();
            assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        }
    }

    /** PostgreSQL may forget the TRUNCATE only when the rows are gone. */
    @Test
    void theSlotStaysBeforeItUntilTheRetractionsAreComplete() {
        replica.postgres.expectStatusOften(replica.database);
        start();
        replica.sql("INSERT INTO lines VALUES (100, 1)");
        replica.awaitConfirmed();
        var before = replica.confirmedFlush();
        replica.pipeline.stepDelay(Duration.ofMinutes(10));
        replica.sql("TRUNCATE lines");
        var after = replica.walEnd();
        TestPostgres.await("the retractions", () -> status("lines").retractions() == 21);
        long replies = replica.status().statusReplies();
        TestPostgres.await("two status replies", () -> replica.status().statusReplies() >= replies + 2);
        assertThat(after.isAfter(replica.confirmedFlush())).isTrue();
        assertThat(before.isAfter(replica.confirmedFlush())).isFalse();
        replica.pipeline.stepDelay(Duration.ZERO);
        replica.awaitRows("lines");
        replica.awaitConfirmed();
    }

    @Test
    void anUnlistedTableFollowsItsPolicy() {
        replica.sql("CREATE TABLE extra (id int PRIMARY KEY)", "ALTER PUBLICATION pub ADD TABLE extra");
        replica.with(settings -> Settings.ignoringUnlisted(Settings.keyless(settings, 1000)));
        start();
        replica.sql("TRUNCATE extra, lines", "INSERT INTO lines VALUES (1, 1)");
        replica.awaitRows("lines", "1|1");
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.with(settings -> Settings.keyless(settings, 1000));
        start();
        replica.sql("TRUNCATE extra");
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
    }
}
