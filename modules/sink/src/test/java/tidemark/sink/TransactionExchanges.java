package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import tidemark.standin.PipelineClient;

/** Pipeline transactions: the recorded exchanges 08, 15 and 17. */
interface TransactionExchanges {
    PipelineClient feldera();

    Deployment deployment();

    private HttpResponse<String> start() {
        return feldera().post("/start_transaction", "");
    }

    private HttpResponse<String> commit() {
        return feldera().post("/commit_transaction", "");
    }

    private JsonObject initiators() {
        return feldera().global().getJsonObject("transaction_initiators");
    }

    private String user(int id) {
        return feldera().token("users", "[{\"insert\":{\"id\":" + id + "}}]");
    }

    @Test
    default void aCommitNeedsAStart() {
        HttpResponse<String> refused = commit();
        PipelineClient.assertError(refused, 400, "NoTransactionInProgress");
        assertThat(refused.body())
                .isEqualTo(
                        "{\"message\":\"This operation requires an active transaction, but none is currently in progress\","
                                + "\"error_code\":\"NoTransactionInProgress\",\"details\":{}}");
    }

    @Test
    default void aSecondStartIsRefusedWhoeverAsks() {
        assertThat(start().body()).matches("\\{\"transaction_id\":\\d+}");
        HttpResponse<String> refused = start();
        PipelineClient.assertError(refused, 409, "TransactionInProgress");
        assertThat(PipelineClient.json(refused).getString("message"))
                .isEqualTo("Cannot perform this operation while there is a transaction in progress");
        assertThat(commit().body()).isEqualTo("\"Transaction commit initiated\"");
    }

    @Test
    default void anOpenTransactionIsInvisibleItsTokensHaveAStepAndAreNotComplete() {
        feldera().written("users", "[{\"insert\":{\"id\":1,\"name\":\"old\"}}]");
        start();
        assertThat(feldera().global().getString("transaction_status")).isEqualTo("NoTransaction");
        assertThat(initiators().getString("initiated_by_api")).isEqualTo("Started");
        String token = feldera().token("users", "[{\"insert\":{\"id\":1,\"name\":\"new\"}},{\"insert\":{\"id\":2}}]");
        feldera().awaitStep(token);
        assertThat(feldera().completion(token).getString("status")).isEqualTo("inprogress");
        assertThat(feldera().rows("select id, name from users")).containsExactly("{\"id\":1,\"name\":\"old\"}");
        PipelineClient.await(() -> feldera().global().getInt("total_processed_records") == 3);
        JsonObject open = feldera().global();
        assertThat(open.getString("transaction_status")).isEqualTo("TransactionInProgress");
        assertThat(open.getInt("transaction_records")).isEqualTo(2);
        assertThat(open.getInt("total_completed_records")).isEqualTo(1);
        assertThat(commit().statusCode()).isEqualTo(200);
        feldera().awaitComplete(token);
        assertThat(feldera().rows("select id, name from users order by id"))
                .containsExactly("{\"id\":1,\"name\":\"new\"}", "{\"id\":2,\"name\":null}");
        PipelineClient.await(
                () -> feldera().global().getString("transaction_status").equals("NoTransaction"));
        assertThat(feldera().global().getInt("transaction_id")).isZero();
        PipelineClient.assertError(commit(), 400, "NoTransactionInProgress");
    }

    @Test
    default void anEmptyTransactionIsNothingAndItsNumberIsSpent() {
        feldera().written("users", "[{\"insert\":{\"id\":1}}]");
        int first = PipelineClient.json(start()).getInt("transaction_id");
        commit();
        PipelineClient.await(() -> initiators().isNull("initiated_by_api"));
        assertThat(PipelineClient.json(start()).getInt("transaction_id")).isGreaterThan(first);
        commit();
    }

    /** Exchange 17: with both steps awaited before the commit, 0 of 60 torn. */
    @Test
    default void twoTablesAppearTogetherWhenBothStepsWereAwaited() {
        feldera().written("users", "[]");
        feldera().written("nokey", "[]");
        var done = new AtomicBoolean();
        CompletableFuture<Set<String>> reader = CompletableFuture.supplyAsync(() -> {
            Set<String> seen = new TreeSet<>();
            while (!done.get()) {
                seen.addAll(feldera().rows("select count(*) as n from users"));
            }
            return seen;
        });
        for (int i = 0; i < 10; i++) {
            start();
            String user = user(i);
            feldera().awaitStep(user);
            String second = user(100 + i);
            String other = feldera().token("nokey", "[{\"insert\":{\"a\":" + i + "}}]");
            feldera().awaitStep(second);
            feldera().awaitStep(other);
            commit();
            feldera().awaitComplete(second);
            feldera().awaitComplete(other);
            assertThat(feldera().rows("select count(*) as n from nokey")).containsExactly("{\"n\":" + (i + 1) + "}");
        }
        done.set(true);
        assertThat(reader.join()).isNotEmpty().allMatch(n -> Integer.parseInt(n.replaceAll("\\D", "")) % 2 == 0);
    }

    @Test
    default void rowsOfAnybodyAreInTheTransactionAndAnybodyCommitsIt() {
        start();
        String token = feldera().token("nokey", "[{\"insert\":{\"a\":5,\"b\":\"other client\"}}]");
        feldera().awaitStep(token);
        assertThat(feldera().rows("select * from nokey")).isEmpty();
        commit();
        feldera().awaitComplete(token);
        assertThat(feldera().rows("select * from nokey")).containsExactly("{\"a\":5,\"b\":\"other client\"}");
    }

    @Test
    default void badRowsDoNotEndATransaction() {
        start();
        PipelineClient.assertError(
                feldera()
                        .lines(
                                "users",
                                "{\"insert\":{\"id\":1}}\n{\"insert\":{\"id\":\"bad\"}}\n{\"insert\":{\"id\":2}}"),
                400,
                "ParseErrors");
        PipelineClient.await(
                () -> feldera().global().getString("transaction_status").equals("TransactionInProgress")
                        && feldera().metrics("users").getInt("buffered_records") == 0);
        commit();
        PipelineClient.await(() -> feldera().rows("select id from users").size() == 2);
    }

    @Test
    default void aPauseDoesNotKeepATransactionFromItsCommit() {
        start();
        String token = user(1);
        feldera().awaitStep(token);
        deployment().pause();
        assertThat(commit().statusCode()).isEqualTo(200);
        feldera().awaitComplete(token);
        deployment().resume();
    }

    @Test
    default void aNewLifeKnowsNothingOfTheTransactionOfTheOld() {
        start();
        feldera().awaitStep(user(1));
        deployment().startAgain();
        PipelineClient.assertError(commit(), 400, "NoTransactionInProgress");
        assertThat(initiators().isNull("initiated_by_api")).isTrue();
    }
}
