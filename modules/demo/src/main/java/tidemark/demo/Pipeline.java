package tidemark.demo;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonException;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tidemark.delivery.ExitCode;

/**
 * The demo's own look at Feldera, independent of the service: a pipeline, its tables, its rows.
 *
 * <p>Owned by the main thread.
 */
final class Pipeline implements Teardown.Running {
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
    /** Of a real Feldera: it compiles the program to Rust. */
    private static final Duration START_LIMIT = Duration.ofMinutes(15);
    /** Error bodies are unbounded (a malformed 3 MB array was answered with 6.2 MB): a prefix says enough. */
    private static final int ERROR_PREFIX_BYTES = 600;

    private final URI base;
    private final String name;
    private final String apiKey;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER_LIMIT).build();

    /** A table of the program; names canonical: lower case unless quoted. */
    record Table(String name, List<Column> columns, List<String> primaryKey) {}

    /**
     * @param type Feldera's word: BIGINT, VARCHAR, TIMESTAMP_TZ …
     * @param precision of a DECIMAL: all digits, {@code scale} of them after the point
     */
    record Column(String name, String type, int precision, int scale) {}

    /** @param apiKey empty for none */
    Pipeline(URI api, String name, String apiKey) {
        this.base = URI.create(api + "/v0/pipelines/" + encoded(name));
        this.name = name;
        this.apiKey = apiKey;
    }

    /** Makes the pipeline if there is none of this name, and waits until it runs. */
    void ensureRunning(String program) {
        if (exchange("GET", "", "").statusCode() == 404) {
            String body = Json.createObjectBuilder()
                    .add("name", name)
                    .add("description", "tables of the Tidemark demo")
                    .add("program_code", program)
                    .build()
                    .toString();
            require(exchange("PUT", "", body), "create pipeline");
            awaitField("program_status", "Success");
            require(exchange("POST", "/start", ""), "start pipeline");
        }
        awaitField("deployment_status", "Running");
    }

    /** @throws DemoFailure {@link ExitCode#CONFIGURATION} when the program has no such table */
    Table table(String spelling) {
        String wanted = canonical(spelling);
        JsonObject schema = describe().getJsonObject("program_info").getJsonObject("schema");
        return schema.getJsonArray("inputs").getValuesAs(Pipeline::table).stream()
                .filter(table -> table.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new DemoFailure(
                        ExitCode.CONFIGURATION, "pipeline '%s' has no table %s".formatted(name, spelling)));
    }

    /** Streams the answer of an ad-hoc query, one JSON object a line. The caller closes it. */
    InputStream query(String sql) {
        String path = "/query?format=json&sql=" + encoded(sql);
        HttpResponse<InputStream> answer = send(request(path).GET().build(), HttpResponse.BodyHandlers.ofInputStream());
        if (answer.statusCode() == 200) return answer.body();
        try (InputStream body = answer.body()) {
            throw refused(
                    "query",
                    answer.statusCode(),
                    new String(body.readNBytes(ERROR_PREFIX_BYTES), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new DemoFailure(ExitCode.UNREACHABLE, "Feldera broke off an answer", e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private void awaitField(String field, String value) {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        String seen;
        do {
            seen = describe().getString(field, "");
            if (seen.equals(value)) return;
            if (seen.endsWith("Error")) {
                throw new DemoFailure(ExitCode.CONFIGURATION, "pipeline '%s': %s %s".formatted(name, field, seen));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            if (Thread.currentThread().isInterrupted()) break;
        } while (System.nanoTime() < deadline);
        throw new DemoFailure(
                ExitCode.UNREACHABLE, "pipeline '%s': %s is %s, not %s".formatted(name, field, seen, value));
    }

    private JsonObject describe() {
        HttpResponse<String> answer = exchange("GET", "", "");
        require(answer, "describe pipeline");
        try (JsonReader reader = Json.createReader(new StringReader(answer.body()))) {
            return reader.readObject();
        } catch (JsonException e) {
            throw new DemoFailure(
                    ExitCode.PROTOCOL, "Feldera's description of pipeline '%s' is not JSON".formatted(name), e);
        }
    }

    private static Table table(JsonValue value) {
        JsonObject table = value.asJsonObject();
        List<Column> columns = table.getJsonArray("fields").getValuesAs(field -> {
            JsonObject column = field.asJsonObject();
            JsonObject type = column.getJsonObject("columntype");
            return new Column(
                    name(column), type.getString("type"), number(type, "precision", 38), number(type, "scale", 0));
        });
        List<String> key = table.get("primary_key") instanceof JsonArray names
                ? names.getValuesAs(JsonString::getString)
                : List.of();
        return new Table(name(table), columns, key);
    }

    private static String name(JsonObject named) {
        String name = named.getString("name");
        return named.getBoolean("case_sensitive", false) ? name : canonical(name);
    }

    private static int number(JsonObject object, String field, int otherwise) {
        return object.get(field) instanceof JsonNumber number ? number.intValueExact() : otherwise;
    }

    /** As Feldera folds it: exact between double quotes, else lower case. */
    private static String canonical(String spelling) {
        boolean quoted = spelling.length() > 1 && spelling.startsWith("\"") && spelling.endsWith("\"");
        return quoted
                ? spelling.substring(1, spelling.length() - 1).replace("\"\"", "\"")
                : spelling.toLowerCase(Locale.ROOT);
    }

    private HttpResponse<String> exchange(String method, String path, String body) {
        HttpRequest.Builder request = request(path).timeout(ANSWER_LIMIT).header("Content-Type", "application/json");
        request.method(
                method,
                body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        return send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        return apiKey.isEmpty() ? request : request.header("Authorization", "Bearer " + apiKey);
    }

    private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        try {
            return http.send(request, handler);
        } catch (IOException e) {
            throw new DemoFailure(ExitCode.UNREACHABLE, "no answer from Feldera at " + base, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DemoFailure(ExitCode.TEMPORARY, "the demo is ending", e);
        }
    }

    private static void require(HttpResponse<String> answer, String attempted) {
        if (answer.statusCode() / 100 != 2) throw refused(attempted, answer.statusCode(), answer.body());
    }

    private static DemoFailure refused(String attempted, int status, String body) {
        ExitCode exit = switch (status) {
            case 401, 403 -> ExitCode.CREDENTIALS;
            case 503 -> ExitCode.UNREACHABLE;
            default -> ExitCode.CONFIGURATION;
        };
        String prefix = body.substring(0, Math.min(body.length(), ERROR_PREFIX_BYTES));
        return new DemoFailure(exit, "Feldera answered %d to '%s': %s".formatted(status, attempted, prefix));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
