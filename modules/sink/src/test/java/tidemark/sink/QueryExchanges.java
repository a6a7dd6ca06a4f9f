package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidemark.standin.PipelineClient;

/** Questions and their answers: the recorded exchanges 06, 10, 13, 15 and 21. */
interface QueryExchanges {
    PipelineClient feldera();

    Deployment deployment();

    /** {@code Open source} or {@code Enterprise}. */
    String edition();

    @Test
    default void anErrorInTheStreamHasStatus200AndIsRepairedByTheMissingRow() {
        feldera().written("nokey", "[{\"delete\":{\"a\":1,\"b\":\"never inserted\"}}]");
        HttpResponse<String> broken = feldera().query("select * from nokey");
        assertThat(broken.statusCode()).isEqualTo(200);
        assertThat(broken.body())
                .isEqualTo("{\"error\":\"Execution error: Unexpected record with negative weight encountered while"
                        + " processing ad-hoc query.\"}");
        assertThat(feldera().rows("select count(*) as n from users")).containsExactly("{\"n\":0}");
        feldera().written("nokey", "[{\"insert\":{\"a\":1,\"b\":\"never inserted\"}}]");
        assertThat(feldera().rows("select * from nokey")).isEmpty();
        assertThat(feldera().rows("select count(*) as n from nokey")).containsExactly("{\"n\":0}");
    }

    @Test
    default void aKeylessTableRepeatsItsDuplicates() {
        feldera().written("nokey", "[{\"insert\":{\"a\":1}},{\"insert\":{\"a\":1}},{\"insert\":{\"a\":2}}]");
        feldera().written("nokey", "[{\"delete\":{\"a\":2}}]");
        assertThat(feldera().rows("select a from nokey")).containsExactly("{\"a\":1}", "{\"a\":1}");
    }

    @Test
    default void whatCannotBePlannedIsRefused() {
        PipelineClient.assertError(feldera().query("select * from nosuch"), 400, "AdHocQueryError");
        PipelineClient.assertError(feldera().query("select nosuch from users"), 400, "AdHocQueryError");
        PipelineClient.assertError(feldera().query("delete from users"), 400, "AdHocQueryError");
        HttpResponse<String> refused = feldera().query("select * from notmat2");
        PipelineClient.assertError(refused, 400, "AdHocQueryError");
        assertThat(refused.body()).contains("non-materialized");
    }

