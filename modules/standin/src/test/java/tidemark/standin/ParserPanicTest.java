package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parsers that panic and what is left of the pipeline then: the recorded exchange 19. */
class ParserPanicTest {
    private final FelderaStandin standin = FelderaStandin.start(StandinSettings.defaults());
    private final StandinPipeline pipeline = standin.deploy("p", RecordedProgram.SQL);
    private final PipelineClient client = new PipelineClient(standin, "p");
    private final PipelineClient direct = PipelineClient.direct(standin, "p");

    @AfterEach
    void close() {
        standin.close();
    }

    private void panic() {
        PipelineClient.assertError(
                client.post(
                        "/ingress/users?format=json&update_format=weighted",
                        "{\"weight\":1,\"data\":{\"id\":70,\"name\":\"w\"}}"),
                503,
                "PipelineInteractionUnreachable");
    }

    @ParameterizedTest
    @ValueSource(strings = {"weighted", "redis"})
    void theConnectionOfThePanicEndsWithoutAnAnswer(String format) {
        for (int again = 0; again < 2; again++) {
            assertThatThrownBy(() -> direct.post("/ingress/users?format=json&update_format=" + format, "{}"))
                    .isInstanceOf(UncheckedIOException.class);
        }
    }

    @Test
    void afterwardsEverythingLooksAliveAndNoTokenIsEverComplete() {
        client.written("users", "[{\"insert\":{\"id\":1}}]");
        panic();
        assertThat(PipelineClient.json(direct.get("/status")).getString("runtime_status"))
                .isEqualTo("Running");
        String token = client.token("users", "[{\"insert\":{\"id\":2}}]");
        client.awaitStep(token);
        for (int look = 0; look < 50; look++) {
            assertThat(client.completion(token).getString("status")).isEqualTo("inprogress");
        }
        assertThat(client.rows("select id from users")).containsExactly("{\"id\":1}");
        var global = client.global();
        assertThat(global.getString("transaction_status")).isEqualTo("NoTransaction");
        assertThat(global.getInt("total_input_records")).isEqualTo(2);
        assertThat(global.getInt("total_processed_records")).isEqualTo(1);
        assertThat(global.getInt("total_initiated_steps")).isEqualTo(global.getInt("total_completed_steps") + 1);
        assertThat(client.metrics("users").getInt("total_records"))
                .as("the endpoint that panicked, made after the other")
                .isEqualTo(2);
        assertThat(client.stats().getJsonArray("inputs")).hasSize(2);
        assertThat(client.post("/start_transaction", "").statusCode()).isEqualTo(200);
        assertThat(client.post("/commit_transaction", "").statusCode()).isEqualTo(200);
    }

    @Test
    void onlyAnotherProcessGoesOn() {
        panic();
        pipeline.restart();
        client.written("users", "[{\"insert\":{\"id\":1}}]");
    }

    @Test
    void snowflakeIsRefusedWithoutHarm() {
        PipelineClient.assertError(
                client.post("/ingress/users?format=json&update_format=snowflake", "{}"),
                400,
                "ConfigError.InputFormatNotSupported");
        client.written("users", "[{\"insert\":{\"id\":1}}]");
    }
}
