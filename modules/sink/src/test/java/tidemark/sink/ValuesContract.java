package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidemark.standin.PipelineClient;

/**
 * Every value that was tried on a real Feldera 0.337.0 (values.tsv: column type, JSON sent, {@code =} what a query then
 * showed or {@code !} why it was refused) fares the same in any.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ValuesContract {
    /** Told in the report by type and value. */
    record Tried(int number, String type, String sent, String result) {
        @Override
        public String toString() {
            return type + " " + sent;
        }
    }

    private static final List<Tried> TRIED = read();
    private static final List<String> TYPES =
            TRIED.stream().map(Tried::type).distinct().toList();

    private PipelineClient feldera;

    /** Of a pipeline that runs {@link #program}. */
    abstract FelderaSettings settings();

    private static List<Tried> read() {
        try (InputStream in = ValuesContract.class.getResourceAsStream("values.tsv")) {
            List<Tried> all = new ArrayList<>();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                String[] fields = line.split("\t", 3);
                all.add(new Tried(all.size(), fields[0], fields[1], fields[2]));
            }
            return all;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** One table for each type. */
    static String program() {
        var program = new StringBuilder();
        for (String type : TYPES) {
            program.append("CREATE TABLE ")
                    .append(tableOf(type))
                    .append(" (k INT NOT NULL PRIMARY KEY, v ")
                    .append(type)
                    .append(");\n");
        }
        return program.toString();
    }

    private static String tableOf(String type) {
        return "t" + TYPES.indexOf(type);
    }

    static Stream<Tried> tried() {
        return TRIED.stream();
    }

    @BeforeAll
    void startEmpty() {
        try (FelderaClient client = new FelderaClient(settings())) {
            new Deployment(settings(), client).startAgain();
        }
        feldera = Deployment.raw(settings());
    }

    @ParameterizedTest
    @MethodSource("tried")
    void faresAsRecorded(Tried value) {
        String member = value.sent().equals("<omit>") ? "" : ",\"v\":" + value.sent();
        var response = feldera.array(tableOf(value.type()), "[{\"insert\":{\"k\":" + value.number() + member + "}}]");
        if (value.result().startsWith("!")) {
            PipelineClient.assertError(response, 400, "ParseErrors");
            assertThat(description(PipelineClient.json(response)
                            .getJsonObject("details")
                            .getJsonArray("errors")
                            .getJsonObject(0)
                            .getString("description")))
                    .isEqualTo(value.result().substring(2));
            return;
        }
        feldera.awaitComplete(PipelineClient.token(response));
        assertThat(feldera.rows("select v from " + tableOf(value.type()) + " where k = " + value.number()))
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
