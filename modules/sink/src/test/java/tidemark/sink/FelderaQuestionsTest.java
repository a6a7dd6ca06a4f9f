package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidemark.sink.FelderaTable.ColumnType;
import tidemark.sink.FelderaTable.Parts;

/** How the recorded replies to questions are read. */
class FelderaQuestionsTest {
    private static final CompletionToken TOKEN = CompletionToken.read("dA");

    private static <T> T answer(String status, String body, Function<FelderaClient, T> question) {
        try (ScriptedServer server = new ScriptedServer();
                FelderaClient client = new FelderaClient(server.settings())) {
            server.thenReply("HTTP/1.1 " + status + "\n", body);
            return question.apply(client);
        }
    }

    private static <T> T answer(String body, Function<FelderaClient, T> question) {
        return answer("200 OK", body, question);
    }

    private static Completion completion(String status, String body) {
        return answer(status, body, client -> client.completion(TOKEN));
    }

    @Test
    void completionTellsWhetherEveryRecordWasStepped() {
        assertThat(completion("200 OK", "{\"status\":\"complete\",\"step\":5089}"))
                .isEqualTo(new Completion.Complete());
        assertThat(completion("200 OK", "{\"status\":\"inprogress\",\"step\":5089}"))
                .isEqualTo(new Completion.InProgress(true));
        assertThat(completion("200 OK", "{\"status\":\"inprogress\",\"step\":null}"))
                .isEqualTo(new Completion.InProgress(false));
    }

    @ParameterizedTest
    @CsvSource({"PipelineRestarted", "UnknownEndpointInCompletionToken", "SomethingElseThatIsGone"})
    void aTokenOfAnotherLifeIsVoid(String code) {
        String body = "{\"message\":\"m\",\"error_code\":\"" + code + "\",\"details\":{}}";
        assertThat(completion("410 Gone", body)).isEqualTo(new Completion.Voided());
    }

    @ParameterizedTest
    @CsvSource({
        "410 Gone,        Terminating,                   TRANSIENT",
        "503 Unavailable, PipelineInteractionUnreachable, TRANSIENT",
        "503 Unavailable, PipelineInteractionNotDeployed, TRANSIENT",
        "400 Bad,         InvalidParam,                   PERMANENT",
        "404 Not Found,   UnknownPipelineName,            MISCONFIGURED",
        "401 Unauthorized, InvalidApiKey,                 CREDENTIALS",
        "500 Internal,    BrandNew,                       PROTOCOL",
        "200 OK,          NoStatusAtAll,                  PROTOCOL"
    })
    void aQuestionThatIsNotAnsweredFailsByKind(String status, String code, SinkFailure.Kind kind) {
        String body = "{\"message\":\"m\",\"error_code\":\"" + code + "\"}";
        assertThatThrownBy(() -> completion(status, body))
                .isInstanceOfSatisfying(
                        SinkFailure.class, failure -> assertThat(failure.kind()).isEqualTo(kind));
        assertThatThrownBy(() -> answer(status, body, FelderaClient::stats))
                .isInstanceOfSatisfying(
                        SinkFailure.class, failure -> assertThat(failure.kind()).isEqualTo(kind));
    }

    /** Recorded: feldera/13-restart-stats, shortened. */
    private static String stats(String before, String after) {
        return """
                {"global_metrics":{"state":"Running","transaction_status":"NoTransaction","transaction_id":0,
                "transaction_initiators":{"transaction_id":null,"initiated_by_api":null,"initiated_by_connectors":{}},
                "start_time":1795979164,"incarnation_uuid":"01a228b3-3d39-71c1-8b5f-3cf75fd44e52","initial_start_time":1795979164,
                "total_input_records":2,"total_processed_records":2,"total_completed_records":2},
                "suspend_error":{"Permanent":["EnterpriseFeature"]},
                "inputs":[{"endpoint_name":"users.api-ingress-de8fe00951133914","config":{"stream":"users"},
                "metrics":{"total_records":2,"buffered_records":0},"fatal_error":null,"paused":false,"barrier":false},
                {"endpoint_name":"\\"Foo\\".api-ingress-a34a5771b1d55496","metrics":{"total_records":5}}],"outputs":[]}""".replace(before, after);
    }

