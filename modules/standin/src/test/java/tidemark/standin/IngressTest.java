package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a POST to {@code /ingress} does and says, against the recorded exchanges 01, 02, 04, 20 and 23. */
class IngressTest {
    private final FelderaStandin standin = FelderaStandin.start(StandinSettings.defaults());
    private final StandinPipeline pipeline = standin.deploy("p", RecordedProgram.SQL);
    private final PipelineClient client = new PipelineClient(standin, "p");

    @AfterEach
    void close() {
        standin.close();
    }

    private static long count(HttpResponse<String> accepted) {
        assertThat(accepted.statusCode()).isEqualTo(200);
        return CompletionToken.parse(PipelineClient.json(accepted).getString("token"))
                .count();
    }

    private JsonObject firstError(HttpResponse<String> refused) {
        assertThat(refused.statusCode()).isEqualTo(400);
        return PipelineClient.json(refused)
                .getJsonObject("details")
                .getJsonArray("errors")
                .getJsonObject(0);
    }

    @Test
    void anArrayWithOneBadRowLeavesNothingBehind() {
        client.written("users", "[]");
        var refused = client.array(
                "users",
                "[{\"insert\": {\"id\": 1110, \"name\": \"ok\"}},{\"insert\": {\"id\": 1111, \"score\": \"abc\"}},"
                        + "{\"insert\": {\"id\": 1112, \"name\": \"ok\"}}]");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
                .isEqualTo(
                        "{\"message\":\"Errors parsing input data (1 errors):\\n    Parse error (event #2): failed to"
                                + " deserialize JSON record: error parsing field 'score': invalid type: string \\\"abc\\\","
                                + " expected f64 at line 1 column 27\\nInvalid fragment: '{\\\"id\\\": 1111, \\\"score\\\":"
                                + " \\\"abc\\\"}'\",\"error_code\":\"ParseErrors\",\"details\":{\"errors\":[{\"description\":"
                                + "\"failed to deserialize JSON record: error parsing field 'score': invalid type: string"
                                + " \\\"abc\\\", expected f64 at line 1 column 27\",\"event_number\":2,\"field\":\"score\","
                                + "\"invalid_bytes\":null,\"invalid_text\":\"{\\\"id\\\": 1111, \\\"score\\\": \\\"abc\\\"}\","
                                + "\"suggestion\":null,\"tag\":\"text_event_err\"}],\"num_errors\":1}}");
        assertThat(client.rows("select id from users")).isEmpty();
        assertThat(client.metrics("users").getInt("total_records")).isZero();
        assertThat(client.metrics("users").getInt("num_parse_errors")).isEqualTo(1);
    }

    @Test
    void aBadArrayDoesNotTouchTheOtherArrayOfTheBody() {
        var refused = client.array(
                "users",
                "[{\"insert\": {\"id\": 1130}},{\"insert\": {\"id\": 1131, \"score\": \"abc\"}}]\n[{\"insert\": {\"id\": 1132}}]");
        assertThat(firstError(refused).getInt("event_number")).isEqualTo(2);
        client.written("users", "[]");
        assertThat(client.rows("select id from users")).containsExactly("{\"id\":1132}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"insert\":{\"id\":1}},{\"insert\":{\"id\":2},{\"insert\":{\"id\":3}}]|key must be a string at line 1 column 41",
                "[{\"insert\":{\"id\":1}},{\"insert\":{\"id\":1102|EOF while parsing an object at line 1 column 41",
                "[{\"insert\":{\"id\":1}},]|trailing comma at line 1 column 22",
                "[{\"insert\":{\"id\":1,\"name\":\"x}}]|EOF while parsing a string at line 1 column 31"
            })
    void anArrayThatIsNoJsonIsDroppedWhole(String body, String why) {
        JsonObject error = firstError(client.array("users", body));
        assertThat(error.getString("description")).isEqualTo("failed to parse string as a JSON document: " + why);
        assertThat(error.isNull("event_number")).isTrue();
        assertThat(error.getString("invalid_text")).isEqualTo(body);
        assertThat(error.getString("tag")).isEqualTo("text_envelope_err");
        client.written("users", "[]");
        assertThat(client.rows("select id from users")).isEmpty();
    }

    @Test
    void aBodyThatIsNoArrayIsRefusedWhenArraysWereAnnounced() {
        JsonObject error = firstError(client.array("users", "{\"insert\":{\"id\":52}}"));
        assertThat(error.getString("description"))
                .isEqualTo(
                        "error deserializing string as a JSON array of updates: invalid type: map, expected a sequence at"
                                + " line 1 column 0");
        assertThat(error.getString("suggestion"))
                .isEqualTo("Example valid JSON: '[{{\"insert\": {{...}} }}, {{\"delete\": {{...}} }}]'");
    }

