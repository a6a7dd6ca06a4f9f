package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.sink.CompletionToken;
import tidemark.sink.IngressReply;

class DeliveryCoreTest extends DrivenCore {
    @Test
    void confirmsATransactionOnlyWhenItIsAcceptedCompleteAndRecorded() {
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        Decision.Post post = only(Decision.Post.class);
        assertThat(confirms()).isEmpty();
        accept(post, 6);
        Decision.AskCompletion ask = only(Decision.AskCompletion.class);
        assertThat(confirms()).isEmpty();
        tick(200);
        on(new Event.Complete(ask.token()));
        assertThat(confirms()).isEmpty();
        Decision.Persist persist = only(Decision.Persist.class);
        assertThat(persist.mark()).isEqualTo(new Mark(Lsn.parse("0/200"), Map.of(USERS, 6L)));
        on(new Event.Recorded(persist.mark()));
        assertThat(confirms()).containsExactly(Lsn.parse("0/200"));
    }

    @Test
    void sendsTheNextBatchBeforeTheLastIsCompleteButNeverBeforeItIsAnswered() {
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        Decision.Post first = only(Decision.Post.class);
        transaction(Lsn.parse("0/300"), USERS);
        tick(20);
        assertThat(all(Decision.Post.class)).isEmpty();
        accept(first, 6);
        assertThat(all(Decision.Post.class)).hasSize(1);
    }

    @Test
    void sendsTheTablesOfABatchOneAfterTheOther() {
        outbox.begin();
        add(ITEMS);
        add(USERS);
        on(new Event.Committed(Lsn.parse("0/200")));
        tick(10);
        Decision.Post items = only(Decision.Post.class);
        assertThat(items.body().table()).isEqualTo(ITEMS);
        accept(items, 1);
        Decision.Post users = only(Decision.Post.class);
        assertThat(users.body().table()).isEqualTo(USERS);
        assertThat(all(Decision.AskCompletion.class))
                .as("a batch is accepted when all of it is")
                .isEmpty();
        accept(users, 6);
        assertThat(all(Decision.AskCompletion.class)).hasSize(1);
    }

    @Test
    void stopsReadingWhileTheWindowIsFullAndReadsOnWhenItOpens() {
        for (int batch = 0; batch < settings.inFlight(); batch++) {
            fill(Lsn.parse("0/2%d0".formatted(batch)));
            tick(1);
            accept(only(Decision.Post.class), 5 + 3L * (batch + 1));
        }
        fill(Lsn.parse("0/900"));
        tick(1);
        assertThat(all(Decision.Post.class)).isEmpty();
        assertThat(core.wantsMore()).isFalse();
        on(new Event.Complete(all(Decision.AskCompletion.class).getFirst().token()));
        assertThat(all(Decision.Post.class)).hasSize(1);
        assertThat(core.wantsMore()).isTrue();
    }

    /** A part of whatever is open around it: it holds back what comes after it, and moves nothing by itself. */
    @Test
    void aBodyThatCameFilledIsSentAtOnceAndConfirmsNothing() {
        on(new Event.Begun());
        RowBytes body = outbox.blank();
        body.beginOperation(RowBytes.ascii("{\"insert\":0}"));
        outbox.take(USERS, body);
        tick(0);
        Decision.Post post = only(Decision.Post.class);
        assertThat(post.body().table()).isEqualTo(USERS);
        accept(post, 6);
        tick(200);
        on(new Event.Complete(only(Decision.AskCompletion.class).token()));
        assertThat(all(Decision.Persist.class)).isEmpty();
        assertThat(core.confirmed()).isEqualTo(RESUME);
        assertThat(core.wantsMore()).isTrue();
    }

    @Test
    void anAmbiguousReplyEndsTheSessionAndIsNeverRepeated() {
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        Decision.Post post = only(Decision.Post.class);
        on(new Event.Answered(post.batchId(), new IngressReply.Unknown(problem())));
        assertThat(ended()).isInstanceOf(Failure.Transient.class);
        tick(10_000);
        assertThat(decisions).as("nothing is decided after the end").isEmpty();
    }

    @Test
    void aReplyOfAnotherLifeEndsTheSessionAndConfirmsNothing() {
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        Decision.Post post = only(Decision.Post.class);
        on(new Event.Answered(post.batchId(), new IngressReply.Accepted(token("life-2", 6))));
        assertThat(ended().what()).contains("restarted");
    }

