package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.net.URI;
import java.net.http.HttpRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The API server's own answers: programs, schemas, starts and stops, against the recorded exchange 15 and feldera.md 6.
 */
class PipelinesTest {
    private final FelderaStandin standin = FelderaStandin.start(StandinSettings.defaults());
    private final PipelineClient client = new PipelineClient(standin, "p");

    @AfterEach
    void close() {
        standin.close();
    }

    private static String program(String sql) {
        return Json.createObjectBuilder()
                .add("name", "p")
                .add("program_code", sql)
                .build()
                .toString();
    }

    private JsonObject define(String sql) {
        return PipelineClient.json(client.put(program(sql)));
    }

    @Test
    void aProgramBecomesASchema() {
        assertThat(client.put(program("CREATE TABLE t (a INT)")).statusCode()).isEqualTo(201);
        JsonObject descriptor = define("""
                -- every kind of column
                CREATE TABLE Orders (
                    id BIGINT NOT NULL, "Line" INTEGER, amount DECIMAL(12, 2) NOT NULL DEFAULT 0.50, n NUMERIC,
                    note VARCHAR(10), code CHAR(3), body TEXT, at TIMESTAMP LATENESS INTERVAL '1' HOUR,
                    seen TIMESTAMP WITH TIME ZONE, raw VARBINARY, tags VARCHAR ARRAY NOT NULL, grid INT ARRAY ARRAY,
                    attrs MAP<VARCHAR, INT>, pair ROW(x INT NOT NULL, y VARCHAR), doc VARIANT, d DOUBLE PRECISION,
                    CONSTRAINT_free BOOLEAN, PRIMARY KEY (id, "Line")
                ) WITH ('materialized' = 'true', 'append_only' = 'false');
                CREATE MATERIALIZED VIEW v AS SELECT * FROM Orders;
                """);
        assertThat(descriptor.getString("program_status")).isEqualTo("Success");
        JsonObject relation = descriptor
                .getJsonObject("program_info")
                .getJsonObject("schema")
                .getJsonArray("inputs")
                .getJsonObject(0);
        assertThat(relation.getString("name")).isEqualTo("orders");
        assertThat(relation.getBoolean("materialized")).isTrue();
        assertThat(relation.getJsonArray("primary_key").toString()).isEqualTo("[\"id\",\"Line\"]");
        assertThat(relation.getJsonObject("properties")
                        .getJsonObject("append_only")
                        .getString("value"))
                .isEqualTo("false");
        var fields = relation.getJsonArray("fields");
        assertThat(fields.getJsonObject(1).toString())
                .isEqualTo(
                        "{\"name\":\"Line\",\"case_sensitive\":true,\"columntype\":{\"type\":\"INTEGER\",\"nullable\":false},"
                                + "\"lateness\":null,\"default\":null,\"watermark\":null,\"unused\":false}");
        assertThat(fields.getJsonObject(2).getString("default")).isEqualTo("0.50");
        assertThat(fields.getJsonObject(2).getJsonObject("columntype").toString())
                .isEqualTo("{\"type\":\"DECIMAL\",\"nullable\":false,\"precision\":12,\"scale\":2}");
        assertThat(fields.getJsonObject(7).getString("lateness")).isEqualTo("INTERVAL '1' HOUR");
        assertThat(fields.getJsonObject(8).getJsonObject("columntype").getString("type"))
                .isEqualTo("TIMESTAMP_TZ");
        assertThat(fields.getJsonObject(10).getJsonObject("columntype").toString())
                .isEqualTo(
                        "{\"type\":\"ARRAY\",\"nullable\":false,\"component\":{\"type\":\"VARCHAR\",\"nullable\":true,"
                                + "\"precision\":-1}}");
        assertThat(fields).hasSize(17);
    }

    @Test
    void sqlThatDoesNotCompileIsAStatusAndNotAnError() {
        JsonObject descriptor = define("CREATE TABLE t (a INT,\n b WIDGET)");
        assertThat(descriptor.getString("program_status")).isEqualTo("SqlError");
        JsonObject message = descriptor
                .getJsonObject("program_error")
                .getJsonObject("sql_compilation")
                .getJsonArray("messages")
                .getJsonObject(0);
        assertThat(message.getString("message")).isEqualTo("Unknown type 'WIDGET'");
        assertThat(message.getInt("start_line_number")).isEqualTo(2);
        assertThat(descriptor.isNull("program_info")).isTrue();
        assertThat(client.post("/start", "").statusCode()).isEqualTo(400);
    }

