package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;

/** What a Feldera table is declared with can drop rows that it accepted, or bring rows that nobody sent. */
class DeclaredTableTest {
    @TempDir
    Path directory;

    private final Listening log = new Listening();

    @AfterEach
    void close() {
        log.close();
    }

    private Replica started(String program) {
        var replica = new Replica(
                TestPostgres.shared(),
                directory,
                program,
                "t",
                "CREATE TABLE t (id int PRIMARY KEY, n int)",
                "CREATE PUBLICATION pub FOR TABLE t",
                "INSERT INTO t VALUES (1, 100), (2, 50)");
        replica.start();
        return replica;
    }

    private void isRefused(String program, String... words) {
        try (Replica replica = started(program)) {
            assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(log.linesWith(words)).anyMatch(line -> line.contains("refused start problem"));
            assertThat(replica.postgres.query(
                            replica.database,
                            "SELECT count(*) FROM pg_replication_slots WHERE slot_name = '" + replica.slot + "'"))
                    .isEqualTo("0");
        }
    }

    @Test
    void latenessIsRefusedOnAColumnThatIsNoKey() {
        isRefused(
                "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, n INT LATENESS 10)",
                "public.t -> t column n",
                "LATENESS 10",
                "drops rows",
                "without LATENESS",
                "a view may have it");
    }

    @Test
    void latenessIsRefusedOnTheKey() {
        isRefused(
                "CREATE TABLE t (id INT NOT NULL LATENESS 1 PRIMARY KEY, n INT) WITH ('materialized' = 'true')",
                "public.t -> t column id",
                "LATENESS 1",
                "drops rows");
    }

    @Test
    void aWatermarkIsRefused() {
        isRefused(
                "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, n INT WATERMARK 10)",
                "public.t -> t column n",
                "WATERMARK 10",
                "holds rows back",
                "without WATERMARK");
    }

    /** Paused connectors do no harm, and whether they are is not in the program. */
    @Test
    void connectorsAreWarnedOf() {
        String program =
                "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, n INT) WITH ('connectors' = '[{\"name\": \"c\"}]')";
        try (Replica replica = started(program)) {
            replica.awaitRows("t", "1|100", "2|50");
            assertThat(log.linesWith("WARNING", "public.t -> t", "connectors of its own"))
                    .hasSize(1);
        }
    }
}
