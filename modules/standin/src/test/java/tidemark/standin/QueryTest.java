package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ad-hoc queries, against the recorded exchanges 06 and 21. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryTest {
    private final FelderaStandin standin = FelderaStandin.start(StandinSettings.defaults());
    private final PipelineClient client = new PipelineClient(standin, "p");

    @BeforeAll
    void fill() {
        standin.deploy("p", RecordedProgram.SQL + "CREATE TABLE big (id INT PRIMARY KEY, v VARCHAR);");
        client.written(
                "users",
                "[{\"insert\":{\"id\":3,\"name\":\"a \",\"score\":10,\"created\":\"2024-01-01T00:00:00.5\"}},"
                        + "{\"insert\":{\"id\":-1,\"name\":\"B\",\"score\":9.5,\"created\":\"2024-01-01T00:00:00\"}},"
                        + "{\"insert\":{\"id\":20,\"name\":\"\\u00e9\"}},{\"insert\":{\"id\":4,\"name\":\"a\\\"b\",\"active\":true}}]");
        client.written(
                "items",
                "[{\"insert\":{\"order_id\":1,\"line\":2,\"price\":\"10\",\"shipped\":\"2024-01-02\"}},"
                        + "{\"insert\":{\"order_id\":1,\"line\":10,\"price\":9.5}},{\"insert\":{\"order_id\":0,\"line\":3}}]");
    }

    @AfterAll
    void close() {
        standin.close();
    }

    private String ids(String clause) {
        return client.rows("select id from users " + clause).stream()
                .map(line -> line.replaceAll("[^0-9-]", ""))
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "order by id|-1 3 4 20",
                "order by id desc limit 2|20 4",
                "order by name|-1 3 4 20",
                "order by score, id|-1 3 4 20",
                "order by score desc, id desc|20 4 3 -1",
                "order by score nulls first, id|4 20 -1 3",
                "order by created, id|-1 3 4 20",
                "where id > 3 and id <= 20 order by id|4 20",
                "where name = 'a\"b'|4",
                "where name > 'a' order by id|3 4 20",
                "where score >= 9.75|3",
                "where active = true|4",
                "where created = '2024-01-01 00:00:00.500'|3",
                "where id in (3, 4, 5) order by id|3 4",
                "where id between -1 and 3 order by id|-1 3",
                "where score is null order by id|4 20",
                "where \"id\" <> 3 and score is not null|-1"
            })
    void selectsAndOrdersAsFelderaDoes(String clause, String ids) {
        assertThat(ids(clause)).isEqualTo(ids);
    }

    @Test
    void ordersACompositeKeyByValueAndShowsDecimalsWithTheirScale() {
        assertThat(client.rows("SELECT * FROM Items ORDER BY order_id, line"))
                .containsExactly(
                        "{\"order_id\":0,\"line\":3,\"sku\":null,\"qty\":null,\"price\":null,\"shipped\":null}",
                        "{\"order_id\":1,\"line\":2,\"sku\":null,\"qty\":null,\"price\":10.00,\"shipped\":\"2024-01-02\"}",
                        "{\"order_id\":1,\"line\":10,\"sku\":null,\"qty\":null,\"price\":9.50,\"shipped\":null}");
    }

    @Test
    void countsUnderTheNameThatWasAskedFor() {
        assertThat(client.rows("select count(*) from users")).containsExactly("{\"count(*)\":4}");
        assertThat(client.rows("select count(*) as n from users where id > 100"))
                .containsExactly("{\"n\":0}");
    }

    /** As DataFusion 46, 50 and 55 answer it; older ones refuse two columns that are both called NULL. */
    @Test
    void rowsComeWithTheirNumberBehindThem() {
        assertThat(client.rows(
                        "select \"id\", \"name\", cast(null as bigint) as \"row count\" from \"users\" union all select null as c0,"
                                + " null as c1, count(*) from \"users\" order by \"row count\" nulls first, \"id\""))
                .containsExactly(
                        "{\"id\":-1,\"name\":\"B\",\"row count\":null}",
                        "{\"id\":3,\"name\":\"a \",\"row count\":null}",
                        "{\"id\":4,\"name\":\"a\\\"b\",\"row count\":null}",
                        "{\"id\":20,\"name\":\"é\",\"row count\":null}",
                        "{\"id\":null,\"name\":null,\"row count\":4}");
        assertThat(client.rows("select a, cast(null as bigint) as n from nokey union all"
                        + " select null as a, count(*) from nokey order by n nulls first, a"))
                .containsExactly("{\"a\":null,\"n\":0}");
        assertThat(client.query("select a, b, cast(null as bigint) as n from nokey union all"
                                + " select null, null, count(*) from nokey order by n nulls first")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void selectsColumnsInTheOrderAndUnderTheNamesAsked() {
        assertThat(client.rows("select name, id as \"Key\" from users where id = 3"))
                .containsExactly("{\"name\":\"a \",\"Key\":3}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "select * from nosuch|Error during planning: table 'datafusion.public.nosuch' not found",
                "select bogus from nokey|Schema error: No field named bogus. Valid fields are nokey.a, nokey.b.",
                "select \"A\" from nokey|Schema error: No field named \\\"A\\\". Valid fields are nokey.a, nokey.b.",
                "selec 1|sql parser error: Expected: an SQL statement, found: selec at Line: 1, Column: 1",
                "select * from notmat2|Execution error: Tried to SELECT from a non-materialized source. Make sure `notmat2` is configured as materialized: use `with ('materialized' = 'true')` for tables, or `create materialized view` for views"
            })
    void whatCannotBePlannedIsRefused(String sql, String error) {
        var refused = client.query(sql);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
                .isEqualTo("{\"message\":\"Error during query processing: " + error
                        + ".\",\"error_code\":\"AdHocQueryError\",\"details\":{\"error\":\"" + error + "\"}}");
    }

    @Test
    void sqlBeyondTheStandinSaysSo() {
        assertThat(client.query("select max(id) from users").body()).contains("the stand-in's SQL stops at Line: 1");
        assertThat(client.post("/query?sql=select%201", "").statusCode()).isEqualTo(403);
    }

    @Test
    void streamsMoreThanItBuffers() {
        String rows = IntStream.range(0, 50_000)
                .mapToObj(id -> "{\"insert\":{\"id\":" + id + ",\"v\":\"" + "x".repeat(20) + "\"}}")
                .collect(Collectors.joining(",", "[", "]"));
        client.written("big", rows);
        var lines = client.rows("select * from big order by id");
        assertThat(lines).hasSize(50_000);
        assertThat(lines.getLast()).isEqualTo("{\"id\":49999,\"v\":\"xxxxxxxxxxxxxxxxxxxx\"}");
    }

    @Test
    void aUrlOfTwentyKilobytesIsTaken() {
        String many = IntStream.range(0, 4000).mapToObj(_ -> "3").collect(Collectors.joining(", "));
        assertThat(client.rows("select id from users where id in (" + many + ")"))
                .containsExactly("{\"id\":3}");
    }
}
