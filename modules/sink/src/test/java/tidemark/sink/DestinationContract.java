package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidemark.standin.PipelineClient;

/** What delivery relies on, of any Feldera. Each test begins in a pipeline that has just started and is empty. */
abstract class DestinationContract {
    private static final QueryRows.Limits LIMITS = new QueryRows.Limits(16 << 20, Duration.ofSeconds(9));
    static final String PROGRAM = """
            CREATE TABLE users (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR, score DOUBLE) WITH ('materialized' = 'true');
            CREATE TABLE "Foo" (id BIGINT NOT NULL PRIMARY KEY, "Bar" DECIMAL(10, 2)) WITH ('materialized' = 'true');
            CREATE TABLE bare (a BIGINT NOT NULL) WITH ('materialized' = 'true');
            CREATE TABLE hidden (a BIGINT NOT NULL);
            CREATE TABLE late (a BIGINT NOT NULL LATENESS 1, b BIGINT NOT NULL, PRIMARY KEY (a, b));
            CREATE TABLE keyed (a BIGINT NOT NULL PRIMARY KEY, b BIGINT NOT NULL LATENESS 1);
            """;

    private static final FelderaName USERS = new FelderaName("users", false);
    private static final FelderaName FOO = new FelderaName("Foo", true);
    private static final FelderaName BARE = new FelderaName("bare", false);

    private FelderaClient client;
    private Deployment deployment;

    /** Of a pipeline that runs {@link #PROGRAM}. */
    abstract FelderaSettings settings();

    @BeforeEach
    void startEmpty() {
        client = new FelderaClient(settings());
        deployment = new Deployment(settings(), client);
        deployment.startAgain();
    }

    @AfterEach
    void closeClient() {
        client.close();
    }

    FelderaClient client() {
        return client;
    }

    static TableBody body(FelderaName table, String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return new TableBody(table, bytes, bytes.length);
    }

    private CompletionToken accepted(FelderaName table, String json) {
        IngressReply reply = client.post(body(table, json));
        assertThat(reply).isInstanceOf(IngressReply.Accepted.class);
        return ((IngressReply.Accepted) reply).token();
    }

    private static long count(CompletionToken token) {
        return token.mark().orElseThrow().count();
    }

    private void awaitComplete(CompletionToken token) {
        PipelineClient.await(() -> client.completion(token) instanceof Completion.Complete);
    }

    private List<String> query(String sql) {
        List<String> rows = new ArrayList<>();
        try (QueryRows result = client.query(sql, LIMITS)) {
            for (Optional<byte[]> row = result.next(); row.isPresent(); row = result.next()) {
                rows.add(new String(row.orElseThrow(), StandardCharsets.UTF_8));
            }
        }
        return rows;
    }

    private List<String> users() {
        return query("select id, name from users order by id");
    }

    @Test
    void whatIsCompleteIsVisible() {
        CompletionToken token = accepted(USERS, """
                [{"insert":{"id":1,"name":"a","score":null}},{"insert":{"id":2,"name":"é\\"\\n","score":1.5}},
                {"update":{"id":1,"name":"b"}},{"insert":{"id":3,"name":"x","score":null}},{"delete":{"id":3}}]""");
        awaitComplete(token);
        assertThat(users()).containsExactly("{\"id\":1,\"name\":\"b\"}", "{\"id\":2,\"name\":\"é\\\"\\n\"}");
    }

    @Test
    void tokensCountEveryOperationOfTheEndpointExactly() {
        assertThat(count(accepted(USERS, "[]"))).isEqualTo(0);
        assertThat(count(accepted(USERS, "[{\"insert\":{\"id\":1}},{\"insert\":{\"id\":2}}]")))
                .isEqualTo(2);
        assertThat(count(accepted(USERS, "[{\"update\":{\"id\":77,\"name\":\"nobody\"}},{\"delete\":{\"id\":78}}]")))
                .isEqualTo(4);
        assertThat(count(accepted(USERS, "[{\"delete\":{\"id\":1},\"insert\":{\"id\":1,\"name\":\"n\"}}]")))
                .isEqualTo(6);
        CompletionToken last = accepted(USERS, "[]");
        assertThat(count(last)).isEqualTo(6);
        assertThat(count(accepted(FOO, "[]")))
                .as("another endpoint counts for itself")
                .isEqualTo(0);
        awaitComplete(last);
    }

