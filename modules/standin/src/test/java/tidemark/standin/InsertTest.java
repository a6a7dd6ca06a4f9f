package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** INSERT and the other statements of {@code /query} that write or would: the recorded exchange 06. */
class InsertTest {
    private final FelderaStandin standin = FelderaStandin.start(StandinSettings.defaults());
    private final StandinPipeline pipeline = standin.deploy("p", RecordedProgram.SQL);
    private final PipelineClient client = new PipelineClient(standin, "p");

    @AfterEach
    void close() {
        standin.close();
    }

    private void settle() {
        PipelineClient.await(() ->
                client.global().getInt("total_input_records") == client.global().getInt("total_completed_records"));
    }

    @Test
    void rowsComeByAnEndpointThatIsGoneWithThemAndWereCounted() {
        client.written("users", "[{\"insert\":{\"id\":1}}]");
        var answer = client.query("insert into users (id,name) values (4100,'viaquery'), (4101,'it''s')");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"count\":2}\n");
        settle();
        assertThat(client.rows("select id, name from users where id > 4000 order by id"))
                .containsExactly("{\"id\":4100,\"name\":\"viaquery\"}", "{\"id\":4101,\"name\":\"it's\"}");
        PipelineClient.await(() -> client.stats().getJsonArray("inputs").size() == 1);
        assertThat(client.metrics("users").getInt("total_records")).isEqualTo(1);
        assertThat(client.global().getInt("total_input_records")).isEqualTo(3);
    }

    @Test
    void whatIsAnsweredIsNotYetVisibleAndItsEndpointHasAName() {
        pipeline.stepDelay(Duration.ofMinutes(10));
        client.query("insert into users values (1,'v','e',true,1.0,timestamp '2024-01-01 00:00:00',null)");
        assertThat(client.rows("select id from users")).isEmpty();
        client.query("insert into users (id) values (2)");
        JsonObject input = client.stats().getJsonArray("inputs").getJsonObject(0);
        assertThat(input.getString("endpoint_name")).matches("adhoc-ingress-users-[0-9a-f-]{36}");
        pipeline.stepDelay(Duration.ZERO);
        settle();
        assertThat(client.rows("select id, created from users order by id"))
                .containsExactly("{\"id\":1,\"created\":\"2024-01-01T00:00:00\"}", "{\"id\":2,\"created\":null}");
    }

    @Test
    void aColumnThatIsNotNamedIsNullAndNotItsDefault() {
        client.query("insert into extras (id, c_nn, c_def) values (1, 1, 1)");
        settle();
        assertThat(client.rows("select c_def, c_defnull from extras"))
                .containsExactly("{\"c_def\":1,\"c_defnull\":null}");
    }

    @Test
    void itsRowsBelongToTheTransactionThatIsOpen() {
        client.post("/start_transaction", "");
        client.query("insert into nokey values (1, 'x')");
        PipelineClient.await(() -> client.global().getInt("total_processed_records") == 1);
        assertThat(client.rows("select a from nokey")).isEmpty();
        client.post("/commit_transaction", "");
        PipelineClient.await(() -> client.rows("select a from nokey").size() == 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "insert into users (id,name) values (null,'x')|Arrow error: Invalid argument error: Column 'column1' is declared as non-nullable but contains null values",
                "insert into nosuch values (1)|Error during planning: table 'datafusion.public.nosuch' not found",
                "delete from users where id=4100|DELETE operation on table 'users'\\ncaused by\\nThis feature is not implemented: DELETE not supported for Base table",
                "truncate table users|TRUNCATE operation on table 'users'\\ncaused by\\nThis feature is not implemented: TRUNCATE not supported for Base table",
                "update users set name='x' where id=4000|UPDATE operation on table 'users'\\ncaused by\\nThis feature is not implemented: UPDATE not supported for Base table",
                "create table t1 (a int)|Error during planning: DDL not supported: CreateMemoryTable",
                "drop table users|Error during planning: DDL not supported: DropTable",
                "show tables|Error during planning: SHOW TABLES is not supported unless information_schema is enabled",
                "set x=1|This feature is not implemented: Unsupported logical plan: Statement(SetVariable)"
            })
    void whatCannotBeDoneIsRefusedInDataFusionsWords(String sql, String error) {
        var refused = client.query(sql);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
                .isEqualTo("{\"message\":\"Error during query processing: " + error
                        + ".\",\"error_code\":\"AdHocQueryError\",\"details\":{\"error\":\"" + error + "\"}}");
        assertThat(client.rows("select id from users")).isEmpty();
    }
}