    /** The replay goes over whatever it was. */
    @Test
    void aCountThatMayBeOfALostPostEndsTheSession() {
        counts.sent(USERS, 1);
        core = core(SlotTenure.byTurn());
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        accept(only(Decision.Post.class), 7);
        assertThat(ended())
                .isInstanceOfSatisfying(
                        Failure.Transient.class,
                        why -> assertThat(why.what()).contains("counted 7").contains("6 were expected"));
        assertThat(counts.accountFor(LIFE, USERS, new EndpointCounts.Counted(7, true)))
                .isTrue();
    }

    @Test
    void aCountThatIsNotOursNeedsAPerson() {
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        accept(only(Decision.Post.class), 7);
        assertThat(only(Decision.Doubt.class).table()).isEqualTo(USERS);
    }

    /** The mark is durable all the same: whatever comes next, the table is read again. */
    @Test
    void aCountThatIsNotOursEndsTheSessionWhereTheNextOneMayReadTheTableAgain() {
        settings = Settings.of(Path.of("unused"), 3, Duration.ofMillis(10), "users", "items");
        core = core(SlotTenure.byTurn());
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        accept(only(Decision.Post.class), 7);
        on(new Event.Recorded(only(Decision.Doubt.class).mark()));
        assertThat(ended()).isInstanceOf(Failure.Transient.class);
    }

    /** What a ghost put over rows that PostgreSQL may have forgotten is not in the replay. */
    @Test
    void aCountThatMayBeOfALostPostNeedsAPersonOnceThePositionHasMoved() {
        counts.sent(USERS, 3);
        core = core(SlotTenure.byTurn());
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        accept(only(Decision.Post.class), 6);
        tick(200);
        on(new Event.Complete(only(Decision.AskCompletion.class).token()));
        on(new Event.Recorded(only(Decision.Persist.class).mark()));
        transaction(Lsn.parse("0/300"), USERS);
        tick(300);
        accept(only(Decision.Post.class), 9);
        Decision.Doubt doubt = only(Decision.Doubt.class);
        assertThat(doubt.table()).isEqualTo(USERS);
        assertThat(all(Decision.EndSession.class)).as("before it is on disk").isEmpty();
        on(new Event.KeptAlive(Lsn.parse("0/800")));
        on(new Event.Recorded(doubt.mark()));
        assertThat(all(Decision.Persist.class)).isEmpty();
        assertThat(ended())
                .isInstanceOfSatisfying(
                        Failure.Permanent.class, why -> assertThat(why.exit()).isEqualTo(ExitCode.CONFIGURATION));
    }

    @Test
    void aVoidTokenConfirmsNothing() {
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        accept(only(Decision.Post.class), 6);
        on(new Event.TokenVoid(only(Decision.AskCompletion.class).token()));
        assertThat(ended()).isInstanceOf(Failure.Transient.class);
    }

    @Test
    void rowsThatFelderaCannotTakeNeedAPerson() {
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        on(new Event.Answered(only(Decision.Post.class).batchId(), new IngressReply.Rejected("1 error in field d")));
        assertThat(ended()).isInstanceOfSatisfying(Failure.Permanent.class, why -> {
            assertThat(why.exit()).isEqualTo(ExitCode.DATA);
            assertThat(why.what()).contains("users");
        });
    }

    @Test
    void aBatchThatDoesNotCompleteInTimeEndsTheSession() {
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        accept(only(Decision.Post.class), 6);
        on(new Event.Incomplete(only(Decision.AskCompletion.class).token()));
        tick(59_000);
        on(new Event.Incomplete(only(Decision.AskCompletion.class).token()));
        tick(61_000);
        on(new Event.Incomplete(only(Decision.AskCompletion.class).token()));
        assertThat(ended().what()).contains("feldera.completion-timeout");
    }

    /** The loop was held up by PostgreSQL: the answer was asked for before the limit and read after it. */
    @Test
    void anOldAnswerReadAfterTheCompletionTimeoutEndsNothing() {
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        accept(only(Decision.Post.class), 6);
        CompletionToken token = only(Decision.AskCompletion.class).token();
        now = 61_000 * MILLI;
        on(new Event.Incomplete(token));
        assertThat(all(Decision.EndSession.class)).isEmpty();
        tick(62_000);
        on(new Event.Complete(only(Decision.AskCompletion.class).token()));
        assertThat(only(Decision.Persist.class).mark().confirmable()).isEqualTo(Lsn.parse("0/200"));
    }

