package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import tidemark.standin.Direction;
import tidemark.standin.FaultProxy;
import tidemark.standin.HttpFault;
import tidemark.standin.PipelineClient;
import tidemark.standin.RequestPattern;

/** What becomes of the body of a POST: the recorded exchanges 01, 02, 04, 05, 09, 12, 16, 20 and 23. */
interface IngressExchanges {
    PipelineClient feldera();

    Deployment deployment();

    private static JsonObject decoded(String token) {
        byte[] json = Base64.getUrlDecoder().decode(token);
        try (var reader = Json.createReader(new ByteArrayInputStream(json))) {
            return reader.readObject();
        }
    }

    private static String rows(int count, String separator) {
        return IntStream.range(0, count)
                .mapToObj(id -> "{\"insert\":{\"id\":" + id + ",\"name\":\"n\"}}")
                .collect(Collectors.joining(separator));
    }

    @Test
    default void aTokenNamesTheLifeTheEndpointAndTheCount() {
        HttpResponse<String> accepted = feldera().array("users", "[{\"insert\":{\"id\":1}},{\"delete\":{\"id\":9}}]");
        assertThat(accepted.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(PipelineClient.json(accepted)).containsOnlyKeys("token");
        JsonObject token = decoded(PipelineClient.token(accepted));
        assertThat(token).containsOnlyKeys("u", "e", "c");
        assertThat(token.getString("u")).isEqualTo(feldera().global().getString("incarnation_uuid"));
        assertThat(token.getInt("c")).isEqualTo(2);
        assertThat(decoded(feldera().token("users", "")).getInt("c"))
                .as("an empty body")
                .isEqualTo(2);
    }

    @Test
    default void aBadElementTakesItsWholeArrayBackAndItsFieldIsNamed() {
        HttpResponse<String> refused =
                feldera().array("users", "[{\"insert\":{\"id\":3,\"name\":\"x\"}},{\"insert\":{\"id\":\"bad\"}}]");
        PipelineClient.assertError(refused, 400, "ParseErrors");
        JsonObject details = PipelineClient.json(refused).getJsonObject("details");
        assertThat(details.getInt("num_errors")).isEqualTo(1);
        JsonObject error = details.getJsonArray("errors").getJsonObject(0);
        assertThat(error.getString("field")).isEqualTo("id");
        assertThat(error.getString("description")).contains("invalid type: string \"bad\", expected i64");
        assertThat(error.getString("invalid_text")).isEqualTo("{\"id\":\"bad\"}");
        feldera().written("users", "[]");
        assertThat(feldera().rows("select id from users")).isEmpty();
        assertThat(feldera().metrics("users").getInt("total_records")).isZero();
        assertThat(feldera().metrics("users").getInt("num_parse_errors")).isEqualTo(1);
    }

    @Test
    default void ofLinesTheGoodOnesStayAndTheAnswerIsStillAnError() {
        HttpResponse<String> refused = feldera()
                .lines("users", "{\"insert\":{\"id\":1}}\n{\"insert\":{\"id\":\"bad\"}}\n{\"insert\":{\"id\":2}}\n");
        PipelineClient.assertError(refused, 400, "ParseErrors");
        PipelineClient.await(() -> feldera().rows("select id from users").size() == 2);
        assertThat(feldera().metrics("users").getInt("total_records")).isEqualTo(2);
    }

    @Test
    default void anArrayIsSeenWholeOrNotAtAll() {
        var posted = feldera().postLater("/ingress/users?" + PipelineClient.ARRAY, "[" + rows(60_000, ",") + "]");
        PipelineClient.await(() -> {
            String count = feldera().rows("select count(*) as n from users").getFirst();
            assertThat(count).isIn("{\"n\":0}", "{\"n\":60000}");
            return count.equals("{\"n\":60000}");
        });
        assertThat(posted.join().statusCode()).isEqualTo(200);
    }

    @Test
    default void malformedJsonCountsNothing() {
        PipelineClient.assertError(feldera().array("users", "[{\"insert\":{\"id\":1}}"), 400, "ParseErrors");
        PipelineClient.assertError(feldera().array("users", "{\"insert\":{\"id\":1}}"), 400, "ParseErrors");
        PipelineClient.assertError(feldera().array("users", "[{\"upsert\":{\"id\":1}}]"), 400, "ParseErrors");
        PipelineClient.assertError(
                feldera().array("users", "[{\"insert\":{\"name\":\"no key\"}}]"), 400, "ParseErrors");
        assertThat(feldera().metrics("users").getInt("total_records")).isZero();
    }

    @Test
    default void aPartialUpdateKeepsSetsNullAndIsNothingWithoutItsRow() {
        String user = "select id, name, email from users where id = 1";
        feldera().written("users", "[{\"insert\":{\"id\":1,\"name\":\"Ann\",\"email\":\"a@x\"}}]");
        feldera().written("users", "[{\"update\":{\"id\":1,\"name\":\"Bea\"}}]");
        assertThat(feldera().rows(user)).containsExactly("{\"id\":1,\"name\":\"Bea\",\"email\":\"a@x\"}");
        feldera().written("users", "[{\"update\":{\"id\":1,\"email\":null}}]");
        assertThat(feldera().rows(user)).containsExactly("{\"id\":1,\"name\":\"Bea\",\"email\":null}");
        feldera().written("users", "[{\"update\":{\"id\":99,\"name\":\"ghost\"}}]");
        assertThat(feldera().rows("select id from users where id = 99")).isEmpty();
        feldera().written("users", "[{\"delete\":{\"id\":1},\"insert\":{\"id\":5,\"name\":\"moved\"}}]");
        assertThat(feldera().rows("select id, name from users")).containsExactly("{\"id\":5,\"name\":\"moved\"}");
        assertThat(feldera().metrics("users").getInt("total_records")).isEqualTo(6);
        PipelineClient.assertError(feldera().array("nokey", "[{\"update\":{\"a\":1}}]"), 400, "ParseErrors");
    }

    @Test
    default void anInsertReplacesTheWholeRowAndADeleteNeedsOnlyTheKey() {
        feldera().written("items", "[{\"insert\":{\"order_id\":1,\"line\":1,\"sku\":\"a\",\"qty\":2}}]");
        feldera().written("items", "[{\"insert\":{\"order_id\":1,\"line\":1,\"qty\":3}}]");
        assertThat(feldera().rows("select sku, qty from items")).containsExactly("{\"sku\":null,\"qty\":3}");
        feldera().written("items", "[{\"delete\":{\"order_id\":1,\"line\":1,\"sku\":\"other\"}}]");
        assertThat(feldera().rows("select sku from items")).isEmpty();
        PipelineClient.assertError(feldera().array("items", "[{\"delete\":{\"order_id\":1}}]"), 400, "ParseErrors");
    }

    @Test
    default void spellingAndParametersMakeAnEndpointAndUnknownParametersDoNot() {
        feldera().written("users", "[]");
        feldera().post("/ingress/users?nosuch=1&" + PipelineClient.ARRAY, "[]");
        assertThat(feldera().stats().getJsonArray("inputs")).hasSize(1);
        feldera().array("USERS", "[]");
        feldera().lines("users", "");
        assertThat(feldera().stats().getJsonArray("inputs")).hasSize(3);
        assertThat(feldera().stats().getJsonArray("inputs").getValuesAs(JsonObject.class))
                .allSatisfy(input -> assertThat(input.getJsonObject("config").getString("stream"))
                        .isEqualTo("users"));
    }

    @Test
    default void whatIsAskedWronglyIsRefusedByItsCode() {
        PipelineClient.assertError(feldera().array("nosuch", "[]"), 404, "ConfigError.UnknownInputStream");
        PipelineClient.assertError(
                feldera().post("/ingress/users?format=nosuch", ""), 400, "ConfigError.UnknownInputFormat");
        PipelineClient.assertError(
                feldera().post("/ingress/users?format=json&array=maybe", "[]"),
                400,
                "ConfigError.ParserConfigParseError");
        PipelineClient.assertError(
                feldera().post("/ingress/users?format=json&update_format=nosuch", "[]"),
                400,
                "ConfigError.ParserConfigParseError");
        assertThat(feldera()
                        .post("/ingress/users?force=perhaps&" + PipelineClient.ARRAY, "[]")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    default void tokensOfNobodyAreRefused() {
        String token = feldera().written("users", "[{\"insert\":{\"id\":1}}]");
        PipelineClient.assertError(feldera().get("/completion_status?token=nonsense"), 400, "InvalidParam");
        HttpResponse<String> missing = feldera().get("/completion_status");
        assertThat(missing.statusCode()).isEqualTo(400);
        assertThat(missing.body()).startsWith("Query deserialize error");
        JsonObject parts = decoded(token);
        String stranger = token(parts.getString("u"), 77, 1);
        PipelineClient.assertError(
                feldera().get("/completion_status?token=" + stranger), 410, "UnknownEndpointInCompletionToken");
        deployment().startAgain();
        PipelineClient.assertError(feldera().get("/completion_status?token=" + token), 410, "PipelineRestarted");
    }

    /** The recorded exchange 05, and the one moment of a token that no Feldera can be too fast for. */
    @Test
    default void aTokenIsInProgressForAsLongAsItCountsWhatHasNotCome() {
        JsonObject parts = decoded(feldera().written("users", "[{\"insert\":{\"id\":1}}]"));
        String next = token(parts.getString("u"), parts.getInt("e"), 2);
        for (int look = 0; look < 10; look++) {
            assertThat(feldera().completion(next).toString()).isEqualTo("{\"status\":\"inprogress\",\"step\":null}");
        }
        assertThat(feldera().token("users", "[{\"insert\":{\"id\":2}}]")).isEqualTo(next);
        feldera().awaitComplete(next);
        assertThat(feldera().rows("select id from users")).hasSize(2);
    }

    private static String token(String incarnation, int endpoint, int count) {
        String json = "{\"u\":\"" + incarnation + "\",\"e\":" + endpoint + ",\"c\":" + count + "}";
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    /** The recorded exchange 12. */
    @Test
    default void aBodyThatIsPackedIsNoJsonAndOneThatOnlySaysSoIs() throws IOException {
        String row = "{\"insert\":{\"id\":7110}}";
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(row.getBytes(StandardCharsets.UTF_8));
        }
        PipelineClient.assertError(
                packed(HttpRequest.BodyPublishers.ofByteArray(bytes.toByteArray())), 400, "ParseErrors");
        feldera().awaitComplete(PipelineClient.token(packed(HttpRequest.BodyPublishers.ofString(row))));
        assertThat(feldera().metrics("users").getInt("total_records")).isEqualTo(1);
    }

    private HttpResponse<String> packed(HttpRequest.BodyPublisher body) {
        return feldera()
                .send(feldera()
                        .request("/ingress/users?" + PipelineClient.LINES)
                        .header("Content-Encoding", "gzip")
                        .POST(body));
    }

    /** The recorded exchange 20; feldera.md 1.5. */
    @Test
    default void ofManyErrorsAllAreCountedAndTheLastThousandTold() {
        String body = IntStream.range(0, 1_200)
                .mapToObj(i -> "{\"insert\":{\"id\":\"bad" + i + "\"}}")
                .collect(Collectors.joining("\n"));
        HttpResponse<String> refused = feldera().lines("users", body);
        PipelineClient.assertError(refused, 400, "ParseErrors");
        JsonObject details = PipelineClient.json(refused).getJsonObject("details");
        assertThat(details.getInt("num_errors")).isEqualTo(1_200);
        assertThat(details.getJsonArray("errors")).hasSize(1_000);
        assertThat(details.getJsonArray("errors").getJsonObject(0).getInt("event_number"))
                .isEqualTo(201);
        assertThat(feldera().metrics("users").getInt("num_parse_errors")).isEqualTo(1_200);
    }

    /** The recorded exchange 19: 36 s at a limit of 30 s. */
    @Test
    default void anUploadThatOutlastsTheApiServersPatienceIsNotAppliedAtAll() {
        feldera().written("users", "[]");
        long bytesPerSecond = 20;
        int length = (int) (bytesPerSecond * apiServerLimit().plusSeconds(3).toSeconds());
        String row = "{\"insert\":{\"id\":1}}\n";
        HttpResponse<String> refused;
        try (FaultProxy network = FaultProxy.before(settings().url())) {
            network.inject(RequestPattern.any(), new HttpFault.SlowBody(Direction.TO_SERVER, bytesPerSecond));
            var slow = new PipelineClient(
                    network.url(), settings().pipeline(), settings().apiKey());
            refused = slow.lines("users", row + "\n".repeat(length - row.length()));
        }
        PipelineClient.assertError(refused, 503, "PipelineInteractionUnreachable");
        assertThat(refused.headers().firstValue("Retry-After")).contains("5");
        feldera().awaitComplete(PipelineClient.token(feldera().lines("users", "")));
        assertThat(feldera().rows("select id from users")).isEmpty();
        assertThat(feldera().global().getInt("total_input_records")).isZero();
    }

    FelderaSettings settings();

    /** After which the API server answers for a pipeline that has not. */
    Duration apiServerLimit();

    /** The recorded exchange 09. */
    @Test
    default void anEndpointIsPausedAloneAndStatsSaySo() {
        feldera().written("users", "[]");
        feldera().written("items", "[]");
        String name = feldera().input("users").getString("endpoint_name");
        String connector = "/tables/users/connectors/" + name.substring(name.indexOf('.') + 1);
        assertThat(feldera().post(connector + "/pause", "").statusCode()).isEqualTo(200);
        PipelineClient.await(() -> feldera().input("users").getBoolean("paused"));
        var waiting = feldera().postLater("/ingress/users?" + PipelineClient.ARRAY, "[{\"insert\":{\"id\":1}}]");
        feldera().written("items", "[{\"insert\":{\"order_id\":1,\"line\":1}}]");
        assertThat(feldera().input("items").getBoolean("paused")).isFalse();
        assertThat(waiting).isNotDone();
        assertThat(feldera().post(connector + "/start", "").statusCode()).isEqualTo(200);
        feldera().awaitComplete(PipelineClient.token(waiting.join()));
        PipelineClient.assertError(
                feldera().post("/tables/users/connectors/nosuch/pause", ""), 404, "UnknownInputEndpoint");
    }

    /** The recorded exchange 19: why nothing ever sends these. */
    @Test
    default void aParserThatPanicsLeavesAPipelineThatLooksAliveAndCompletesNothing() {
        feldera().written("users", "[{\"insert\":{\"id\":1}}]");
        PipelineClient.assertError(
                feldera()
                        .post(
                                "/ingress/users?format=json&update_format=weighted",
                                "{\"weight\":1,\"data\":{\"id\":70,\"name\":\"w\"}}"),
                503,
                "PipelineInteractionUnreachable");
        String token = feldera().token("users", "[{\"insert\":{\"id\":2}}]");
        feldera().awaitStep(token);
        for (int look = 0; look < 50; look++) {
            assertThat(feldera().completion(token).getString("status")).isEqualTo("inprogress");
        }
        assertThat(feldera().rows("select id from users")).containsExactly("{\"id\":1}");
        assertThat(feldera().global().getString("state")).isEqualTo("Running");
        deployment().startAgain();
        feldera().written("users", "[{\"insert\":{\"id\":1}}]");
    }

    @Test
    default void forceGoesPastAPauseAndWhatDoesNotWaitsForItsEnd() {
        feldera().written("users", "[]");
        deployment().pause();
        var waiting = feldera().postLater("/ingress/users?" + PipelineClient.ARRAY, "[{\"insert\":{\"id\":1}}]");
        String forced = PipelineClient.token(
                feldera().post("/ingress/users?force=true&" + PipelineClient.ARRAY, "[{\"insert\":{\"id\":2}}]"));
        feldera().awaitComplete(forced);
        assertThat(feldera().rows("select id from users")).containsExactly("{\"id\":2}");
        assertThat(waiting).isNotDone();
        deployment().resume();
        feldera().awaitComplete(PipelineClient.token(waiting.join()));
        assertThat(feldera().rows("select id from users")).hasSize(2);
    }
}
