package tidemark.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinSettings;

/**
 * The proof over a real PostgreSQL and the stand-in, with the workload's own rows. PostgreSQL itself turns them into
 * JSON here, so neither the service's encoder nor the proof's comparison vouches for the other.
 */
class ProofTest {
    private static final Workload.Size SIZE = new Workload.Size(300, 200, 200, 200, 500);

    @TempDir
    static Path directory;

    private static EmbeddedDatabase postgres;
    private static SourceDatabase database;

    private static FelderaStandin standin;
    private static HttpClient client;
    private static Pipeline delivered;

    @BeforeAll
    static void runTheWorkloadAndDeliverIt() throws Exception {
        postgres = EmbeddedDatabase.start(directory);
        database = postgres.database();
        database.execute(DemoTables.POSTGRES);
        Workload workload = new Workload(new SplittableRandom(1), SIZE);
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            for (Transaction transaction : workload.initialRows()) statement.execute(transaction.sql());
            statement.execute(workload.bigTransaction().sql());
            for (int i = 0; i < 1500; i++) statement.execute(workload.next().sql());
        }
        client = HttpClient.newHttpClient();
        standin = FelderaStandin.start(StandinSettings.defaults());
        delivered = deploy("delivered");
        for (String table : List.of("customers", "products", "orders", "order_lines")) {
            deliver("delivered", table, table);
        }
        deliver("delivered", "readings", "sensor_readings");
    }

    @AfterAll
    static void stop() {
        delivered.close();
        client.close();
        standin.close();
        postgres.close();
    }

    @ParameterizedTest
    @CsvSource({
        "customers,customers",
        "products,products",
        "orders,orders",
        "order_lines,order_lines",
        "readings,sensor_readings"
    })
    void everyRowOfTheWorkloadIsEqualWhenItWasDelivered(String table, String feldera) {
        TableProof proof = proof(delivered, table, feldera);
        assertThat(proof.examples()).isEmpty();
        assertThat(proof.isEqual()).isTrue();
        assertThat(proof.postgresRows()).isEqualTo(proof.felderaRows()).isPositive();
        assertThat(proof.notCompared()).isEmpty();
    }

    @Test
    void oneLostOneStaleAndOneLeftOverRowAreFound() throws Exception {
        try (Pipeline damaged = deploy("damaged")) {
            deliver("damaged", "readings", "sensor_readings");
            send("damaged", "sensor_readings", "{\"delete\": {\"id\": 7}}, {\"update\": {\"id\": 8, \"good\": null}}");
            send(
                    "damaged",
                    "sensor_readings",
                    "{\"insert\": {\"id\": 0, \"sensor\": \"x\", \"taken\": \"2026-01-01T00:00:00Z\"}}");
            assertThat(proof(damaged, "readings", "sensor_readings").examples())
                    .containsExactly("only in Feldera: id=0", "missing in Feldera: id=7", "id=8: differs in good");
        }
    }

    @Test
    void aTableThatThePipelineDoesNotHaveIsRefusedByName() {
        assertThatThrownBy(() -> delivered.table("nosuch"))
                .isInstanceOf(DemoFailure.class)
                .hasMessageContaining("nosuch");
    }

    private static Pipeline deploy(String name) {
        Pipeline pipeline = new Pipeline(URI.create(standin.url()), name, "");
        pipeline.ensureRunning(DemoTables.FELDERA);
        return pipeline;
    }

    private static TableProof proof(Pipeline pipeline, String table, String feldera) {
        ComparedTable compared =
                ComparedTable.of("public." + table, database.columns("public", table), pipeline.table(feldera));
        try (PostgresRows source = new PostgresRows(database, compared);
                FelderaRows destination = new FelderaRows(pipeline, compared)) {
            return TableProof.of(compared, source, destination);
        }
    }

    private static void deliver(String pipeline, String table, String feldera) throws Exception {
        String pairs = database.columns("public", table).stream()
                .map(column -> "'%s', %s".formatted(column.name(), json(column)))
                .collect(Collectors.joining(", "));
        String sql = "SELECT string_agg(json_build_object('insert', json_build_object(%s))::text, ',') FROM %s"
                .formatted(pairs, table);
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            send(pipeline, feldera, rows.getString(1));
        }
    }

    private static String json(SourceDatabase.Column column) {
        return column.type().equals("bytea")
                ? ("CASE WHEN %1$s IS NULL THEN NULL ELSE (SELECT coalesce(json_agg(get_byte(%1$s, i)), '[]'::json)"
                                + " FROM generate_series(0, length(%1$s) - 1) i) END")
                        .formatted(column.name())
                : column.name();
    }

    /** Into the one endpoint of the table, and until it is visible. */
    private static void send(String pipeline, String table, String elements) throws Exception {
        String path = standin.url() + "/v0/pipelines/" + pipeline;
        HttpResponse<String> accepted = http(HttpRequest.newBuilder(
                        URI.create(path + "/ingress/" + table + "?format=json&update_format=insert_delete&array=true"))
                .POST(HttpRequest.BodyPublishers.ofString("[" + elements + "]")));
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(200);
        String token = accepted.body().replaceAll(".*\"token\":\"([^\"]+)\".*", "$1");
        URI completion = URI.create(path + "/completion_status?token=" + token);
        Instant deadline = Instant.now().plusSeconds(30);
        while (!http(HttpRequest.newBuilder(completion)).body().contains("\"complete\"")) {
            assertThat(Instant.now()).as("the array to be complete").isBefore(deadline);
        }
    }

    private static HttpResponse<String> http(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