    @Test
    void anIdleKeepaliveIsConfirmedOnlyAfterThePipelinesLifeWasSeen() {
        tick(1000);
        on(new Event.KeptAlive(Lsn.parse("0/800")));
        assertThat(all(Decision.Persist.class)).isEmpty();
        only(Decision.AskLife.class);
        on(new Event.LifeSeen(stats(LIFE)));
        assertThat(only(Decision.Persist.class).mark().confirmable()).isEqualTo(Lsn.parse("0/800"));
    }

    @Test
    void anIdleKeepaliveIsNotConfirmedWhenThePipelineWasRestarted() {
        tick(1000);
        on(new Event.KeptAlive(Lsn.parse("0/800")));
        on(new Event.LifeSeen(stats("life-2")));
        assertThat(ended().what()).contains("restarted");
        assertThat(all(Decision.Persist.class)).isEmpty();
    }

    @Test
    void aKeepaliveInsideATransactionConfirmsNothing() {
        tick(1000);
        on(new Event.Begun());
        on(new Event.KeptAlive(Lsn.parse("0/800")));
        tick(5000);
        on(new Event.LifeSeen(stats(LIFE)));
        assertThat(all(Decision.Persist.class)).isEmpty();
    }

    @Test
    void aKeepaliveBehindUndeliveredRowsIsConfirmedWithThemAndNotBefore() {
        transaction(Lsn.parse("0/200"), USERS);
        tick(10);
        on(new Event.KeptAlive(Lsn.parse("0/800")));
        tick(5000);
        assertThat(all(Decision.Persist.class)).isEmpty();
        accept(only(Decision.Post.class), 6);
        on(new Event.Complete(only(Decision.AskCompletion.class).token()));
        assertThat(only(Decision.Persist.class).mark().confirmable()).isEqualTo(Lsn.parse("0/800"));
    }

    /** The open-transaction guard: parts of a transaction move nothing, its commit moves everything. */
    @Test
    void anOversizedTransactionIsConfirmedAtItsEndOnly() {
        tick(1000);
        outbox.begin();
        for (int row = 0; row < 3; row++) add(USERS);
        tick(1001);
        accept(only(Decision.Post.class), 8);
        on(new Event.Complete(only(Decision.AskCompletion.class).token()));
        tick(5000);
        on(new Event.LifeSeen(stats(LIFE))); // asked for before the commit was read: covers nothing of it
        assertThat(all(Decision.Persist.class)).isEmpty();
        on(new Event.Committed(Lsn.parse("0/900")));
        tick(6000);
        on(new Event.LifeSeen(stats(LIFE)));
        assertThat(only(Decision.Persist.class).mark().confirmable()).isEqualTo(Lsn.parse("0/900"));
    }

    @Test
    void drainsWhatIsInFlightDropsWhatIsHalfReadAndThenIsDone() {
        transaction(Lsn.parse("0/200"), USERS);
        outbox.begin();
        add(USERS);
        on(new Event.DrainAsked());
        assertThat(core.wantsMore()).isFalse();
        Decision.Post post = only(Decision.Post.class);
        assertThat(new String(post.body().bytes(), 0, post.body().length(), StandardCharsets.US_ASCII))
                .isEqualTo("[{\"insert\":0}]");
        accept(post, 6);
        on(new Event.Complete(only(Decision.AskCompletion.class).token()));
        assertThat(all(Decision.Drained.class)).isEmpty();
        on(new Event.Recorded(only(Decision.Persist.class).mark()));
        assertThat(confirms()).containsExactly(Lsn.parse("0/200"));
        assertThat(all(Decision.Drained.class)).hasSize(1);
    }

    /** The mode that demonstrates the loss: nothing is asked of Feldera after its 200. */
    @Test
    void acceptedModeConfirmsWhatFelderaHasOnlyQueued() {
        var eager = Settings.with(
                DeliverySettings.AckMode.ACCEPTED, Path.of("unused"), 3, Duration.ofMillis(10), "users", "items");
        var eagerOutbox = new Outbox(eager);
        var eagerCore = new DeliveryCore(
                eager, eagerOutbox, LIFE, RESUME, counts, List.of(USERS), SlotTenure.byTurn(), completions(), 0);
        eagerOutbox.begin();
        add(eagerOutbox, USERS);
        eagerCore.on(new Event.Committed(Lsn.parse("0/200")), 0);
        Decision.Post post =
                (Decision.Post) eagerCore.on(new Event.Elapsed(), 200 * MILLI).getFirst();
        List<Decision> then = eagerCore.on(
                new Event.Answered(post.batchId(), new IngressReply.Accepted(token(LIFE, 6))), 300 * MILLI);
        assertThat(then).hasAtLeastOneElementOfType(Decision.Persist.class);
    }
}
