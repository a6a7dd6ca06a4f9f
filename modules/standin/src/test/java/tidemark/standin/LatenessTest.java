package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** LATENESS drops rows without a word, but for one metric (feldera.md 8, 10.24). */
class LatenessTest {
    private static final String PROGRAM = """
            CREATE TABLE readings (id INT PRIMARY KEY, at TIMESTAMP LATENESS INTERVAL '1' HOUR);
            CREATE TABLE counts (n INT LATENESS 10) WITH ('materialized' = 'true');
            """;

    private final FelderaStandin standin =
            FelderaStandin.start(StandinSettings.defaults().withEdition(Edition.ENTERPRISE));
    private final StandinPipeline pipeline = standin.deploy("p", PROGRAM);
    private final PipelineClient client = new PipelineClient(standin, "p");

    @AfterEach
    void close() {
        standin.close();
    }

    private void reading(int id, String time) {
        client.written("readings", "[{\"insert\":{\"id\":" + id + ",\"at\":\"2024-01-01T" + time + "\"}}]");
    }

    private int late() {
        return client.get("/metrics?format=prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith("records_late_total "))
                .mapToInt(line -> Integer.parseInt(line.substring("records_late_total ".length())))
                .sum();
    }

    @Test
    void aRowOlderThanTheWaterlineIsAcceptedCompletedCountedAndNotThere() {
        reading(1, "12:00:00");
        reading(2, "11:00:00");
        reading(3, "10:59:59");
        assertThat(client.rows("select id from readings order by id")).containsExactly("{\"id\":1}", "{\"id\":2}");
        assertThat(client.metrics("readings").getInt("total_records")).isEqualTo(3);
        assertThat(client.metrics("readings").getInt("num_parse_errors")).isZero();
        assertThat(late()).isEqualTo(1);
    }

    @Test
    void theWaterlineMovesBetweenStepsAndNotWithinOne() {
        client.written("counts", "[{\"insert\":{\"n\":100}},{\"insert\":{\"n\":1}},{\"insert\":{\"n\":null}}]");
        client.written(
                "counts",
                "[{\"insert\":{\"n\":1}},{\"delete\":{\"n\":1}},{\"insert\":{\"n\":90}},{\"insert\":{\"n\":89}}]");
        assertThat(client.rows("select n from counts order by n"))
                .containsExactly("{\"n\":1}", "{\"n\":90}", "{\"n\":100}", "{\"n\":null}");
        assertThat(late()).isEqualTo(3);
    }

    @Test
    void aLateRowCannotBeDeletedOrChangedAnyMore() {
        reading(1, "10:00:00");
        reading(2, "12:00:00");
        client.written("readings", "[{\"delete\":{\"id\":1}},{\"update\":{\"id\":1}}]");
        assertThat(client.rows("select id from readings order by id")).containsExactly("{\"id\":1}", "{\"id\":2}");
        assertThat(late()).isEqualTo(2);
    }

    @Test
    void aCheckpointKeepsTheWaterline() {
        reading(1, "12:00:00");
        client.post("/checkpoint", "");
        PipelineClient.await(
                () -> !PipelineClient.json(client.get("/checkpoint_status")).isNull("success"));
        pipeline.restart();
        reading(2, "10:00:00");
        assertThat(client.rows("select id from readings")).containsExactly("{\"id\":1}");
    }
}
