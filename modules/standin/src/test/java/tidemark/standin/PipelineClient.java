package tidemark.standin;

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
import java.util.function.BooleanSupplier;

/** Talks to one pipeline over real HTTP, and asks what tests ask. */
final class PipelineClient {
    static final String ARRAY = "format=json&update_format=insert_delete&array=true";
    static final String LINES = "format=json&update_format=insert_delete";

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;

    PipelineClient(FelderaStandin standin, String pipeline) {
        this(standin.url(), pipeline);
    }

    PipelineClient(String server, String pipeline) {
        url = server + "/v0/pipelines/" + pipeline;
    }

    HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(URI.create(url + path)).GET());
    }

    HttpResponse<String> post(String path, String body) {
        return send(posting(path, body));
    }

    HttpResponse<String> put(String body) {
        return send(HttpRequest.newBuilder(URI.create(url)).PUT(HttpRequest.BodyPublishers.ofString(body)));
    }

    CompletableFuture<HttpResponse<String>> postLater(String path, String body) {
        return http.sendAsync(posting(path, body).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder posting(String path, String body) {
        return HttpRequest.newBuilder(URI.create(url + path)).POST(HttpRequest.BodyPublishers.ofString(body));
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
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

    HttpResponse<String> query(String sql) {
        return get("/query?format=json&sql=" + URLEncoder.encode(sql, StandardCharsets.UTF_8));
    }

    List<String> rows(String sql) {
        return query(sql).body().lines().toList();
    }

    /** Posts one array and waits until it is visible. */
    String written(String table, String body) {
        HttpResponse<String> response = array(table, body);
        if (response.statusCode() != 200) {
            throw new AssertionError(response.statusCode() + " " + response.body());
        }
        String token = json(response).getString("token");
        awaitComplete(token);
        return token;
    }

    JsonObject completion(String token) {
        return json(get("/completion_status?token=" + token));
    }

    void awaitComplete(String token) {
        await(() -> completion(token).getString("status").equals("complete"));
    }

    JsonObject stats() {
        return json(get("/stats"));
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

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + PATIENCE);
            }
            Thread.onSpinWait();
        }
    }
}