    @Test
    void linesBeforeAndAfterABadOneStay() {
        var refused = client.lines(
                "users",
                "{\"insert\": {\"id\": 1040}}\n{\"insert\": {\"id\": 1041, \"score\": \"abc\"}}\n{\"insert\": {\"id\": 1042}}");
        assertThat(refused.statusCode()).isEqualTo(400);
        PipelineClient.await(() ->
                client.rows("select id from users order by id").equals(List.of("{\"id\":1040}", "{\"id\":1042}")));
        assertThat(client.metrics("users").getInt("total_records")).isEqualTo(2);
    }

    @Test
    void aLineWithoutItsBraceSwallowsTheRestOfTheBody() {
        var refused = client.lines(
                "users",
                "{\"insert\": {\"id\": 1010}}\n{\"insert\":{\"id\":1012,\"name\":\"bad\"}\n{\"insert\": {\"id\": 1013}}\n");
        JsonObject error = firstError(refused);
        assertThat(error.getString("invalid_text"))
                .isEqualTo("{\"insert\":{\"id\":1012,\"name\":\"bad\"}\n{\"insert\": {\"id\": 1013}}\n");
        assertThat(PipelineClient.json(refused).getJsonObject("details").getInt("num_errors"))
                .isEqualTo(1);
    }

    @Test
    void valuesNeedNoLineBreaksAndMayHaveThem() {
        assertThat(count(client.lines(
                        "users", "{\"insert\":{\"id\":20}}{\"insert\":{\"id\":21}} {\"insert\":\n{\"id\":\n22}}\n\n")))
                .isEqualTo(3);
    }

    @Test
    void onlyTheLastThousandErrorsAreTold() {
        String body = IntStream.range(0, 1200)
                .mapToObj(i -> "{\"insert\":{\"id\":\"bad" + i + "\"}}")
                .collect(Collectors.joining("\n"));
        JsonObject details = PipelineClient.json(client.lines("users", body)).getJsonObject("details");
        assertThat(details.getInt("num_errors")).isEqualTo(1200);
        assertThat(details.getJsonArray("errors")).hasSize(1000);
        assertThat(details.getJsonArray("errors").getJsonObject(0).getInt("event_number"))
                .isEqualTo(201);
    }

