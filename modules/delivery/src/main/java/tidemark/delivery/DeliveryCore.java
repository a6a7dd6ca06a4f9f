package tidemark.delivery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.delivery.DeliverySettings.AckMode;
import tidemark.sink.CompletionToken;
import tidemark.sink.FelderaName;
import tidemark.sink.IngressReply;
import tidemark.sink.PipelineStats;

/**
 * Decides, within one session, what is in flight and what may be confirmed: events in, decisions out, no I/O, no
 * thread, no clock, no random source.
 *
 * <p>Always holds: confirmed ≤ recorded ≤ confirmable ≤ the end of the last transaction of which every row, and
 * everything before it, reached the level of the ack mode in the life of the pipeline that this session began with. One
 * POST is unanswered at a time; all POSTs of a batch are answered before the next batch is cut; at most
 * {@code inFlight} batches are unsettled.
 *
 * <p>Times are nanoseconds of the caller's clock. Not thread safe; owned by the delivery loop. A crash loses it whole:
 * the slot replays from what was confirmed.
 */
final class DeliveryCore {
    /** The POST under way. */
    private sealed interface Sending {
        record Nothing() implements Sending {}

        /** May leave once the slot is known to be ours. */
        record Ready(Batch batch, int index, ArrayDeque<CompletionToken> tokens, long sinceNanos) implements Sending {}

        /** @param tokens of the bodies before {@code index} */
        record AwaitingReply(Batch batch, int index, ArrayDeque<CompletionToken> tokens) implements Sending {}
    }

    /** The table is marked before the session ends; {@code asked}: the mark is on its way to the disk. */
    private record Doubt(FelderaName table, Failure why, boolean asked) {}

    private final AckMode ackMode;
    private final long giveUpNanos;
    private final boolean mends;
    private final String life;
    private final Outbox outbox;
    private final AckLedger ledger;
    private final EndpointCounts counts;
    private final Completions completions;
    private final SlotTenure tenure;
    private final LifeWatch lifeWatch;
    private final Marks marks;

    private Sending sending = new Sending.Nothing();
    private Optional<Doubt> doubt = Optional.empty();
    private boolean draining;
    private boolean partSent;
    private boolean over;
    private long batchesAccepted;
    private long batchesCompleted;
    private List<Decision> decisions = new ArrayList<>();

    /**
     * @param life the incarnation that the session began with
     * @param counts of this life
     * @param tables whose endpoints the marks tell of
     */
    DeliveryCore(
            DeliverySettings settings,
            Outbox outbox,
            String life,
            Lsn resumeFrom,
            EndpointCounts counts,
            List<FelderaName> tables,
            SlotTenure tenure,
            Completions completions,
            long nanos) {
        this.ackMode = settings.ackMode();
        this.giveUpNanos = settings.giveUpAfter().toNanos();
        this.mends = settings.mends();
        this.outbox = outbox;
        this.life = life;
        Map<FelderaName, Long> taken = new HashMap<>();
        tables.forEach(table -> taken.put(table, counts.taken(table)));
        this.ledger = new AckLedger(resumeFrom, taken, settings.inFlight());
        this.counts = counts;
        this.tenure = tenure;
        this.completions = completions;
        this.lifeWatch = new LifeWatch(nanos);
        this.marks = new Marks(resumeFrom, nanos);
    }

    /** Whether another row may be read and encoded. */
    boolean wantsMore() {
        return !over && !draining && doubt.isEmpty() && !outbox.isFull();
    }

    List<Decision> on(Event event, long nanos) {
        decisions = new ArrayList<>();
        if (over) return decisions;
        if (doubt.isPresent()) return doubting(doubt.get(), event);
        switch (event) {
            case Event.Begun() -> outbox.begin();
            case Event.Committed(Lsn endLsn) -> {
                outbox.commit(endLsn);
                coveredUntil(endLsn);
            }
            case Event.KeptAlive(Lsn walEnd) -> keptAlive(walEnd);
            case Event.CopyRead() -> {
                outbox.boundary();
                draining = true;
            }
            case Event.Restated() -> marks.hold();
            case Event.DrainAsked() -> {
                partSent = outbox.dropOpenTransaction();
                draining = true;
            }
            case Event.Elapsed() -> {}
            case Event.Answered(long batchId, IngressReply reply) -> answered(batchId, reply, nanos);
            case Event.Complete(CompletionToken token) ->
                completions.complete(token, nanos).ifPresent(this::settled);
            case Event.Incomplete(CompletionToken token) ->
                completions.stillOpen(token, nanos).ifPresent(this::overdue);
            case Event.TokenVoid(CompletionToken _) -> end(restarted());
            case Event.LifeSeen(var stats) -> lifeSeen(stats, nanos);
            case Event.TenureSeen(boolean ours) -> tenureSeen(ours, nanos);
            case Event.QuestionFailed(Failure why) -> end(why);
            case Event.NotRecorded(Failure why) -> end(why);
            case Event.Recorded(Mark mark) -> recorded(mark);
        }
        if (!over && doubt.isEmpty()) goOn(nanos);
        return decisions;
    }

