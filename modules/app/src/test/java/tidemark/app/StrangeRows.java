package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import tidemark.replication.TestPostgres;

/**
 * Somebody else who writes to a pipeline, through an endpoint of another spelling, which is not seen by the service.
 */
final class StrangeRows {
    private final HttpClient http = HttpClient.newHttpClient();
    private final String pipeline;

    StrangeRows(String feldera, String pipeline) {
        this.pipeline = "%s/v0/pipelines/%s".formatted(feldera, pipeline);
    }

    /** One operation, in Feldera's words, and until it is visible. */
    void post(String table, String operation) {
        JsonObject accepted = answer(HttpRequest.newBuilder(
                        URI.create("%s/ingress/%%22%s%%22?format=json&array=true&update_format=insert_delete"
                                .formatted(pipeline, table)))
                .POST(HttpRequest.BodyPublishers.ofString("[" + operation + "]")));
        TestPostgres.await(
                operation,
                () -> answer(HttpRequest.newBuilder(URI.create(
                                "%s/completion_status?token=%s".formatted(pipeline, accepted.getString("token")))))
                        .getString("status")
                        .equals("complete"));
    }

    /** How many operations the service's own endpoint has counted in this life of the pipeline. */
    long operationsOfTheService(String table) {
        return answer(HttpRequest.newBuilder(URI.create(pipeline + "/stats"))).getJsonArray("inputs").stream()
                .map(input -> input.asJsonObject())
                .filter(input -> input.getString("endpoint_name").startsWith(table + "."))
                .mapToLong(input -> input.getJsonObject("metrics")
                        .getJsonNumber("total_records")
                        .longValue())
                .sum();
    }

    private JsonObject answer(HttpRequest.Builder request) {
        try {
            HttpResponse<String> reply = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
            try (JsonReader reader = Json.createReader(new StringReader(reply.body()))) {
                return reader.readObject();
            }
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
