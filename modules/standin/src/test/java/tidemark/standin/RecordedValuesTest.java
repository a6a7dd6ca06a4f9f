package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every value that was tried on a real Feldera 0.337.0 (values.tsv: column type, JSON sent, {@code =} what a query then
 * showed or {@code !} why it was refused) fares the same here.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecordedValuesTest {
    /** Told in the report by type and value. */
    record Tried(int number, String type, String sent, String result) {
        @Override
        public String toString() {
            return type + " " + sent;
        }
    }

    private final List<Tried> tried = read();
    private FelderaStandin standin = FelderaStandin.start(StandinSettings.defaults());
    private PipelineClient client = new PipelineClient(standin, "values");

    private static List<Tried> read() {
        try (InputStream in = RecordedValuesTest.class.getResourceAsStream("values.tsv")) {
            List<Tried> all = new ArrayList<>();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                String[] fields = line.split("\t", 3);
                all.add(new Tried(all.size(), fields[0], fields[1], fields[2]));
            }
            return all;
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @BeforeAll
    void oneTableForEachType() {
        var program = new StringBuilder();
        for (String type : tried.stream().map(Tried::type).distinct().toList()) {
            program.append("CREATE TABLE ")
                    .append(tableOf(type))
                    .append(" (k INT PRIMARY KEY, v ")
                    .append(type)
                    .append(");\n");
        }
        standin.deploy("values", program.toString());
    }

    @AfterAll
    void close() {
        standin.close();
    }

    private String tableOf(String type) {
        return "t" + tried.stream().map(Tried::type).distinct().toList().indexOf(type);
    }

    Stream<Tried> tried() {
        return tried.stream();
    }

    @ParameterizedTest
    @MethodSource("tried")
    void faresAsRecorded(Tried value) {
        String member = value.sent().equals("<omit>") ? "" : ",\"v\":" + value.sent();
        var response = client.array(tableOf(value.type()), "[{\"insert\":{\"k\":" + value.number() + member + "}}]");
        if (value.result().startsWith("!")) {
            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(description(PipelineClient.json(response)
                            .getJsonObject("details")
                            .getJsonArray("errors")
                            .getJsonObject(0)
                            .getString("description")))
                    .isEqualTo(value.result().substring(2));
            return;
        }
        assertThat(response.body()).startsWith("{\"token\"");
        client.awaitComplete(PipelineClient.json(response).getString("token"));
        assertThat(client.rows("select v from " + tableOf(value.type()) + " where k = " + value.number()))
                .containsExactly(shown(value.result().substring(2)));
    }

    private static String shown(String result) {
        return result.startsWith("!ERROR: ") ? "{\"error\":\"" + result.substring(8) + "\"}" : "{\"v\":" + result + "}";
    }

    /** Without what depends on the row around the value: the column's name and the position. */
    private static String description(String full) {
        return full.replaceFirst("^failed to deserialize JSON record: ", "")
                .replaceFirst("^error parsing field 'v': ", "")
                .replaceAll(" at line 1 column \\d+", "");
    }
}