    /** Everything that time or room may have made possible. */
    private void goOn(long nanos) {
        if (sending instanceof Sending.Nothing
                && ledger.hasRoom()
                && (outbox.isDue(nanos) || (draining && !outbox.isEmpty()))) {
            Batch batch = outbox.cut();
            ledger.submitted(batch.id(), batch.endLsn());
            sending = new Sending.Ready(batch, 0, new ArrayDeque<>(), nanos);
        }
        post(nanos);
        completions.next(nanos).ifPresent(token -> decisions.add(new Decision.AskCompletion(token)));
        if ((ledger.isIdle() || lifeWatch.standsStill()) && lifeWatch.isAskDue(nanos)) {
            decisions.add(new Decision.AskLife());
        }
        marks.next(ledger, draining, nanos).ifPresent(mark -> decisions.add(new Decision.Persist(mark)));
        if (draining && outbox.isEmpty() && ledger.isIdle() && marks.haveAll(ledger)) {
            over = true;
            decisions.add(new Decision.Drained());
        }
    }

    private void post(long nanos) {
        boolean waits = sending instanceof Sending.Ready;
        if ((waits || !outbox.isEmpty()) && tenure.isAskDue(nanos)) decisions.add(new Decision.AskTenure());
        if (lifeWatch.standsStill() || !tenure.isProven(nanos)) return;
        if (!(sending instanceof Sending.Ready(Batch batch, int index, var tokens, var _))) return;
        Batch.Body body = batch.bodies().get(index);
        sending = new Sending.AwaitingReply(batch, index, tokens);
        counts.sent(body.table(), body.operations());
        decisions.add(new Decision.Post(batch.id(), body.bytes().body(body.table())));
    }

    private void tenureSeen(boolean ours, long nanos) {
        if (!ours) {
            end(new Failure.Transient(
                    "the slot is no longer held by this session", "Find out who took it: another Tidemark?", true));
        } else if (!tenure.confirmed(nanos)) {
            end(Failure.peer(
                    "PostgreSQL took longer than %s to say who holds the slot".formatted(SlotTenure.LONGEST_PROOF),
                    "Look at the load of the server."));
        }
    }

    private void answered(long batchId, IngressReply reply, long nanos) {
        if (!(sending instanceof Sending.AwaitingReply awaiting)
                || awaiting.batch().id() != batchId) {
            throw new InvariantViolation("a reply for batch %d, whose POST is not under way".formatted(batchId));
        }
        Batch.Body body = awaiting.batch().bodies().get(awaiting.index());
        if (reply instanceof IngressReply.Accepted(CompletionToken token)) {
            accept(awaiting, body, token, nanos);
        } else {
            if (!(reply instanceof IngressReply.Unknown)) counts.refused(body.table());
            end(FailurePolicy.ofReply(body.table(), reply));
        }
    }

    private void accept(Sending.AwaitingReply answered, Batch.Body body, CompletionToken token, long nanos) {
        Batch batch = answered.batch();
        long expected = counts.accepted(body.table());
        if (token.mark().isPresent()) {
            CompletionToken.Mark mark = token.mark().get();
            if (!mark.incarnation().equals(life)) {
                end(restarted());
                return;
            }
            if (mark.count() != expected) {
                miscounted(body.table(), mark.count(), expected);
                return;
            }
        }
        ledger.counted(batch.id(), body.table(), expected);
        decisions.add(new Decision.Taken(body.table()));
        outbox.release(body.bytes());
        answered.tokens().add(token);
        if (answered.index() + 1 < batch.bodies().size()) {
            sending = new Sending.Ready(batch, answered.index() + 1, answered.tokens(), nanos);
            return;
        }
        sending = new Sending.Nothing();
        batchesAccepted++;
        switch (ackMode) {
            case ACCEPTED -> settled(batch.id());
            case COMPLETED -> completions.accepted(batch.id(), answered.tokens(), nanos);
        }
    }

    private void overdue(long batchId) {
        end(Failure.peer(
                "batch %d was accepted and did not complete within feldera.completion-timeout".formatted(batchId),
                "Look for a slow output connector, an open pipeline transaction or a paused pipeline."));
    }

    private void settled(long batchId) {
        Lsn before = ledger.confirmableLsn();
        ledger.settled(batchId);
        batchesCompleted++;
        decisions.add(new Decision.Progressed(ledger.confirmableLsn().isAfter(before)));
    }

    private void keptAlive(Lsn walEnd) {
        if (outbox.isInsideTransaction()) return; // it may lie past rows of which the end is not read yet
        outbox.coveredUntil(walEnd);
        coveredUntil(walEnd);
    }