    /** The recorded exchange 12: nothing is unpacked, and the header is not looked at. */
    @Test
    void aBodyThatIsPackedIsNoJsonAndOneThatOnlySaysSoIs() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write("{\"insert\":{\"id\":7110}}".getBytes(StandardCharsets.UTF_8));
        }
        var refused = client.send(client.request("/ingress/users?" + PipelineClient.LINES)
                .header("Content-Encoding", "gzip")
                .POST(HttpRequest.BodyPublishers.ofByteArray(packed.toByteArray())));
        assertThat(firstError(refused).getString("description"))
                .isEqualTo("failed to parse string as a JSON document: expected value at line 1 column 1");
        var plain = client.send(client.request("/ingress/users?" + PipelineClient.LINES)
                .header("Content-Encoding", "gzip")
                .POST(HttpRequest.BodyPublishers.ofString("{\"insert\":{\"id\":7110}}")));
        assertThat(count(plain)).isEqualTo(1);
    }

    @Test
    void countsEveryOperationAndOnlyThose() {
        assertThat(count(client.array(
                        "users", "[{\"insert\":{\"id\":1}},{\"update\":{\"id\":9}},{\"delete\":{\"id\":8}}]")))
                .isEqualTo(3);
        assertThat(count(client.array("users", "[]"))).isEqualTo(3);
        assertThat(count(client.array("users", ""))).isEqualTo(3);
        assertThat(count(client.array("users", "[{\"insert\":{\"id\":5},\"delete\":{\"id\":1}}]")))
                .isEqualTo(5);
        assertThat(client.array("users", "[{\"insert\":{\"id\":6}},{\"insert\":{}}]")
                        .statusCode())
                .isEqualTo(400);
        assertThat(count(client.array("users", "[{}, {\"insert\":null}]"))).isEqualTo(5);
    }

    @Test
    void deleteAppliesBeforeInsertWhateverTheOrderOfTheKeys() {
        client.written("users", "[{\"insert\":{\"id\":1,\"name\":\"moved\"},\"delete\":{\"id\":1}}]");
        assertThat(client.rows("select id, name from users")).containsExactly("{\"id\":1,\"name\":\"moved\"}");
    }

    @Test
    void anUnknownMemberBesideTheOperationIsRefusedButATableIsNot() {
        JsonObject error = firstError(client.lines("users", "{\"foo\":1,\"insert\":{\"id\":1281,\"name\":\"u\"}}"));
        assertThat(error.getString("description"))
                .isEqualTo(
                        "error deserializing JSON string as a single-row update: unknown field `foo`, expected one of"
                                + " `table`, `insert`, `delete`, `update` at line 1 column 6");
        assertThat(count(client.lines("users", "{\"table\":\"users\",\"insert\":{\"id\":1280}}")))
                .isEqualTo(1);
    }

    @Test
    void insertReplacesTheWholeRow() {
        client.written(
                "users",
                "[{\"insert\":{\"id\":1,\"name\":\"a\",\"score\":1.0}},{\"insert\":{\"id\":1,\"name\":\"b\"}}]");
        assertThat(client.rows("select id, name, score from users"))
                .containsExactly("{\"id\":1,\"name\":\"b\",\"score\":null}");
    }

    @Test
    void updateKeepsWhatItDoesNotNameAndIgnoresMissingKeys() {
        client.written(
                "users",
                "[{\"insert\":{\"id\":1,\"name\":\"Ann\",\"email\":\"a@x\",\"score\":1.5,\"tags\":[\"a,b\"]}}]");
        client.written(
                "users",
                "[{\"update\":{\"id\":1,\"name\":\"Bea\",\"score\":null}},{\"update\":{\"id\":99,\"name\":\"ghost\"}}]");
        assertThat(client.rows("select * from users"))
                .containsExactly("{\"id\":1,\"name\":\"Bea\",\"email\":\"a@x\",\"active\":null,\"score\":null,"
                        + "\"created\":null,\"tags\":[\"a,b\"]}");
    }

    @Test
    void deleteNeedsAllOfTheKeyAndLooksAtNothingElse() {
        client.written("items", "[{\"insert\":{\"order_id\":1,\"line\":1,\"price\":1.25}}]");
        JsonObject error = firstError(client.array("items", "[{\"delete\":{\"order_id\": 1}}]"));
        assertThat(error.getString("description"))
                .isEqualTo("failed to deserialize JSON record: missing field `line` at line 1 column 15");
        client.written("items", "[{\"delete\":{\"line\":1,\"price\":\"not a number\",\"order_id\":1}}]");
        assertThat(client.rows("select * from items")).isEmpty();
    }

    @Test
    void aKeylessTableKeepsDuplicatesAndTakesOneAwayAtATime() {
        client.written(
                "nokey",
                "[{\"insert\":{\"a\":1,\"b\":\"x\"}},{\"insert\":{\"b\":\"x\",\"a\":1}},{\"insert\":{\"a\":2}}]");
        client.written("nokey", "[{\"delete\":{\"a\":1,\"b\":\"x\"}}]");
        assertThat(client.rows("select * from nokey order by a"))
                .containsExactly("{\"a\":1,\"b\":\"x\"}", "{\"a\":2,\"b\":null}");
    }

    @Test
    void deletingAnAbsentRowOfAKeylessTableFailsEveryQueryUntilItIsInserted() {
        client.written("nokey", "[{\"delete\":{\"a\":77,\"b\":\"none\"}}]");
        String error =
                "{\"error\":\"Execution error: Unexpected record with negative weight encountered while processing"
                        + " ad-hoc query.\"}";
        assertThat(client.query("select * from nokey").statusCode()).isEqualTo(200);
        assertThat(client.rows("select * from nokey")).containsExactly(error);
        assertThat(client.rows("select count(*) from nokey")).containsExactly(error);
        client.written("nokey", "[{\"insert\":{\"a\":77,\"b\":\"none\"}}]");
        assertThat(client.rows("select * from nokey")).isEmpty();
    }

    @Test
    void aKeylessTableRefusesUpdates() {
        assertThat(firstError(client.array("nokey", "[{\"update\":{\"a\":1}}]")).getString("description"))
                .isEqualTo("failed to deserialize JSON record: update operation is not supported on this stream");
    }

    @Test
    void unknownColumnsAreIgnoredAndOfEqualOnesTheLastCounts() {
        client.written("users", "[{\"insert\":{\"id\":1,\"bogus\":{\"x\":[1]},\"name\":\"a\",\"NAME\":\"b\"}}]");
        assertThat(client.rows("select id, name from users")).containsExactly("{\"id\":1,\"name\":\"b\"}");
    }

    @Test
    void aQuotedColumnInTheWrongCaseIsAnError() {
        client.written("extras", "[{\"insert\":{\"id\":1,\"c_nn\":1,\"MixedCase\":5}}]");
        assertThat(client.rows("select id, c_def, c_defnull, \"MixedCase\" from extras"))
                .containsExactly("{\"id\":1,\"c_def\":7,\"c_defnull\":5,\"MixedCase\":5}");
        JsonObject error = firstError(client.array("extras", "[{\"insert\":{\"id\":2,\"c_nn\":1,\"mixedcase\":6}}]"));
        assertThat(error.getString("description"))
                .isEqualTo(
                        "failed to deserialize JSON record: incorrect case-sensitive field name: expected: MixedCase,"
                                + " found: mixedcase at line 1 column 28");
    }

    @Test
    void aTableIsFoundInAnySpellingUnlessItIsQuoted() {
        assertThat(count(client.array("USERS", "[{\"insert\":{\"id\":1}}]"))).isEqualTo(1);
        assertThat(count(client.array("%22Quoted%22", "[{\"insert\":{\"id\":1}}]")))
                .isEqualTo(1);
        assertThat(client.array("Quoted", "[]").statusCode()).isEqualTo(404);
        var unknown = client.array("nosuch", "[]");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(PipelineClient.json(unknown).getString("error_code")).isEqualTo("ConfigError.UnknownInputStream");
        assertThat(pipeline.ingressRequests("USERS")).isEqualTo(1);
    }

    @Test
    void everySpellingAndEverySetOfParametersIsAnEndpointOfItsOwn() {
        assertThat(count(client.array("users", "[{\"insert\":{\"id\":1}}]"))).isEqualTo(1);
        assertThat(count(client.array("users", "[{\"insert\":{\"id\":2}}]"))).isEqualTo(2);
        assertThat(count(client.array("Users", "[{\"insert\":{\"id\":3}}]"))).isEqualTo(1);
        assertThat(count(client.lines("users", "{\"insert\":{\"id\":4}}"))).isEqualTo(1);
        assertThat(count(client.post("/ingress/users?wait=true&force=false&" + PipelineClient.ARRAY, "[]")))
                .isEqualTo(2);
        assertThat(count(client.post("/ingress/users?format=json&update_format=raw", "{\"id\":5}\n{\"id\":6}")))
                .isEqualTo(2);
    }

    @Test
    void theHundredAndFirstEndpointIsRefused() {
        for (int i = 0; i < 100; i++) {
            var spelling = new StringBuilder("nokey");
            for (int letter = 0; letter < 5; letter++) {
                if ((i >> letter & 1) == 1) {
                    spelling.setCharAt(letter, Character.toUpperCase(spelling.charAt(letter)));
                }
            }
            String parameters =
                    "&update_format=" + ((i >> 5 & 1) == 0 ? "insert_delete" : "raw") + "&array=" + (i >> 6 == 0);
            assertThat(client.post("/ingress/" + spelling + "?format=json" + parameters, "")
                            .statusCode())
                    .isEqualTo(200);
        }
        var refused = client.array("users", "[]");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(PipelineClient.json(refused).getString("error_code")).isEqualTo("ApiConnectionLimit");
        assertThat(client.post("/ingress/nokey?format=json&update_format=insert_delete&array=true", "[]")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void tokensComeInChunksOfALengthThatNobodyAnnounced() {
        var accepted = client.array("users", "[]");
        assertThat(accepted.headers().firstValue("Transfer-Encoding")).contains("chunked");
        assertThat(accepted.headers().firstValue("Content-Encoding")).contains("identity");
        assertThat(accepted.headers().firstValue("Content-Length")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "format=xml, ConfigError.UnknownInputFormat",
        "update_format=insert_delete, UnsupportedByStandin",
        "format=csv, UnsupportedByStandin",
        "format=json&update_format=debezium, UnsupportedByStandin",
        "format=json&update_format=foo, ConfigError.ParserConfigParseError",
        "format=json&array=yes, ConfigError.ParserConfigParseError",
        "format=json&lines=some, ConfigError.ParserConfigParseError"
    })
    void otherFormatsAreRefusedByName(String query, String code) {
        var refused = client.post("/ingress/users?" + query, "x");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(PipelineClient.json(refused).getString("error_code")).isEqualTo(code);
    }
}
