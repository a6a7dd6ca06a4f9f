package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidemark.replication.TestPostgres;

/**
 * Columns of a Feldera table without key that have, in the RELATION message, the names and types that they had, while
 * PostgreSQL writes old rows otherwise: a delete of one would give it a negative weight, and every query would fail.
 */
@Tag("slow")
class KeylessAlteredIT {
    @TempDir
    Path directory;

    private final Listening log = new Listening();
    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(
                        TestPostgres.shared(),
                        directory,
                        "CREATE TABLE t (id INT, x VARCHAR, y VARCHAR, c VARIANT, e VARCHAR) WITH ('materialized' = 'true');",
                        "t",
                        "CREATE TYPE pair AS (a int, b text)",
                        "CREATE TYPE mood AS ENUM ('sad', 'glad')",
                        "CREATE TABLE t (id int PRIMARY KEY, x text, y text, c pair, e mood)",
                        "ALTER TABLE t REPLICA IDENTITY FULL",
                        "CREATE PUBLICATION pub FOR TABLE t",
                        "INSERT INTO t SELECT g, 'old', 'other', CAST(ROW(g, 'b') AS pair), 'sad' FROM generate_series(1, 4) g")
                .with(Settings::keyless);
        replica.start();
        replica.awaitStreaming();
    }

    @AfterEach
    void close() {
        log.close();
        replica.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE t DROP COLUMN x; ALTER TABLE t ADD COLUMN x text",
                "ALTER TABLE t RENAME x TO z; ALTER TABLE t RENAME y TO x; ALTER TABLE t RENAME z TO y",
                "ALTER TABLE t ALTER x TYPE text USING upper(x)"
            })
    void anOldRowIsNotTakenAwayAsAnotherOne(String altered) {
        replica.sql(altered, "INSERT INTO t (id) VALUES (5)");
        TestPostgres.await("the new row", () -> replica.rows("t").size() == 5);
        List<String> rows = replica.rows("t");
        replica.sql("DELETE FROM t WHERE id = 1");
        stopped();
        replica.start();
        stopped();
        assertThat(replica.rows("t")).isEqualTo(rows);
    }

    /** The table has the type, and no message tells of that. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TYPE pair ADD ATTRIBUTE d int",
                "ALTER TYPE pair RENAME ATTRIBUTE b TO bb",
                "ALTER TYPE mood RENAME VALUE 'sad' TO 'low'"
            })
    void norAfterARestartIfItsTypeWasAltered(String altered) {
        List<String> rows = replica.rows("t");
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql(altered, "DELETE FROM t WHERE id = 1");
        replica.start();
        stopped();
        assertThat(replica.rows("t")).isEqualTo(rows);
    }

    @Test
    void whatWritesOldRowsAsTheyWereStopsNothing() {
        replica.sql("VACUUM FULL t", "ALTER TYPE mood ADD VALUE 'calm'", "DELETE FROM t WHERE id = 1");
        TestPostgres.await("three rows", () -> replica.rows("t").size() == 3);
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql("ALTER TABLE t ADD more int", "ALTER TABLE t RENAME TO u", "DELETE FROM u WHERE id = 2");
        replica.sql("ALTER TABLE u RENAME TO t");
        replica.start();
        TestPostgres.await("two rows", () -> replica.rows("t").size() == 2);
    }

    /** What the message advises: the merge reads the table as it is now, and from there on its rows are known. */
    @Test
    void withoutItsSlotTheTableIsMergedAndGoesOn() {
        replica.close();
        replica = new Replica(
                        TestPostgres.shared(),
                        directory,
                        "CREATE TABLE t (id INT, x VARCHAR) WITH ('materialized' = 'true');",
                        "t",
                        "CREATE TABLE t (id int PRIMARY KEY, x text)",
                        "ALTER TABLE t REPLICA IDENTITY FULL",
                        "CREATE PUBLICATION pub FOR TABLE t",
                        "INSERT INTO t SELECT g, 'old' FROM generate_series(1, 4) g")
                .with(Settings::keyless);
        replica.start();
        replica.awaitStreaming();
        replica.sql("ALTER TABLE t ALTER x TYPE text USING upper(x)", "DELETE FROM t WHERE id = 1");
        stopped();
        replica.postgres.dropSlots(replica.database);
        replica.start();
        replica.awaitRows("t", "2|OLD", "3|OLD", "4|OLD");
        replica.awaitStreaming();
        replica.sql("UPDATE t SET x = 'new' WHERE id = 2", "DELETE FROM t WHERE id > 2");
        replica.awaitRows("t", "2|new");
    }

    /** It names no old row. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE t ALTER x SET NOT NULL",
                "ALTER TABLE t DROP COLUMN y",
                "ALTER TABLE t ALTER x TYPE text USING upper(x)"
            })
    void aTruncateIsCarriedOutWhateverWasAltered(String altered) {
        replica.sql(
                altered,
                "INSERT INTO t (id, x) VALUES (5, 'new')",
                "TRUNCATE t",
                "INSERT INTO t (id, x) VALUES (6, 'x')");
        replica.awaitRows("t", "6|x|null|null|null");
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql("INSERT INTO t (id, x) VALUES (7, 'x')", "TRUNCATE t");
        replica.start();
        replica.awaitRows("t");
        replica.awaitConfirmed();
    }

    @Test
    void andWhereNoRowCouldBeSentAnyMore() {
        replica.sql("ALTER TABLE t ALTER id TYPE text", "TRUNCATE t");
        replica.awaitRows("t");
        replica.awaitConfirmed();
    }

    private void stopped() {
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.DATA);
        assertThat(log.linesWith(
                        "SEVERE", "public.t -> t", "no PRIMARY KEY", "altered since", "restart the pipeline empty"))
                .isNotEmpty();
    }
}