    /** Everything below was read; what of it is still open is in the outbox or in the ledger. */
    private void coveredUntil(Lsn lsn) {
        if (!outbox.isEmpty()) return;
        if (ledger.isIdle()) lifeWatch.waits(lsn);
        else ledger.coveredUntil(lsn);
    }

    private void lifeSeen(PipelineStats stats, long nanos) {
        Optional<Lsn> vouched = lifeWatch.seen(stats, nanos);
        if (!stats.incarnation().equals(life)) {
            end(restarted());
            return;
        }
        if (sending instanceof Sending.Ready(var _, var _, var _, long since)
                && Math.min(nanos - since, lifeWatch.stillForNanos(nanos)) >= giveUpNanos) {
            end(new Failure.Permanent(
                    ExitCode.UNREACHABLE,
                    "the pipeline has been %s for longer than session.give-up-after".formatted(stats.state()),
                    "Resume the pipeline: Tidemark waits for it and never starts it."));
            return;
        }
        // What was read since the question was asked is in the ledger, or a later question covers it.
        vouched.ifPresent(lsn -> {
            decisions.add(new Decision.CaughtUp());
            if (ledger.isIdle()) ledger.coveredUntil(lsn);
        });
    }

    private void recorded(Mark mark) {
        Lsn before = marks.confirmed();
        marks.recorded(mark, ledger.confirmableLsn());
        counts.confirmed(); // what the mark covers is not replayed any more, whatever PostgreSQL is told
        if (marks.confirmed().isAfter(before)) decisions.add(new Decision.Confirm(marks.confirmed()));
    }

    /**
     * A ghost or somebody else wrote to the table (R7). Of a ghost of ours, what lies after the slot's position is
     * replayed over it; once the slot has moved, or if it is not ours, WAL cannot mend it.
     */
    private void miscounted(FelderaName table, long counted, long expected) {
        String what = "table %s counted %d operations where %d were expected".formatted(table, counted, expected);
        if (counts.adopt(table, counted)) {
            end(Failure.peer(what, "Make sure that nobody else posts to this table through the same endpoint."));
            return;
        }
        doubt = Optional.of(new Doubt(table, FailurePolicy.ofCount(what, mends), false));
        mark(doubt.get());
    }

    /** Nothing is sent and nothing confirmed any more; a restart must know, too. */
    private List<Decision> doubting(Doubt doubted, Event event) {
        switch (event) {
            case Event.Recorded _ -> {
                marks.ended();
                if (doubted.asked()) end(doubted.why());
                else mark(doubted);
            }
            case Event.NotRecorded _ -> end(doubted.why());
            case Event.Begun _,
                    Event.Committed _,
                    Event.KeptAlive _,
                    Event.CopyRead _,
                    Event.Restated _,
                    Event.DrainAsked _,
                    Event.Elapsed _,
                    Event.Answered _,
                    Event.Complete _,
                    Event.Incomplete _,
                    Event.TokenVoid _,
                    Event.QuestionFailed _,
                    Event.LifeSeen _,
                    Event.TenureSeen _ -> {}
        }
        return decisions;
    }

    private void mark(Doubt doubted) {
        if (!marks.begins()) return;
        doubt = Optional.of(new Doubt(doubted.table(), doubted.why(), true));
        decisions.add(new Decision.Doubt(doubted.table(), new Mark(marks.confirmed(), Map.of())));
    }

    private Failure restarted() {
        return Failure.peer(
                "the pipeline was restarted: its incarnation is no longer %s".formatted(life),
                "Nothing, if it was you: the next session looks at what came back.");
    }

    private void end(Failure why) {
        over = true;
        decisions.add(new Decision.EndSession(why));
    }

    Lsn completed() {
        return ledger.confirmableLsn();
    }

    Lsn confirmed() {
        return marks.confirmed();
    }

    /** Whether the drain cut a transaction of which parts had been sent. */
    boolean hasSentPart() {
        return partSent;
    }

    /** Whether PostgreSQL is told of no newer position in this session. */
    boolean isHeld() {
        return marks.isHeld();
    }

    /** Whether what the last {@link Event.Restated} was about is on disk. */
    boolean isRestated() {
        return marks.isAwaitedDone();
    }

    int inFlight() {
        return ledger.inFlight();
    }

    boolean isSettled(long batchId) {
        return ledger.isSettled(batchId);
    }

    long batchesAccepted() {
        return batchesAccepted;
    }

    long batchesCompleted() {
        return batchesCompleted;
    }

    /** What delivery waits for, in words, if it waits. */
    Optional<String> waitingFor() {
        if (sending instanceof Sending.Ready) {
            return Optional.of(lifeWatch
                    .state()
                    .map("the pipeline, which is %s"::formatted)
                    .orElse("PostgreSQL to say who holds the slot"));
        }
        if (sending instanceof Sending.AwaitingReply(Batch batch, int index, var _)) {
            return Optional.of("the reply to a POST for table %s"
                    .formatted(batch.bodies().get(index).table()));
        }
        return completions.oldest().map("completion of batch %d"::formatted);
    }
}
