package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Completion tokens, against the recorded exchange 05. */
class CompletionTest {
    private final FelderaStandin standin = FelderaStandin.start(StandinSettings.defaults());
    private final StandinPipeline pipeline = standin.deploy("p", RecordedProgram.SQL);
    private final PipelineClient client = new PipelineClient(standin, "p");

    @AfterEach
    void close() {
        standin.close();
    }

    @Test
    void aTokenNamesTheIncarnationTheEndpointAndTheCount() {
        client.written("items", "[]");
        String token = client.written("users", "[{\"insert\":{\"id\":1}},{\"insert\":{\"id\":2}}]");
        assertThat(token).doesNotContain("=");
        assertThat(new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8))
                .isEqualTo("{\"u\":\"" + pipeline.incarnation() + "\",\"e\":1,\"c\":2}");
    }

    @Test
    void aTokenOfAnEndpointThatNeverTookAnythingIsComplete() {
        String token = PipelineClient.json(client.array("users", "[]")).getString("token");
        assertThat(client.completion(token).getString("status")).isEqualTo("complete");
    }

    @Test
    void aCountInTheFutureIsInProgressWithoutAStep() {
        client.written("users", "[{\"insert\":{\"id\":1}}]");
        String forged = new CompletionToken(pipeline.incarnation(), 0, 1063).text();
        assertThat(client.completion(forged).toString()).isEqualTo("{\"status\":\"inprogress\",\"step\":null}");
    }

    @Test
    void anEndpointThatIsNotThereIsGone() {
        var gone = client.get("/completion_status?token=" + new CompletionToken(pipeline.incarnation(), 9, 1).text());
        assertThat(gone.statusCode()).isEqualTo(410);
        assertThat(PipelineClient.json(gone).getString("error_code")).isEqualTo("UnknownEndpointInCompletionToken");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "garbage|completion token is not a valid base64 string: Invalid last symbol 101, offset 6.",
                "!!!|completion token is not a valid base64 string: Invalid symbol 33, offset 0.",
                "eyJ4IjoxfQ==|completion token is not a valid base64 string: Invalid symbol 61, offset 10.",
                "eyJ4+joxfQ|completion token is not a valid base64 string: Invalid symbol 32, offset 4.",
                "''|error parsing completion token: EOF while parsing a value at line 1 column 0"
            })
    void garbageIsAnInvalidParameter(String token, String why) {
        var refused = client.get("/completion_status?token=" + token);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
                .isEqualTo("{\"message\":\"Invalid parameter: invalid completion token: " + why
                        + ".\",\"error_code\":\"InvalidParam\",\"details\":{\"error\":\"invalid completion token: "
                        + why
                        + "\"}}");
    }

    @Test
    void noTokenAtAllIsNotEvenJson() {
        var refused = client.get("/completion_status");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
        assertThat(refused.body()).isEqualTo("Query deserialize error: missing field `token`");
    }
}
