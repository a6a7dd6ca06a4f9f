package tidemark.sink;

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
import java.util.concurrent.CompletableFuture;

/** One pipeline over plain HTTP: for what the client hides, as the recorded exchanges have it. */
final class RawFeldera {
    static final String ARRAY = "format=json&update_format=insert_delete&array=true";
    static final String LINES = "format=json&update_format=insert_delete";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final FelderaSettings settings;

    RawFeldera(FelderaSettings settings) {
        this.settings = settings;
    }

    HttpResponse<String> get(String path) {
        return send(request(path).GET());
    }

    HttpResponse<String> post(String path, String body) {
        return send(request(path).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    CompletableFuture<HttpResponse<String>> postLater(String path, String body) {
        return http.sendAsync(
                request(path).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        String url = settings.url().toString().replaceFirst("/$", "");
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(url + "/v0/pipelines/" + settings.pipeline() + path))
                .timeout(Duration.ofSeconds(60));
        settings.apiKey().ifPresent(key -> request.header("Authorization", "Bearer " + key));
        return request;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    HttpResponse<String> array(String table, String body) {
        return post("/ingress/" + table + "?" + ARRAY, body);
    }

    HttpResponse<String> lines(String table, String body) {
        return post("/ingress/" + table + "?" + LINES, body);
    }

    /** The token of an array that must be accepted. */
    String token(String table, String body) {
        return token(array(table, body));
    }

    static String token(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return json(response).getString("token");
    }

    /** Posts one array and waits until it is visible. */
    String written(String table, String body) {
        String token = token(table, body);
        awaitComplete(token);
        return token;
    }

    JsonObject completion(String token) {
        return json(get("/completion_status?token=" + token));
    }

    void awaitComplete(String token) {
        Deployment.await(() -> completion(token).getString("status").equals("complete"));
    }

    void awaitStep(String token) {
        Deployment.await(() -> !completion(token).isNull("step"));
    }

    HttpResponse<String> query(String sql) {
        return get("/query?format=json&sql=" + URLEncoder.encode(sql, StandardCharsets.UTF_8));
    }

    List<String> rows(String sql) {
        return query(sql).body().lines().toList();
    }

    JsonObject stats() {
        return json(get("/stats"));
    }

    JsonObject global() {
        return stats().getJsonObject("global_metrics");
    }

    /** The metrics of the one endpoint of this table spelling. */
    JsonObject metrics(String table) {
        return stats().getJsonArray("inputs").getValuesAs(JsonObject.class).stream()
                .filter(input -> input.getString("endpoint_name").startsWith(table + ".api-ingress-"))
                .findFirst()
                .orElseThrow()
                .getJsonObject("metrics");
    }

    static JsonObject json(HttpResponse<String> response) {
        try (var reader = Json.createReader(new StringReader(response.body()))) {
            return reader.readObject();
        }
    }

    static void assertError(HttpResponse<String> response, int status, String code) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(json(response)).containsOnlyKeys("message", "error_code", "details");
        assertThat(json(response).getString("error_code")).isEqualTo(code);
    }
}