    @Test
    void theStatusSelectorLeavesTheProgramOut() {
        define("CREATE TABLE t (a INT)");
        JsonObject status = PipelineClient.json(client.get("?selector=status"));
        assertThat(status).doesNotContainKeys("program_info", "program_code");
        assertThat(status.getString("deployment_status")).isEqualTo("Stopped");
    }

    @Test
    void startsPausesResumesAndStopsAsRecorded() {
        define("CREATE TABLE t (a INT)");
        assertThat(client.post("/pause", "").statusCode()).isEqualTo(503);
        var started = client.post("/start?initial=running", "");
        assertThat(started.statusCode()).isEqualTo(202);
        assertThat(started.body()).isEqualTo("\"Pipeline is starting\"");
        assertThat(client.post("/pause", "").body()).isEqualTo("\"Pipeline transitioning from Running to Paused\"");
        assertThat(PipelineClient.json(client.get("")).getString("deployment_status"))
                .isEqualTo("Paused");
        assertThat(client.post("/resume", "").body()).isEqualTo("\"Pipeline transitioning from Paused to Running\"");
        assertThat(client.put(program("CREATE TABLE u (a INT)")).body()).contains("UpdateRestrictedToStopped");
        assertThat(client.post("/stop", "").statusCode()).isEqualTo(501);
        assertThat(client.post("/stop?force=true", "").body()).isEqualTo("\"Pipeline is forcefully stopping\"");
        var refused = client.get("/stats");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body())
                .isEqualTo(
                        "{\"message\":\"Unable to interact with pipeline because the deployment status (stopped) indicates"
                                + " it is not (yet) fully provisioned pipeline-id=N/A pipeline-name=\\\"p\\\"\",\"error_code\":"
                                + "\"PipelineInteractionNotDeployed\",\"details\":{\"pipeline_name\":\"p\",\"status\":\"Stopped\","
                                + "\"desired_status\":\"Stopped\"}}");
    }

    @Test
    void aPipelineThatNobodyCreatedIsUnknown() {
        var unknown = client.get("/stats");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(PipelineClient.json(unknown).getString("error_code")).isEqualTo("UnknownPipelineName");
    }

    @Test
    void statsHaveTheRecordedMembers() {
        standin.deploy("p", RecordedProgram.SQL);
        client.written("users", "[{\"insert\":{\"id\":1}}]");
        JsonObject stats = client.stats();
        JsonObject global = stats.getJsonObject("global_metrics");
        assertThat(global.getString("state")).isEqualTo("Running");
        assertThat(global.getString("transaction_status")).isEqualTo("NoTransaction");
        assertThat(global.getJsonObject("transaction_initiators").isNull("initiated_by_api"))
                .isTrue();
        assertThat(global.getInt("total_input_records")).isEqualTo(1);
        assertThat(global.getInt("total_completed_records")).isEqualTo(1);
        assertThat(global.getInt("total_completed_steps")).isEqualTo(global.getInt("total_initiated_steps"));
        JsonObject input = stats.getJsonArray("inputs").getJsonObject(0);
        assertThat(input.getString("endpoint_name")).matches("users\\.api-ingress-[0-9a-f]{16}");
        assertThat(input.getJsonObject("config").getString("stream")).isEqualTo("users");
        assertThat(input.getJsonObject("metrics").getInt("buffered_records")).isZero();
        assertThat(input.getBoolean("paused")).isFalse();
        assertThat(input.getBoolean("barrier")).isFalse();
    }

    @Test
    void withoutTheKeyNothingIsAnswered() {
        try (var locked = FelderaStandin.start(StandinSettings.defaults().withApiKey("apikey:secret"))) {
            var other = new PipelineClient(locked, "p");
            assertThat(other.get("").statusCode()).isEqualTo(401);
            assertThat(PipelineClient.json(other.get("")).getString("error_code"))
                    .isEqualTo("AuthenticationFailed");
            var request = HttpRequest.newBuilder(URI.create(locked.url() + "/v0/config"))
                    .header("Authorization", "Bearer apikey:secret");
            assertThat(PipelineClient.json(other.send(request)).getString("edition"))
                    .isEqualTo("Open source");
        }
    }
}