    @Test
    void statsTellTheLifeOfTheTokensAndTheCountsOfTheEndpoints() {
        CompletionToken users = accepted(USERS, "[{\"insert\":{\"id\":1}},{\"insert\":{\"id\":2}}]");
        CompletionToken foo = accepted(FOO, "[{\"insert\":{\"id\":1,\"Bar\":\"1.25\"}}]");
        awaitComplete(users);
        awaitComplete(foo);
        PipelineClient.await(() -> client.stats().settled());

        PipelineStats stats = client.stats();
        assertThat(stats.incarnation()).isEqualTo(users.mark().orElseThrow().incarnation());
        assertThat(stats.fresh()).isTrue();
        assertThat(stats.state()).isEqualTo("Running");
        assertThat(stats.transactionOpen()).isFalse();
        assertThat(stats.operations()).hasSize(2);
        assertThat(stats.operations())
                .anySatisfy((endpoint, operations) -> {
                    assertThat(endpoint).startsWith(USERS.spelling() + ".api-ingress-");
                    assertThat(operations).isEqualTo(2);
                })
                .anySatisfy((endpoint, operations) -> {
                    assertThat(endpoint).startsWith(FOO.spelling() + ".api-ingress-");
                    assertThat(operations).isEqualTo(1);
                });
    }

    /** State S of counters.md: what is counted of a held endpoint may have more to come behind it. */
    @Test
    void aPausedEndpointIsNotSettledAndAnOpenTransactionIsNotEither() {
        awaitComplete(accepted(USERS, "[{\"insert\":{\"id\":1}}]"));
        PipelineClient.await(() -> client.stats().settled());
        PipelineClient raw = Deployment.raw(settings());
        String name = raw.input("users").getString("endpoint_name");
        String connector = "/tables/users/connectors/" + name.substring(name.indexOf('.') + 1);
        raw.post(connector + "/pause", "");
        PipelineClient.await(() -> !client.stats().settled());
        raw.post(connector + "/start", "");
        PipelineClient.await(() -> client.stats().settled());
        raw.post("/start_transaction", "");
        assertThat(client.stats().settled()).isFalse();
        assertThat(client.stats().transactionOpen()).isTrue();
        raw.post("/commit_transaction", "");
        PipelineClient.await(() -> client.stats().settled());
    }

    @Test
    void anArrayWithABadElementIsNotAppliedAtAllAndItsValueIsNotTold() {
        awaitComplete(accepted(USERS, "[{\"insert\":{\"id\":1,\"name\":\"before\"}}]"));

        IngressReply reply = client.post(
                body(
                        USERS,
                        "[{\"insert\":{\"id\":2,\"name\":\"good\"}},{\"insert\":{\"id\":3,\"score\":\"s3cret\"}},{\"insert\":{\"id\":4}}]"));

        assertThat(reply)
                .isInstanceOfSatisfying(
                        IngressReply.Rejected.class,
                        rejected ->
                                assertThat(rejected.what()).contains("score").doesNotContain("s3cret"));
        CompletionToken next = accepted(USERS, "[]");
        assertThat(count(next)).isEqualTo(1);
        awaitComplete(next);
        assertThat(users()).containsExactly("{\"id\":1,\"name\":\"before\"}");
    }

    @Test
    void anArrayThatIsNoJsonIsRejected() {
        IngressReply reply = client.post(body(USERS, "[{\"insert\":{\"id\":1}},{\"insert\":{\"id\":s3cret"));
        assertThat(reply)
                .isInstanceOfSatisfying(
                        IngressReply.Rejected.class,
                        rejected -> assertThat(rejected.what()).doesNotContain("s3cret"));
        assertThat(count(accepted(USERS, "[]"))).isEqualTo(0);
    }

    @Test
    void arraysOfOneEndpointTakeEffectInTheirOrder() {
        CompletionToken last = accepted(USERS, "[]");
        for (int i = 0; i < 50; i++) {
            accepted(USERS, "[{\"insert\":{\"id\":1,\"name\":\"v" + i + "\"}},{\"insert\":{\"id\":2}}]");
            last = accepted(USERS, "[{\"delete\":{\"id\":2}}]");
        }
        awaitComplete(last);
        assertThat(users()).containsExactly("{\"id\":1,\"name\":\"v49\"}");
    }

