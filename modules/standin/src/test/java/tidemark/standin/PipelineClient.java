package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Talks to one pipeline over real HTTP as the recorded exchanges do, and asks what tests ask. */
public final class PipelineClient {
    public static final String ARRAY = "format=json&update_format=insert_delete&array=true";
    public static final String LINES = "format=json&update_format=insert_delete";

    /** Longer than the API server's 30 s, so that its answer comes first. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;
    private final Optional<String> apiKey;

    PipelineClient(FelderaStandin standin, String pipeline) {
        this(standin.url(), pipeline);
    }

    PipelineClient(String server, String pipeline) {
        this(server, pipeline, Optional.empty());
    }

    public PipelineClient(String server, String pipeline, Optional<String> apiKey) {
        this(server.replaceFirst("/$", "") + "/v0/pipelines/" + pipeline, apiKey);
    }

    private PipelineClient(String url, Optional<String> apiKey) {
        this.url = url;
        this.apiKey = apiKey;
    }

    /** To the pipeline's process itself, which has routes of its own. */
    static PipelineClient direct(FelderaStandin standin, String pipeline) {
        return new PipelineClient(standin.processUrl(pipeline), Optional.empty());
    }

    public HttpResponse<String> get(String path) {
        return send(request(path).GET());
    }

    public HttpResponse<String> post(String path, String body) {
        return send(posting(path, body));
    }

    public HttpResponse<String> put(String body) {
        return send(
                request("").header("Content-Type", "application/json").PUT(HttpRequest.BodyPublishers.ofString(body)));
    }

    public CompletableFuture<HttpResponse<String>> postLater(String path, String body) {
        return http.sendAsync(posting(path, body).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder posting(String path, String body) {
        return request(path).POST(HttpRequest.BodyPublishers.ofString(body));
    }

    /** To be completed with a method and sent. */
    public HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
        apiKey.ifPresent(key -> request.header("Authorization", "Bearer " + key));
        return request;
    }

    public HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    public HttpResponse<String> array(String table, String body) {
        return post("/ingress/" + table + "?" + ARRAY, body);
    }

    public HttpResponse<String> lines(String table, String body) {
        return post("/ingress/" + table + "?" + LINES, body);
    }

    /** The token of an array that must be accepted. */
    public String token(String table, String body) {
        return token(array(table, body));
    }

    public static String token(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return json(response).getString("token");
    }

    /** Posts one array and waits until it is visible. */
    public String written(String table, String body) {
        String token = token(table, body);
        awaitComplete(token);
        return token;
    }

    public HttpResponse<String> query(String sql) {
        return get("/query?format=json&sql=" + URLEncoder.encode(sql, StandardCharsets.UTF_8));
    }

    public List<String> rows(String sql) {
        return query(sql).body().lines().toList();
    }

    public JsonObject completion(String token) {
        return json(get("/completion_status?token=" + token));
    }

    public void awaitComplete(String token) {
        await(() -> completion(token).getString("status").equals("complete"));
    }

    /** All that the token counts is in a step, whether it is visible or not. */
    public void awaitStep(String token) {
        await(() -> !completion(token).isNull("step"));
    }

    public JsonObject stats() {
        return json(get("/stats"));
    }

    public JsonObject global() {
        return stats().getJsonObject("global_metrics");
    }

    /** The one endpoint of this table spelling, as {@code /stats} has it. */
    public JsonObject input(String table) {
        return stats().getJsonArray("inputs").getValuesAs(JsonObject.class).stream()
                .filter(input -> input.getString("endpoint_name").startsWith(table + ".api-ingress-"))
                .findFirst()
                .orElseThrow();
    }

    public JsonObject metrics(String table) {
        return input(table).getJsonObject("metrics");
    }

    public static JsonObject json(HttpResponse<String> response) {
        try (var reader = Json.createReader(new StringReader(response.body()))) {
            return reader.readObject();
        }
    }

    /** The one shape of all errors (feldera.md 1.7). */
    public static void assertError(HttpResponse<String> response, int status, String code) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(json(response)).containsOnlyKeys("message", "error_code", "details");
        assertThat(json(response).getString("error_code")).isEqualTo(code);
    }

    public static void await(BooleanSupplier condition) {
        await(PATIENCE, condition);
    }

    public static void await(Duration patience, BooleanSupplier condition) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
    }
}