    /** The recorded exchange 06: not visible at once, which 21 of 100 were not. */
    @Test
    default void anInsertGoesByAnEndpointOfItsOwnThatDoesNotStay() {
        feldera().written("users", "[{\"insert\":{\"id\":1}}]");
        HttpResponse<String> answer = feldera().query("insert into users (id,name) values (4100,'viaquery')");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body().strip()).isEqualTo("{\"count\":1}");
        PipelineClient.await(() ->
                feldera().rows("select name from users where id = 4100").equals(List.of("{\"name\":\"viaquery\"}")));
        PipelineClient.await(() -> feldera().stats().getJsonArray("inputs").size() == 1);
        assertThat(feldera().metrics("users").getInt("total_records")).isEqualTo(1);
        PipelineClient.assertError(
                feldera().query("insert into users (id,name) values (null,'x')"), 400, "AdHocQueryError");
    }

    @Test
    default void aStatementThatWritesOtherwiseIsRefused() {
        for (String sql : List.of(
                "truncate table users",
                "update users set name = 'x' where id = 1",
                "create table t1 (a int)",
                "drop table users",
                "set x = 1")) {
            PipelineClient.assertError(feldera().query(sql), 400, "AdHocQueryError");
        }
        assertThat(feldera().query("delete from users where id = 1").body())
                .contains("caused by\\nThis feature is not implemented: DELETE not supported for Base table");
    }

    @Test
    default void aKeyedTableIsReadableWithoutBeingDeclaredMaterialized() {
        feldera().written("items", "[{\"insert\":{\"order_id\":1,\"line\":1,\"price\":\"1.5\"}}]");
        assertThat(feldera().rows("select price from items")).containsExactly("{\"price\":1.50}");
    }

    @Test
    default void aLongUrlIsTakenAndAVeryLongOneIsNot() {
        assertThat(feldera()
                        .query("select id from users where id < 9" + " and id < 9".repeat(1_000))
                        .statusCode())
                .isEqualTo(200);
        assertThat(feldera()
                        .query("select id from users where id < 9" + " and id < 9".repeat(6_000))
                        .statusCode())
                .isGreaterThanOrEqualTo(400);
        assertThat(feldera().post("/query", "").statusCode()).isEqualTo(403);
    }

    @Test
    default void textIsOrderedByItsBytes() {
        feldera()
                .written(
                        "users",
                        "[{\"insert\":{\"id\":1,\"name\":\"b\"}},{\"insert\":{\"id\":2,\"name\":\"B\"}},{\"insert\":{\"id\":3,\"name\":\"é\"}}]");
        assertThat(feldera().rows("select name from users order by name"))
                .containsExactly("{\"name\":\"B\"}", "{\"name\":\"b\"}", "{\"name\":\"é\"}");
    }

    @Test
    default void aCheckpointIsAMatterOfTheEdition() {
        HttpResponse<String> answer = feldera().post("/checkpoint", "");
        String none = "00000000-0000-0000-0000-000000000000";
        if (edition().equals("Open source")) {
            PipelineClient.assertError(answer, 501, "EnterpriseFeature");
            assertThat(feldera().get("/checkpoint_status").body()).isEqualTo("{\"success\":null,\"failure\":null}");
        } else {
            int number = PipelineClient.json(answer).getInt("checkpoint_sequence_number");
            assertThat(PipelineClient.json(answer).getString("incarnation_uuid"))
                    .isEqualTo(feldera().global().getString("incarnation_uuid"));
            PipelineClient.await(
                    () -> feldera().get("/checkpoint_status").body().contains("\"success\":" + number));
        }
        if (edition().equals("Open source")) {
            PipelineClient.assertError(feldera().post("/stop?force=false", ""), 501, "EnterpriseFeature");
        }
        PipelineClient.assertError(
                feldera().get("/checkpoint_status?incarnation_uuid=" + none), 400, "IncarnationUuidMismatch");
    }

    /** The recorded exchange 18, but for the edition that has no checkpoints. */
    @Test
    default void aStopWithoutForceKeepsRowsAndCountersAndVoidsTokens() {
        assumeThat(edition()).isEqualTo("Enterprise");
        String token = feldera().written("users", "[{\"insert\":{\"id\":1}},{\"insert\":{\"id\":2}}]");
        long begun = feldera().global().getInt("initial_start_time");
        deployment().resumeFromCheckpoint();
        assertThat(feldera().rows("select id from users")).hasSize(2);
        assertThat(feldera().metrics("users").getInt("total_records")).isEqualTo(2);
        assertThat(feldera().global().getInt("initial_start_time")).isEqualTo((int) begun);
        PipelineClient.assertError(feldera().get("/completion_status?token=" + token), 410, "PipelineRestarted");
        assertThat(feldera().global().getInt("total_input_records"))
                .isEqualTo(feldera().global().getInt("total_completed_records"));
    }

    @Test
    default void aStoppedPipelineSaysWhenToComeAgain() {
        deployment().stop();
        HttpResponse<String> refused = feldera().get("/stats");
        PipelineClient.assertError(refused, 503, "PipelineInteractionNotDeployed");
        assertThat(refused.headers().firstValue("Retry-After")).contains("5");
        PipelineClient.assertError(feldera().array("users", "[]"), 503, "PipelineInteractionNotDeployed");
    }

    @Test
    default void aSettledPipelineSaysSo() {
        feldera().written("users", "[{\"insert\":{\"id\":1}}]");
        var global = feldera().global();
        assertThat(global.getString("state")).isEqualTo("Running");
        assertThat(global.getString("transaction_status")).isEqualTo("NoTransaction");
        assertThat(global.getJsonObject("transaction_initiators").isNull("initiated_by_api"))
                .isTrue();
        assertThat(global.getInt("total_input_records"))
                .isEqualTo(global.getInt("total_completed_records"))
                .isEqualTo(1);
        assertThat(global.getInt("initial_start_time")).isEqualTo(global.getInt("start_time"));
        var input = feldera().stats().getJsonArray("inputs").getJsonObject(0);
        assertThat(input.getString("endpoint_name")).matches("users\\.api-ingress-[0-9a-f]{16}");
        assertThat(input.getBoolean("paused")).isFalse();
        assertThat(input.getBoolean("barrier")).isFalse();
    }
}
