package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;

/** A Feldera table without a key is told whole rows: a delete has to be what the insert was, byte for byte. */
class KeylessTableTest {
    @TempDir
    Path directory;

    private final Listening log = new Listening();
    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(
                        TestPostgres.shared(),
                        directory,
                        "CREATE TABLE t (id INT, v VARCHAR, n DECIMAL(10,2), r REAL, at TIMESTAMP, j VARIANT, l INT ARRAY)"
                                + " WITH ('materialized' = 'true');",
                        "t",
                        "CREATE TABLE t (id int PRIMARY KEY, v text, n numeric, r real, at timestamp, j jsonb, l int[])",
                        "ALTER TABLE t REPLICA IDENTITY FULL",
                        "CREATE PUBLICATION pub FOR TABLE t",
                        "INSERT INTO t SELECT g, chr(64 + g), g / 4.0, g / 3.0, timestamp '2026-01-01' + g * interval '1.5 s',"
                                + " jsonb_build_object('a', g), ARRAY[g, NULL] FROM generate_series(1, 4) g")
                .with(Settings::keyless);
        replica.start();
        replica.awaitStreaming();
    }

    @AfterEach
    void close() {
        log.close();
        replica.close();
    }

    /** A large value that was left alone, too, is in the old image. */
    @Test
    void updatesAndDeletesTakeAwayTheVeryRow() {
        replica.sql(
                "INSERT INTO t (id, v) SELECT 9, string_agg(md5(g::text), '') FROM generate_series(1, 400) g",
                "UPDATE t SET n = n + 1, j = j || '{\"b\": 1.50}' WHERE id IN (1, 9)",
                "UPDATE t SET id = 7 WHERE id = 2",
                "DELETE FROM t WHERE id IN (3, 9)");
        replica.awaitRows("t", rows());
        replica.sql("DELETE FROM t");
        replica.awaitRows("t");
    }

    private String[] rows() {
        TestPostgres.await("three rows", () -> replica.rows("t").size() == 3);
        assertThat(replica.rows("t")).anyMatch(row -> row.startsWith("1|A|1.25|"));
        assertThat(replica.rows("t")).anyMatch(row -> row.startsWith("7|B|"));
        assertThat(replica.rows("t")).anyMatch(row -> row.startsWith("4|D|"));
        return replica.rows("t").toArray(String[]::new);
    }

    @Test
    void aRowThatIsOlderThanAnAlteredColumnStopsByName() {
        replica.sql("ALTER TABLE t DROP COLUMN v", "INSERT INTO t (id) VALUES (5)");
        TestPostgres.await("the row", () -> replica.rows("t").size() == 5);
        replica.sql("DELETE FROM t WHERE id = 1");
        stopped();
        replica.start();
        stopped();
        assertThat(replica.rows("t")).hasSize(5).anyMatch(row -> row.startsWith("1|A|"));
    }

    @Test
    void aDefaultThatOldRowsGotStopsByName() {
        replica.sql("ALTER TABLE t DROP COLUMN l");
        replica.pipeline.restartEmpty();
        TestPostgres.await("another life", () -> replica.status().sessions() > 1);
        replica.awaitStreaming();
        replica.sql("ALTER TABLE t ADD COLUMN l int[] DEFAULT '{1}'", "UPDATE t SET v = 'x' WHERE id = 1");
        stopped();
    }

    @Test
    void whatFelderaLacksIsNothingToIt() {
        replica.sql("ALTER TABLE t ADD COLUMN more int DEFAULT 1", "DELETE FROM t WHERE id < 4");
        TestPostgres.await("one row", () -> replica.rows("t").size() == 1);
    }

    private void stopped() {
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.DATA);
        assertThat(log.linesWith(
                        "SEVERE", "public.t -> t", "no PRIMARY KEY", "altered since", "restart the pipeline empty"))
                .isNotEmpty();
    }
}
