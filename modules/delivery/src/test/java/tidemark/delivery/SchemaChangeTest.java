package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.decode.Lsn;
import tidemark.replication.TestPostgres;

/**
 * Tables that are altered while they stream, and while nobody is looking: each row goes by the shape it was written in.
 */
class SchemaChangeTest {
    @TempDir
    Path directory;

    private final Listening log = new Listening();
    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(
                TestPostgres.shared(),
                directory,
                "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, a VARCHAR, b INT, need INT NOT NULL);"
                        + " CREATE TABLE other (id INT NOT NULL PRIMARY KEY);",
                "t,other",
                "CREATE TABLE t (id int PRIMARY KEY, a text, need int NOT NULL DEFAULT 0)",
                "CREATE TABLE other (id int PRIMARY KEY)",
                "CREATE PUBLICATION pub FOR ALL TABLES",
                "INSERT INTO t VALUES (1, 'one', 1)");
        replica.start();
        replica.awaitStreaming();
    }

    @AfterEach
    void close() {
        log.close();
        replica.close();
    }

    /** @return the WAL position before them */
    private Lsn after(String... statements) {
        Lsn before = replica.walEnd();
        replica.sql(statements);
        return before;
    }

    private void stopsAt(ExitCode code, Lsn before, String... words) {
        assertThat(replica.awaitExit()).isEqualTo(code);
        assertThat(log.linesWith("SEVERE")).hasSize(1);
        assertThat(log.linesWith(words)).isNotEmpty();
        assertThat(replica.confirmedFlush().isAfter(before))
                .as("the slot passed it")
                .isFalse();
    }

    @Test
    void valuesLandByNameWhereverColumnsAreAddedAndDropped() {
        replica.sql(
                "BEGIN; INSERT INTO t VALUES (2, 'two', 2); ALTER TABLE t ADD COLUMN b int; INSERT INTO t VALUES (3, 'x', 3, 30);"
                        + " ALTER TABLE t DROP COLUMN a; INSERT INTO t VALUES (4, 4, 40); ALTER TABLE t ADD COLUMN a text;"
                        + " INSERT INTO t VALUES (5, 5, 50, 'five'); COMMIT");
        replica.awaitRows("t", "1|one|null|1", "2|two|null|2", "3|x|30|3", "4|null|40|4", "5|five|50|5");
    }

    @Test
    void whatWasAlteredWhileStoppedIsReadInTheShapeItWasWrittenIn() {
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql(
                "INSERT INTO t VALUES (2, 'two', 2)",
                "ALTER TABLE t ADD COLUMN b int",
                "INSERT INTO t VALUES (3, 'x', 3, 30)",
                "ALTER TABLE t DROP COLUMN a",
                "INSERT INTO t VALUES (4, 4, 40)");
        replica.start();
        replica.awaitRows("t", "1|one|null|1", "2|two|null|2", "3|x|30|3", "4|null|40|4");
    }

    @Test
    void aColumnThatFelderaLacksIsNamedOnceAndLeftOut() {
        replica.sql("ALTER TABLE t ADD COLUMN extra int", "INSERT INTO t VALUES (2, 'two', 2, 22)", "VACUUM FULL t");
        replica.sql("ALTER TABLE t ADD COLUMN more int", "INSERT INTO t VALUES (3, 'x', 3, 33, 34)");
        replica.awaitRows("t", "1|one|null|1", "2|two|null|2", "3|x|null|3");
        assertThat(log.linesWith("lacks the columns extra, which")).hasSize(1);
        assertThat(log.linesWith("lacks the columns more, which")).hasSize(1);
        replica.sql("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = '"
                + replica.slot + "'");
        TestPostgres.await("another session", () -> replica.status().sessions() > 1);
        replica.awaitStreaming();
        replica.sql("INSERT INTO t VALUES (4, 'y', 4, 44)");
        replica.awaitRows("t", "1|one|null|1", "2|two|null|2", "3|x|null|3", "4|y|null|4");
        assertThat(log.linesWith("lacks the columns")).hasSize(2);
    }

    @Test
    void aColumnThatWasDroppedIsNamedOnceAndSentAsNull() {
        replica.sql(
                "ALTER TABLE t DROP COLUMN a",
                "INSERT INTO t VALUES (2, 2), (3, 3)",
                "UPDATE t SET need = 4 WHERE id = 1");
        replica.awaitRows("t", "1|null|null|4", "2|null|null|2", "3|null|null|3");
        assertThat(log.linesWith("publishes no columns a, which are sent as null"))
                .hasSize(1);
        assertThat(log.linesWith("publishes no columns b, which are sent as null"))
                .as("from the start")
                .hasSize(1);
        TestPostgres.await("the drift", () -> !replica.drifts().isEmpty());
        assertThat(replica.drifts()).singleElement().satisfies(drift -> {
            assertThat(drift.kind()).isEqualTo(DriftKind.COLUMNS);
            assertThat(drift.what()).contains("column a: it was dropped");
        });
    }

    @Test
    void aRequiredColumnThatWasDroppedStopsTheFirstRowThatNeedsItAndNoDelete() {
        replica.sql("INSERT INTO t VALUES (2, 'two', 2)");
        replica.sql("ALTER TABLE t DROP COLUMN need", "DELETE FROM t WHERE id = 1", "INSERT INTO other VALUES (1)");
        replica.awaitRows("t", "2|two|null|2");
        replica.awaitRows("other", "1");
        stopsAt(
                ExitCode.DATA,
                after("INSERT INTO t VALUES (3, 'x')"),
                "column need",
                "in the transaction that commits at");
        assertThat(replica.rows("t")).containsExactly("2|two|null|2");
    }

    @Test
    void aKeyThatWasRenamedStopsTheFirstChangeByName() {
        replica.sql("ALTER TABLE t RENAME id TO ident", "INSERT INTO other VALUES (1)");
        replica.awaitRows("other", "1");
        stopsAt(ExitCode.DATA, after("DELETE FROM t"), "column id", "PRIMARY KEY");
    }

    @Test
    void anotherTypeIsEncodedAnewAndRefusedOnlyWhereItCannotBe() {
        replica.sql(
                "ALTER TABLE t ADD COLUMN b int",
                "ALTER TABLE t ALTER COLUMN b TYPE bigint",
                "INSERT INTO t VALUES (2, 'two', 2, 22)");
        replica.awaitRows("t", "1|one|null|1", "2|two|22|2");
        assertThat(log.linesWith("WARNING", "column b", "bigint into INTEGER")).hasSize(1);
        replica.sql("ALTER TABLE t ALTER COLUMN b TYPE point USING NULL", "INSERT INTO other VALUES (1)");
        replica.awaitRows("other", "1");
        stopsAt(ExitCode.DATA, after("INSERT INTO t VALUES (3, 'x', 3, NULL)"), "column b");
    }

    /** The copy has them in today's shape, so yesterday's does not matter. */
    @Test
    void rowsOlderThanTheCopyNeedNotFit() {
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql(
                "ALTER TABLE t DROP COLUMN need",
                "INSERT INTO t VALUES (2, 'two')",
                "ALTER TABLE t ADD COLUMN need int NOT NULL DEFAULT 9");
        replica.pipeline.restartEmpty();
        replica.start();
        replica.awaitRows("t", "1|one|null|9", "2|two|null|9");
        replica.awaitStreaming();
        replica.sql("INSERT INTO t VALUES (3, 'x', 3)");
        replica.awaitRows("t", "1|one|null|9", "2|two|null|9", "3|x|null|3");
    }

    @Test
    void anotherTableOfTheSameNameIsNotMergedIntoTheFirst() {
        replica.sql("DROP TABLE t", "CREATE TABLE t (id int PRIMARY KEY, a text, need int NOT NULL)");
        TestPostgres.await(
                "the drift", () -> replica.drifts().stream().anyMatch(drift -> drift.kind() == DriftKind.TABLE));
        stopsAt(
                ExitCode.CONFIGURATION,
                after("INSERT INTO t VALUES (5, 'new', 5)"),
                "public.t -> t",
                "was dropped and another",
                "Start it again: the table is read again and merged");
        assertThat(replica.rows("t")).containsExactly("1|one|null|1");
        replica.with(Settings::stopping);
        replica.start();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(log.linesWith(
                        "SEVERE",
                        "public.t was dropped and made anew",
                        "Start once with snapshot.on-state-loss=resnapshot"))
                .hasSize(1);
        replica.with(settings -> settings);
        replica.start();
        replica.awaitRows("t", "5|new|null|5");
        replica.awaitStreaming();
        replica.sql("UPDATE t SET a = 'newer'");
        replica.awaitRows("t", "5|newer|null|5");
        assertThat(replica.drifts()).isEmpty();
    }

    @Test
    void aTableThatWasRenamedGoesOnAndIsReported() {
        replica.sql(
                "ALTER TABLE t RENAME TO t_old",
                "INSERT INTO t_old VALUES (2, 'two', 2)",
                "DELETE FROM t_old WHERE id = 1");
        replica.awaitRows("t", "2|two|null|2");
        assertThat(log.linesWith("it was renamed, to public.t_old")).hasSize(1);
        TestPostgres.await(
                "the drift", () -> replica.drifts().stream().anyMatch(drift -> drift.kind() == DriftKind.TABLE));
    }

    @Test
    void valuesThatRowsGotWithoutBeingWrittenAreReportedUntilTheTableIsReadAgain() {
        replica.sql("ALTER TABLE t ADD COLUMN b int DEFAULT 7", "INSERT INTO t VALUES (2, 'two', 2)");
        replica.awaitRows("t", "1|one|null|1", "2|two|7|2");
        TestPostgres.await(
                "the drift", () -> replica.drifts().stream().anyMatch(drift -> drift.kind() == DriftKind.COLUMNS));
        assertThat(log.linesWith("WARNING drift kind=columns", "public.t -> t column b", "DEFAULT"))
                .hasSize(1);
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.start();
        replica.awaitStreaming();
        assertThat(replica.drifts()).as("after a restart").hasSize(1);
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.pipeline.restartEmpty();
        replica.start();
        replica.awaitRows("t", "1|one|7|1", "2|two|7|2");
        replica.awaitStreaming();
        assertThat(replica.drifts()).as("read again").isEmpty();
    }
}
