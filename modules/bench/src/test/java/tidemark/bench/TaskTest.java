package tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;

class TaskTest {
    @Test
    void aTaskSurvivesTheCommandLine() {
        var task = new Task(
                "jdbc:postgresql://localhost:1/postgres",
                "w1_1_bare",
                Workload.W1,
                1000,
                Lsn.parse("1/A0"),
                URI.create("http://localhost:2"),
                Duration.ofMillis(50),
                Path.of("somewhere"));
        assertThat(Task.parse(task.words().toArray(String[]::new))).isEqualTo(task);
    }
}
