package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pipeline transactions with their traps, as in the recorded exchanges 08 and 17 and in counters.md. */
class TransactionsTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final FelderaStandin standin = FelderaStandin.start(StandinSettings.defaults());
    private final StandinPipeline pipeline = standin.deploy("p", RecordedProgram.SQL);
    private final PipelineClient client = new PipelineClient(standin, "p");

    @AfterEach
    void close() {
        standin.close();
    }

    private HttpResponse<String> start() {
        return client.post("/start_transaction", "");
    }

    private HttpResponse<String> commit() {
        return client.post("/commit_transaction", "");
    }

    private String user(int id) {
        return PipelineClient.json(client.array("users", "[{\"insert\":{\"id\":" + id + "}}]"))
                .getString("token");
    }

    private void awaitStep(String token) {
        PipelineClient.await(() -> !client.completion(token).isNull("step"));
    }

    private void awaitProcessed(int records) {
        PipelineClient.await(() -> global().getInt("total_processed_records") == records);
    }

    private JsonObject global() {
        return client.stats().getJsonObject("global_metrics");
    }

    private String status() {
        return global().getString("transaction_status");
    }

    private long users() {
        return client.rows("select id from users").size();
    }

    @Test
    void rowsOfATransactionAreSeenByNobodyUntilItsCommitAndThenAllAtOnce() {
        client.written("users", "[{\"insert\":{\"id\":1}}]");
        Recording recording = pipeline.record();
        assertThat(start().body()).isEqualTo("{\"transaction_id\":2}");
        String first = user(2);
        awaitStep(first);
        String second = PipelineClient.json(client.array("nokey", "[{\"insert\":{\"a\":1}}]"))
                .getString("token");
        awaitStep(second);
        assertThat(client.completion(first).getString("status")).isEqualTo("inprogress");
        assertThat(users()).isEqualTo(1);
        awaitProcessed(3);
        JsonObject open = global();
        assertThat(open.getString("transaction_status")).isEqualTo("TransactionInProgress");
        assertThat(open.getInt("transaction_records")).isEqualTo(2);
        assertThat(open.getInt("total_completed_records")).isEqualTo(1);
        assertThat(recording.states()).isEmpty();

        assertThat(commit().body()).isEqualTo("\"Transaction commit initiated\"");
        client.awaitComplete(first);
        client.awaitComplete(second);
        assertThat(users()).isEqualTo(2);
        assertThat(recording.states())
                .singleElement()
                .satisfies(state ->
                        assertThat(state.counts()).containsEntry("users", 2L).containsEntry("nokey", 1L));
        PipelineClient.await(() -> status().equals("NoTransaction"));
        assertThat(global().getInt("transaction_id")).isZero();
        assertThat(global().isNull("transaction_records")).isTrue();
    }

    @Test
    void aCommitWithoutAStartAndASecondStartAreRefused() {
        PipelineClient.assertError(commit(), 400, "NoTransactionInProgress");
        assertThat(start().statusCode()).isEqualTo(200);
        HttpResponse<String> second = start();
        PipelineClient.assertError(second, 409, "TransactionInProgress");
        assertThat(second.body())
                .isEqualTo(
                        "{\"message\":\"Cannot perform this operation while there is a transaction in progress\",\"error_code\":"
                                + "\"TransactionInProgress\",\"details\":{}}");
        assertThat(commit().statusCode()).isEqualTo(200);
        PipelineClient.await(
                () -> global().getJsonObject("transaction_initiators").isNull("initiated_by_api"));
        PipelineClient.assertError(commit(), 400, "NoTransactionInProgress");
    }

    /** What looks idle may be somebody's transaction. */
    @Test
    void aStartedTransactionShowsOnlyInItsInitiatorsUntilARowComes() {
        start();
        JsonObject started = global();
        assertThat(started.getString("transaction_status")).isEqualTo("NoTransaction");
        assertThat(started.getInt("transaction_id")).isEqualTo(1);
        assertThat(started.getJsonObject("transaction_initiators").getString("initiated_by_api"))
                .isEqualTo("Started");
        awaitStep(user(1));
        assertThat(status()).isEqualTo("TransactionInProgress");
    }

    @Test
    void startAndCommitWithoutAStepInBetweenAreNothing() {
        client.written("users", "[{\"insert\":{\"id\":1}}]");
        long steps = global().getInt("total_initiated_steps");
        start();
        commit();
        PipelineClient.await(
                () -> global().getJsonObject("transaction_initiators").isNull("initiated_by_api"));
        assertThat(global().getInt("total_initiated_steps")).isEqualTo((int) steps);
        assertThat(start().body()).isEqualTo("{\"transaction_id\":3}");
    }

    /** Recorded exchange 15: so looks a pipeline to which one row was sent, and no commit ends it. */
    @Test
    void anOrdinaryStepIsATransactionThatNobodyStarted() {
        pipeline.stepDelay(LONG);
        String token = user(1);
        PipelineClient.await(() -> status().equals("CommitInProgress"));
        JsonObject stepping = global();
        assertThat(stepping.getInt("transaction_records")).isEqualTo(1);
        assertThat(stepping.getJsonObject("transaction_initiators").isNull("initiated_by_api"))
                .isTrue();
        PipelineClient.assertError(commit(), 400, "NoTransactionInProgress");
        pipeline.stepDelay(Duration.ZERO);
        client.awaitComplete(token);
        PipelineClient.await(() -> status().equals("NoTransaction"));
    }

    /** 39 of 200 rounds on a real Feldera (recorded exchange 16): here always, as long as a step lasts. */
    @Test
    void aRowThatWasAnsweredBeforeTheCommitAndIsInNoStepYetStaysOutside() {
        start();
        awaitStep(user(1));
        awaitProcessed(1); // else the delay would be the first step's
        pipeline.stepDelay(LONG);
        awaitStep(user(2));
        String outside = user(3);
        assertThat(client.completion(outside).isNull("step")).isTrue();
        commit();
        Recording recording = pipeline.record();
        pipeline.stepDelay(Duration.ZERO);
        client.awaitComplete(outside);
        assertThat(recording.states()).extracting(state -> state.count("users")).containsExactly(2L, 3L);
    }

    @Test
    void betweenACommitsAnswerAndItsBeginningTheSlotIsStillTaken() {
        start();
        pipeline.stepDelay(LONG);
        awaitStep(user(1));
        commit();
        assertThat(status()).isEqualTo("TransactionInProgress");
        assertThat(global().getJsonObject("transaction_initiators").getString("initiated_by_api"))
                .isEqualTo("Committed");
        PipelineClient.assertError(start(), 409, "TransactionInProgress");
        PipelineClient.assertError(commit(), 400, "NoTransactionInProgress");
        pipeline.stepDelay(Duration.ZERO);
        PipelineClient.await(() -> users() == 1);
    }

    @Test
    void duringACommitNothingIsIngestedThoughItIsAcceptedAndTheSlotIsFree() {
        start();
        awaitStep(user(1));
        pipeline.commitDelay(LONG);
        commit();
        PipelineClient.await(() -> status().equals("CommitInProgress"));
        JsonObject committing = global();
        assertThat(committing.getInt("transaction_id")).isEqualTo(1);
        assertThat(committing.isNull("commit_progress")).isFalse();
        assertThat(committing.getJsonObject("transaction_initiators").isNull("initiated_by_api"))
                .isTrue();
        String waiting = user(2);
        assertThat(client.metrics("users").getInt("buffered_records")).isEqualTo(1);
        assertThat(client.completion(waiting).isNull("step")).isTrue();
        assertThat(users()).isZero();
        pipeline.commitDelay(Duration.ZERO);
        client.awaitComplete(waiting);
        assertThat(users()).isEqualTo(2);
    }

    /** counters.md: it stalled the previous one in 13 of 15 tries until a row arrived. */
    @Test
    void aStartDuringACommitIsQueuedAndStallsTheCommitUntilARowComes() {
        start();
        String first = user(1);
        awaitStep(first);
        pipeline.commitDelay(LONG);
        commit();
        PipelineClient.await(() -> status().equals("CommitInProgress"));
        assertThat(start().body()).isEqualTo("{\"transaction_id\":2}");
        pipeline.commitDelay(Duration.ZERO);
        for (int look = 0; look < 50; look++) {
            assertThat(client.completion(first).getString("status")).isEqualTo("inprogress");
            assertThat(status()).isEqualTo("CommitInProgress");
        }
        String second = user(2);
        client.awaitComplete(first);
        awaitStep(second);
        assertThat(status()).isEqualTo("TransactionInProgress");
        assertThat(users()).isEqualTo(1);
        commit();
        client.awaitComplete(second);
    }

    @Test
    void rowsOfAnybodyBelongToTheOpenTransactionAndAnybodyCommitsIt() {
        start();
        var other = new PipelineClient(standin, "p");
        String token = PipelineClient.json(other.array("nokey", "[{\"insert\":{\"a\":5}}]"))
                .getString("token");
        PipelineClient.await(() -> !other.completion(token).isNull("step"));
        assertThat(other.rows("select * from nokey")).isEmpty();
        assertThat(other.post("/commit_transaction", "").statusCode()).isEqualTo(200);
        other.awaitComplete(token);
        PipelineClient.assertError(commit(), 400, "NoTransactionInProgress");
    }

    @Test
    void aBadRowDoesNotEndATransactionAndAPauseDoesNotKeepItFromItsCommit() {
        start();
        assertThat(client.lines(
                                "users",
                                "{\"insert\":{\"id\":1}}\n{\"insert\":{\"id\":\"bad\"}}\n{\"insert\":{\"id\":2}}")
                        .statusCode())
                .isEqualTo(400);
        PipelineClient.await(() -> status().equals("TransactionInProgress"));
        pipeline.pause();
        assertThat(commit().statusCode()).isEqualTo(200);
        PipelineClient.await(() -> users() == 2);
    }

    @Test
    void theApiServersSecondCallHidesThatTheFirstTookEffect() {
        pipeline.repeatNextTransactionCall();
        PipelineClient.assertError(start(), 409, "TransactionInProgress");
        assertThat(global().getJsonObject("transaction_initiators").getString("initiated_by_api"))
                .isEqualTo("Started");
        String token = user(1);
        awaitStep(token);
        pipeline.repeatNextTransactionCall();
        PipelineClient.assertError(commit(), 400, "NoTransactionInProgress");
        client.awaitComplete(token);
        assertThat(start().statusCode()).isEqualTo(200);
    }

    @Test
    void aTransactionWhoseClientIsGoneStaysOpenAndAKilledProcessForgetsIt() {
        start();
        awaitStep(user(1));
        var later = new PipelineClient(standin, "p");
        PipelineClient.assertError(later.post("/start_transaction", ""), 409, "TransactionInProgress");
        pipeline.restart();
        PipelineClient.assertError(later.post("/commit_transaction", ""), 400, "NoTransactionInProgress");
        assertThat(users()).isZero();
        assertThat(later.post("/start_transaction", "").body()).isEqualTo("{\"transaction_id\":1}");
    }
}