    @Test
    void statsTellLifeAndCountsOfEveryEndpoint() {
        assertThat(answer(stats("", ""), FelderaClient::stats))
                .isEqualTo(new PipelineStats(
                        "01a228b3-3d39-71c1-8b5f-3cf75fd44e52",
                        true,
                        "Running",
                        false,
                        true,
                        Map.of("users.api-ingress-de8fe00951133914", 2L, "\"Foo\".api-ingress-a34a5771b1d55496", 5L)));
    }

    /** Other parameters make another endpoint, and which hash is ours the name does not tell. */
    @Test
    void statsTellTheMostThatATablesEndpointCanHaveTaken() {
        var stats = new PipelineStats(
                "life",
                true,
                "Running",
                false,
                true,
                Map.of(
                        "users.api-ingress-de8fe00951133914",
                        2L,
                        "users.api-ingress-0000000000000001",
                        3L,
                        "\"users\".api-ingress-de8fe00951133914",
                        7L,
                        "users2.api-ingress-de8fe00951133914",
                        8L,
                        "users.kafka",
                        9L));
        assertThat(stats.mostOperations(new FelderaName("users", false))).isEqualTo(5);
        assertThat(stats.mostOperations(new FelderaName("users", true))).isEqualTo(7);
        assertThat(stats.mostOperations(new FelderaName("items", false))).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "'\"total_completed_records\":2', '\"total_completed_records\":1', false",
        "'\"paused\":false', '\"paused\":true', false",
        "'\"barrier\":false', '\"barrier\":true', false",
        "NoTransaction, TransactionInProgress, true",
        "NoTransaction, CommitInProgress, true",
        "'\"initiated_by_api\":null', '\"initiated_by_api\":\"Started\"', true"
    })
    void statsAreSettledOnlyWhenNothingIsUnderWay(String before, String after, boolean transactionOpen) {
        PipelineStats stats = answer(stats(before, after), FelderaClient::stats);
        assertThat(stats.settled()).isFalse();
        assertThat(stats.transactionOpen()).isEqualTo(transactionOpen);
    }

    @Test
    void aProcessThatResumedIsNotFresh() {
        assertThat(answer(
                                stats("\"initial_start_time\":1795979164", "\"initial_start_time\":1795970000"),
                                FelderaClient::stats)
                        .fresh())
                .isFalse();
    }

    @Test
    void countsWithoutALifeAreNoAnswer() {
        assertThatThrownBy(() -> answer("{\"global_metrics\":{\"state\":\"Running\"}}", FelderaClient::stats))
                .isInstanceOfSatisfying(
                        SinkFailure.class, failure -> assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.PROTOCOL));
    }

    @Test
    void theDescriptorAnswersForAPipelineThatIsStopped() {
        String descriptor = """
                {"id":"01a2","name":"p","tags":[],"platform_version":"0.337.0","program_status":"Success","deployment_error":null,
                "storage_status_details":{"checkpoints":[]},"deployment_status":"Stopped","deployment_desired_status":"Stopped"}""";
        PipelineStatus status = answer(descriptor, FelderaClient::pipeline);
        assertThat(status).isEqualTo(new PipelineStatus("Success", "Stopped", "0.337.0"));
        assertThat(status.isRunning()).isFalse();
    }

    @Test
    void tablesComeWithTypesKeysAndProperties() {
        String descriptor = """
                {"program_status":"Success","program_info":{"schema":{"inputs":[
                {"name":"Users","case_sensitive":false,"materialized":true,"primary_key":["ID","Part"],
                 "properties":{"append_only":{"value":"true","key_position":{},"value_position":{}},"connectors":{"value":"[{}]"}},
                 "fields":[
                 {"name":"ID","case_sensitive":false,"unused":false,"lateness":null,"default":null,
                  "columntype":{"type":"BIGINT","nullable":false,"precision":null,"scale":null,"component":null}},
                 {"name":"Part","case_sensitive":true,"default":"'x'","columntype":{"type":"VARCHAR","nullable":true,"precision":-1}},
                 {"name":"price","case_sensitive":false,"lateness":"1.5","watermark":"2","columntype":{"type":"DECIMAL","nullable":true,"precision":10,"scale":2}},
                 {"name":"tags","case_sensitive":false,
                  "columntype":{"type":"ARRAY","nullable":true,"component":{"type":"VARCHAR","nullable":true,"precision":-1}}},
                 {"name":"labels","case_sensitive":false,
                  "columntype":{"type":"MAP","nullable":true,"key":{"type":"VARCHAR","nullable":false},
                                "value":{"type":"VARCHAR","nullable":true,"precision":-1}}},
                 {"name":"place","case_sensitive":false,
                  "columntype":{"type":"STRUCT","nullable":false,"fields":[
                    {"name":"X","case_sensitive":false,"columntype":{"type":"DECIMAL","nullable":true,"precision":10,"scale":2}},
                    {"name":"Y","case_sensitive":true,"columntype":{"type":"VARCHAR","nullable":true,"precision":-1}}]}}]},
                {"name":"Bare","case_sensitive":true}],"outputs":[{"name":"v"}]}}}""";

        List<FelderaTable> tables = answer(descriptor, FelderaClient::tables);

        ColumnType varchar = plain("VARCHAR", true);
        var price = new ColumnType("DECIMAL", true, Optional.of(10L), Optional.of(2L), new Parts.None());
        assertThat(tables)
                .containsExactly(
                        new FelderaTable(
                                new FelderaName("users", false),
                                List.of(
                                        column("id", plain("BIGINT", false)),
                                        new FelderaTable.Column(
                                                new FelderaName("Part", true),
                                                varchar,
                                                Optional.of("'x'"),
                                                Optional.empty(),
                                                Optional.empty()),
                                        new FelderaTable.Column(
                                                new FelderaName("price", false),
                                                price,
                                                Optional.empty(),
                                                Optional.of("1.5"),
                                                Optional.of("2")),
                                        column("tags", nested("ARRAY", true, new Parts.Component(varchar))),
                                        column(
                                                "labels",
                                                nested(
                                                        "MAP",
                                                        true,
                                                        new Parts.Entries(plain("VARCHAR", false), varchar))),
                                        column(
                                                "place",
                                                nested(
                                                        "STRUCT",
                                                        false,
                                                        new Parts.Fields(List.of(
                                                                new FelderaTable.Field(
                                                                        new FelderaName("x", false), price),
                                                                new FelderaTable.Field(
                                                                        new FelderaName("Y", true), varchar)))))),
                                List.of("id", "Part"),
                                true,
                                true,
                                true),
                        new FelderaTable(new FelderaName("Bare", true), List.of(), List.of(), false, false, false));
        assertThat(tables.getFirst().columns())
                .extracting(column -> column.type().declared())
                .containsExactly(
                        "BIGINT",
                        "VARCHAR",
                        "DECIMAL(10, 2)",
                        "VARCHAR ARRAY",
                        "MAP<VARCHAR, VARCHAR>",
                        "ROW(x DECIMAL(10, 2), \"Y\" VARCHAR)");
    }

    private static ColumnType plain(String type, boolean nullable) {
        return nested(type, nullable, new Parts.None());
    }

    private static ColumnType nested(String type, boolean nullable, Parts parts) {
        return new ColumnType(type, nullable, Optional.empty(), Optional.empty(), parts);
    }

    private static FelderaTable.Column column(String name, ColumnType type) {
        return FelderaTable.Column.of(new FelderaName(name, false), type);
    }

    @ParameterizedTest
    @CsvSource({"CompilingSql,TRANSIENT", "Pending,TRANSIENT", "SqlError,MISCONFIGURED", "SystemError,MISCONFIGURED"})
    void aProgramThatIsNotCompiledHasNoTablesYetOrNever(String status, SinkFailure.Kind kind) {
        String descriptor = "{\"program_status\":\"" + status + "\",\"program_info\":null}";
        assertThatThrownBy(() -> answer(descriptor, FelderaClient::tables))
                .isInstanceOfSatisfying(
                        SinkFailure.class, failure -> assertThat(failure.kind()).isEqualTo(kind))
                .hasMessageContaining(status);
    }
}