    @Test
    void aQuotedTableIsItsOwnTable() {
        awaitComplete(accepted(FOO, "[{\"insert\":{\"id\":1,\"Bar\":\"12345678.90\"}}]"));
        assertThat(query("select * from \"Foo\"")).containsExactly("{\"id\":1,\"Bar\":12345678.90}");

        assertThat(client.post(TableBody.empty(new FelderaName("foo", false))))
                .isInstanceOf(IngressReply.Refused.class);
    }

    @Test
    void anUnknownTableOrPipelineIsRefused() {
        assertThat(client.post(TableBody.empty(new FelderaName("nosuch", false))))
                .isInstanceOfSatisfying(IngressReply.Refused.class, refused -> {
                    assertThat(refused.problem().kind()).isEqualTo(SinkFailure.Kind.MISCONFIGURED);
                    assertThat(refused.problem().prefix()).contains("nosuch");
                });

        FelderaSettings s = settings();
        try (FelderaClient stranger =
                new FelderaClient(Deployment.settings(s.url(), s.pipeline() + "_nosuch", s.apiKey()))) {
            assertThat(stranger.post(TableBody.empty(USERS))).isInstanceOf(IngressReply.Refused.class);
            assertThatThrownBy(stranger::pipeline)
                    .isInstanceOfSatisfying(
                            SinkFailure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.MISCONFIGURED));
        }
    }

    @Test
    void aStoppedPipelineTakesNothingAndItsDescriptorStillAnswers() {
        deployment.stop();

        assertThat(client.post(body(USERS, "[{\"insert\":{\"id\":1}}]"))).isInstanceOf(IngressReply.NotNow.class);
        assertThatThrownBy(client::stats)
                .isInstanceOfSatisfying(
                        SinkFailure.class, failure -> assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.TRANSIENT));
        assertThat(client.pipeline().programStatus()).isEqualTo("Success");
        assertThat(client.pipeline().isRunning()).isFalse();
    }

    @Test
    void aRestartVoidsTokensAndBeginsANewLife() {
        CompletionToken old = accepted(USERS, "[{\"insert\":{\"id\":1}}]");
        awaitComplete(old);
        String life = client.stats().incarnation();

        deployment.startAgain();

        assertThat(client.completion(old)).isEqualTo(new Completion.Voided());
        assertThat(client.stats().incarnation()).isNotEqualTo(life);
        assertThat(client.stats().fresh()).isTrue();
        assertThat(count(accepted(USERS, "[]"))).isEqualTo(0);
        assertThat(users()).isEmpty();
    }

    /** The reason why an unanswered POST is never repeated (counters.md, ghosts). */
    @Test
    void aPostThatIsGivenUpMayStillTakeEffect() {
        awaitComplete(accepted(USERS, "[]"));
        deployment.pause();
        FelderaSettings s = settings();
        FelderaSettings impatient = new FelderaSettings(
                s.url(),
                s.pipeline(),
                s.apiKey(),
                s.caFile(),
                s.connectTimeout(),
                s.questionTimeout(),
                Duration.ofSeconds(1));
        try (FelderaClient other = new FelderaClient(impatient)) {
            assertThat(other.post(body(USERS, "[{\"insert\":{\"id\":1,\"name\":\"ghost\"}}]")))
                    .isInstanceOf(IngressReply.Unknown.class);
        }
        assertThat(users()).isEmpty();

        deployment.resume();
        PipelineClient.await(() -> users().equals(List.of("{\"id\":1,\"name\":\"ghost\"}")));
    }

    @Test
    void theSchemaTellsTablesColumnsAndKeys() {
        List<FelderaTable> tables = client.tables();

        assertThat(tables).extracting(FelderaTable::name).contains(USERS, FOO, BARE);
        FelderaTable foo = tables.stream()
                .filter(table -> table.name().equals(FOO))
                .findFirst()
                .orElseThrow();
        assertThat(foo.primaryKey()).containsExactly("id");
        assertThat(foo.columns())
                .extracting(FelderaTable.Column::name)
                .containsExactly(new FelderaName("id", false), new FelderaName("Bar", true));
        FelderaTable.ColumnType decimal = foo.columns().getLast().type();
        assertThat(decimal.type()).isEqualTo("DECIMAL");
        assertThat(decimal.nullable()).isTrue();
        assertThat(decimal.precision()).hasValue(10L);
        assertThat(decimal.scale()).hasValue(2L);
        FelderaTable bare = tables.stream()
                .filter(table -> table.name().equals(BARE))
                .findFirst()
                .orElseThrow();
        assertThat(bare.primaryKey()).isEmpty();
    }

    /** The schema says so before anybody asks, rightly. */
    @Test
    void aTableIsQueryableIfMaterializedOrKeyedWithoutLatenessOnItsKey() {
        for (FelderaTable table : client.tables()) {
            String sql = "select * from %s limit 0".formatted(table.name());
            if (table.queryable()) {
                assertThat(query(sql)).as(sql).isEmpty();
            } else {
                assertThatThrownBy(() -> query(sql)).as(sql).isInstanceOf(SinkFailure.class);
            }
        }
        assertThat(client.tables().stream()
                        .filter(table -> !table.queryable())
                        .map(table -> table.name().text()))
                .containsExactlyInAnyOrder("hidden", "late");
    }

    @Test
    void aLongResultIsStreamedInOrder() {
        int rows = 20_000;
        StringBuilder array = new StringBuilder("[");
        for (int i = rows; i > 0; i--) {
            array.append(i == rows ? "" : ",")
                    .append("{\"insert\":{\"id\":")
                    .append(i)
                    .append(",\"name\":\"n\"}}");
        }
        awaitComplete(accepted(USERS, array.append(']').toString()));

        List<String> result = users();
        assertThat(result).hasSize(rows);
        for (int i = 0; i < rows; i++) assertThat(result.get(i)).isEqualTo("{\"id\":" + (i + 1) + ",\"name\":\"n\"}");
    }

    @Test
    void aResultMayBeLeftUnread() {
        awaitComplete(accepted(USERS, "[{\"insert\":{\"id\":1}},{\"insert\":{\"id\":2}}]"));
        try (QueryRows rows = client.query("select id from users order by id", LIMITS)) {
            assertThat(rows.next()).isPresent();
        }
        assertThat(query("select count(*) as n from users")).containsExactly("{\"n\":2}");
    }

    /** So rows may be retracted while the query that names them is still read. */
    @Test
    void aQuerySeesOneSnapshotWhateverIsPostedWhileItIsRead() {
        int rows = 60_000;
        String all = IntStream.range(0, rows)
                .mapToObj(id -> "{\"insert\":{\"id\":%d,\"name\":\"%s\"}}".formatted(id, "n".repeat(100)))
                .collect(Collectors.joining(",", "[", "]"));
        String none = IntStream.range(0, rows)
                .mapToObj("{\"delete\":{\"id\":%d}}"::formatted)
                .collect(Collectors.joining(",", "[", "]"));
        awaitComplete(accepted(USERS, all));
        try (QueryRows found = client.query("select * from users", LIMITS)) {
            assertThat(found.next()).isPresent();
            awaitComplete(accepted(USERS, none));
            assertThat(query("select count(*) as n from users")).containsExactly("{\"n\":0}");
            int left = 0;
            while (found.next().isPresent()) left++;
            assertThat(left).isEqualTo(rows - 1);
        }
    }

    @Test
    void sqlThatCannotBePlannedFailsBeforeTheFirstRow() {
        assertThatThrownBy(() -> client.query("select * from nosuch", LIMITS))
                .isInstanceOfSatisfying(SinkFailure.class, failure -> {
                    assertThat(failure.problem().status()).isEqualTo(400);
                    assertThat(failure.problem().errorCode()).isEqualTo("AdHocQueryError");
                });
    }

    /** Deleting what is not there breaks a keyless table until the row comes (feldera.md 14). */
    @Test
    void anErrorInTheStreamIsNotAnEmptyResult() {
        awaitComplete(accepted(BARE, "[{\"insert\":{\"a\":1}},{\"delete\":{\"a\":2}}]"));
        assertThatThrownBy(() -> query("select * from bare")).isInstanceOfSatisfying(SinkFailure.class, failure -> {
            assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.PERMANENT);
            assertThat(failure.problem().prefix()).contains("negative weight");
        });
    }
}
