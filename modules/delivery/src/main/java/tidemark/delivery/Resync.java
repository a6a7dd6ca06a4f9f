package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceFailure;
import tidemark.sink.SinkFailure;

/**
 * Reads one table again while the others stream (docs/adr/0017). At the end of a transaction the table becomes
 * LEFT_OUT, durably: the stream leaves it out, and from then on PostgreSQL is told of no newer position. What was sent
 * to it is complete before it is merged under a snapshot, in batches of its own that alternate with the stream's;
 * before the first of them it is MERGING, durably. Then the session ends, and the next one streams from the position
 * that was held: every table drops what it has already.
 *
 * <p>Owned by the connector's thread, which calls {@link #turn} and never waits here. A crash, or a session that ends
 * before {@link #conclude}, leaves a table that is MERGING to the next session, which merges it before it streams; one
 * that is LEFT_OUT streams on from where it stood. What fails before a difference was sent fails by itself.
 */
final class Resync implements AutoCloseable {
    private static final Logger LOG = System.getLogger("tidemark.delivery");

    /** Whose rows the next batch has: the stream has a turn behind each batch of ours. */
    private enum Whose {
        OURS,
        /** Ours is in the open batch. */
        SENT,
        STREAMS
    }

    /** A table that is to be read. {@code beside} is closed with it. */
    private record Subject(TableBeside beside, TableBeside.Looked looked, Lsn leftOutFrom) {
        RelationName name() {
            return looked.plan().postgres();
        }
    }

    /**
     * @param stands the table, once everything is settled
     * @param tell says so, once that is on disk
     */
    private record Outcome(ReplicationState.Table stands, Runnable tell) {}

    private sealed interface State {
        record Idle() implements State {}

        record Looking(RelationName table, TableBeside beside, Errand.Answer<TableBeside.Looked> looked)
                implements State {}

        /** Until the open transaction ends. */
        record Waiting(Subject subject) implements State {}

        /** Until it is LEFT_OUT on disk. Nothing is read meanwhile. */
        record Recording(Subject subject) implements State {}

        /** Until the last batch that may have rows of it is accepted. */
        record Sending(Subject subject, long batch) implements State {}

        record Covering(Subject subject, Covered covered) implements State {}

        record Imaging(Subject subject, Errand.Answer<Snapshot> snapshot) implements State {}

        /** @param filling of {@code source} */
        record Merging(Subject subject, Lsn at, MergedTable source, Filling filling) implements State {}

        /** Until the open transaction ends. */
        record Ending(Outcome outcome) implements State {}

        record Ended(Outcome outcome) implements State {}
    }

    private final Surroundings around;
    private final Outbox outbox;
    private final CoreDriver driver;
    private final Relations relations;
    private final Supplier<Lsn> received;
    private State state = new State.Idle();
    private Whose whose = Whose.OURS;
    /** The batch of ours that was last in the outbox. */
    private long sent;

    private long batches;

    private Optional<RowBytes> ready = Optional.empty();

    /** @param received the end of the last transaction read whole */
    Resync(Surroundings around, Outbox outbox, CoreDriver driver, Relations relations, Supplier<Lsn> received) {
        this.around = around;
        this.outbox = outbox;
        this.driver = driver;
        this.relations = relations;
        this.received = received;
    }

    /** Whether a table is being read again, or about to be. */
    boolean isUnderWay() {
        return !(state instanceof State.Idle);
    }

    /** Whether nothing may be read, so that it can go on. */
    boolean stopsReading() {
        return switch (state) {
            case State.Waiting _, State.Ending _ -> isBetweenTransactions();
            case State.Recording _ -> true;
            case State.Merging _ -> whose == Whose.OURS && ready.isPresent() && outbox.isEmpty();
            case State.Idle _, State.Looking _, State.Sending _, State.Covering _, State.Imaging _, State.Ended _ ->
                false;
        };
    }

    private boolean isBetweenTransactions() {
        return !outbox.isInsideTransaction();
    }

    /** Goes on as far as it can. Throws what ends the session. */
    void turn() {
        switch (state) {
            case State.Idle() -> around.resyncs().next().ifPresent(this::look);
            case State.Looking(RelationName table, TableBeside beside, var looked) -> {
                if (looked.isThere()) looked(table, beside, looked);
            }
            case State.Waiting(Subject subject) -> {
                if (isBetweenTransactions()) leaveOut(subject);
            }
            case State.Recording(Subject subject) -> {
                if (driver.core().isRestated()) state = new State.Sending(subject, outbox.lastBatchId());
            }
            case State.Sending(Subject subject, long batch) -> {
                if (driver.core().batchesAccepted() >= batch)
                    state = new State.Covering(
                            subject, driver.covered(subject.looked().plan(), "read again"));
            }
            case State.Covering(Subject subject, Covered covered) -> cover(subject, covered);
            case State.Imaging(Subject subject, var snapshot) -> {
                if (snapshot.isThere()) imaged(subject, snapshot);
            }
            case State.Merging merging -> merge(merging);
            case State.Ending(Outcome outcome) -> {
                if (isBetweenTransactions()) end(outcome);
            }
            case State.Ended _ -> {}
        }
    }

    private void look(RelationName table) {
        var beside = new TableBeside(around, driver.state().origin(), stands(table));
        state = new State.Looking(table, beside, around.errands().ask(beside::look));
    }

    private ReplicationState.Table stands(RelationName table) {
        return driver.state().table(table).orElseThrow();
    }

    private void looked(RelationName table, TableBeside beside, Errand.Answer<TableBeside.Looked> looked) {
        try {
            state = new State.Waiting(new Subject(beside, looked.get(), Lsn.ZERO));
        } catch (RowRefused | SessionOver | SourceFailure | SinkFailure e) {
            letGo(beside);
            state = new State.Idle();
            around.resyncs().failed(table, told(table, e), Optional.empty());
        }
    }

    /** Nothing of it is sent behind this transaction, and no mark says so before it is on disk. */
    private void leaveOut(Subject of) {
        ReplicationState.Table table = stands(of.name());
        Subject subject = new Subject(of.beside(), of.looked(), Lsn.later(table.position(), received.get()));
        relations.leaveOut(subject.name());
        driver.restate(table.at(ReplicationState.Stand.LEFT_OUT, table.position(), table.count()));
        TableCounters counters = around.board().of(subject.name());
        counters.copyBegins(subject.looked().plan().shape().estimatedRows());
        counters.standsAt("merging");
        around.resyncs().merges(subject.name(), () -> MergedTable.Found.NOTHING, subject.beside()::waitsFor);
        LOG.log(Level.INFO, "resync table={0} left_out_from={1}", subject.name(), subject.leftOutFrom());
        state = new State.Recording(subject);
    }

    private void cover(Subject subject, Covered covered) {
        try {
            if (covered.isComplete()) image(subject);
        } catch (SessionOver | SinkFailure e) {
            giveUp(subject, e);
        }
    }

    private void image(Subject subject) {
        state = new State.Imaging(
                subject, around.errands().ask(() -> subject.beside().snapshot(subject.looked())));
    }

    private void imaged(Subject subject, Errand.Answer<Snapshot> answer) {
        try {
            Snapshot snapshot = answer.get();
            var source = MergedTable.of(around, subject.looked().plan(), snapshot);
            around.resyncs().merges(subject.name(), source::found, Optional::empty);
            state = new State.Merging(
                    subject, snapshot.consistentPoint(), source, new Filling(around.errands(), source));
        } catch (RowRefused | SessionOver | SourceFailure e) {
            giveUp(subject, e);
        }
    }

    private void merge(State.Merging merging) {
        Filling filling = merging.filling();
        if (ready.isEmpty()) ready = filled(merging);
        if (!(state instanceof State.Merging)) return;
        if (ready.isEmpty() && filling.isIdle()) filling.begin(outbox.blank());
        whose = switch (whose) {
            case SENT -> outbox.openBatchId() > sent ? Whose.STREAMS : Whose.SENT;
            case STREAMS, OURS -> Whose.OURS;
        };
        if (whose != Whose.OURS) return;
        if (ready.isPresent()) send(merging, ready.get());
        else if (filling.isOver()) merged(merging);
    }

    /** Whatever fails once differences were sent ends the session: the table is neither what it was nor what it is. */
    private Optional<RowBytes> filled(State.Merging merging) {
        try {
            Optional<RowBytes> body = merging.filling().filled();
            body.filter(empty -> empty.operations() == 0).ifPresent(outbox::release);
            return body.filter(full -> full.operations() > 0);
        } catch (RowRefused | SessionOver | SourceFailure | SinkFailure e) {
            if (sent > 0) throw e;
            merging.source().close();
            giveUp(merging.subject(), e);
            return Optional.empty();
        }
    }

    private void send(State.Merging merging, RowBytes body) {
        if (!isRecordedAsMerging(merging.subject())
                || !outbox.isEmpty()
                || !driver.core().wantsMore()) return;
        around.board().of(merging.subject().name()).rowsCopied(body.operations());
        driver.crash().mends(++batches);
        sent = outbox.openBatchId();
        outbox.take(merging.filling().table(), body);
        ready = Optional.empty();
        whose = Whose.SENT;
    }

    /** From the first difference on it is neither what it was nor what it is to be. */
    private boolean isRecordedAsMerging(Subject subject) {
        ReplicationState.Table table = stands(subject.name());
        if (table.stand() == ReplicationState.Stand.MERGING) {
            if (!driver.core().isRestated()) return false;
            around.resyncs().changes(subject.name());
            return true;
        }
        driver.restate(table.at(ReplicationState.Stand.MERGING, table.position(), table.count()));
        return false;
    }

    private void merged(State.Merging merging) {
        Subject subject = merging.subject();
        MergedTable.Found found = merging.source().found();
        merging.source().close();
        letGo(subject.beside());
        LOG.log(Level.INFO, "merged table={0} lsn={1} {2}", subject.name(), merging.at(), found);
        ReplicationState.Table stands = stands(subject.name());
        stands = stands.at(ReplicationState.Stand.COPIED, merging.at(), stands.count())
                .of(EditionRead.begun(subject.looked().edition(), Optional.of(stands), merging.at()));
        state = new State.Ending(new Outcome(
                stands, () -> around.resyncs().goesBack(subject.name(), received.get(), merging.at(), found)));
    }

    private void giveUp(Subject subject, RuntimeException why) {
        letGo(subject.beside());
        String told = told(subject.name(), why);
        state = new State.Ending(asItWas(
                subject, () -> around.resyncs().failed(subject.name(), told, Optional.of(received.get()))));
    }

    /** It has what was sent before it was left out, and nothing else. */
    private Outcome asItWas(Subject subject, Runnable tell) {
        ReplicationState.Table table = stands(subject.name());
        return new Outcome(table.at(ReplicationState.Stand.COPIED, subject.leftOutFrom(), table.count()), tell);
    }

    private static String told(RelationName table, RuntimeException thrown) {
        Failure why = FailurePolicy.of(thrown);
        LOG.log(Level.WARNING, "resync failed table={0} why=\"{1}\" remedy=\"{2}\"", table, why.what(), why.remedy());
        return why.what();
    }

    /** Closing cancels what is under way, which asks the server. */
    private void letGo(TableBeside beside) {
        around.errands().ask(() -> {
            beside.close();
            return beside;
        });
    }

    /** What was read of the others is covered by a mark, or parts of a transaction would be sent again. */
    private void end(Outcome outcome) {
        if (received.get().isAfter(driver.core().completed())) {
            driver.on(new Event.KeptAlive(received.get()));
            return;
        }
        state = new State.Ended(outcome);
        driver.on(new Event.DrainAsked());
    }

    /**
     * Writes what everything that is settled amounts to, the table with it; {@code write} returns when it is on disk.
     */
    void conclude(ReplicationState settled, Consumer<ReplicationState> write) {
        Optional<Outcome> outcome = outcome();
        write.accept(outcome.map(of -> settled.with(counted(of.stands())).counting(around.counts()))
                .orElse(settled));
        outcome.ifPresent(of -> of.tell().run());
    }

    private ReplicationState.Table counted(ReplicationState.Table table) {
        return table.at(table.stand(), table.position(), around.counts().taken(table.feldera()));
    }

    private Optional<Outcome> outcome() {
        return switch (state) {
            case State.Ended(Outcome outcome) -> Optional.of(outcome);
            case State.Idle _,
                    State.Looking _,
                    State.Waiting _,
                    State.Recording _,
                    State.Sending _,
                    State.Covering _,
                    State.Imaging _,
                    State.Merging _,
                    State.Ending _ -> Optional.empty();
        };
    }

    /**
     * Ends it where it is, so that the session can be drained. Once it is, a table of which nothing was changed has
     * what was sent before it was left out; one that is MERGING is merged by the next session.
     */
    void stop() {
        Optional<Subject> unchanged = leftOut().filter(_ -> sent == 0);
        leave(this::letGo);
        unchanged.ifPresent(subject -> state = new State.Ended(asItWas(subject, () -> {})));
    }

    /** As a session ends that failed: nothing is kept alive any more. */
    @Override
    public void close() {
        leave(TableBeside::close);
    }

    private void leave(Consumer<TableBeside> letGo) {
        if (outcome().isPresent()) return;
        if (state instanceof State.Merging(var _, var _, MergedTable source, var _)) source.close();
        beside().ifPresent(letGo);
        state = new State.Idle();
    }

    private Optional<Subject> leftOut() {
        return switch (state) {
            case State.Recording(Subject subject) -> Optional.of(subject);
            case State.Sending(Subject subject, var _) -> Optional.of(subject);
            case State.Covering(Subject subject, var _) -> Optional.of(subject);
            case State.Imaging(Subject subject, var _) -> Optional.of(subject);
            case State.Merging(Subject subject, var _, var _, var _) -> Optional.of(subject);
            case State.Idle _, State.Looking _, State.Waiting _, State.Ending _, State.Ended _ -> Optional.empty();
        };
    }

    private Optional<TableBeside> beside() {
        return switch (state) {
            case State.Looking(var _, TableBeside beside, var _) -> Optional.of(beside);
            case State.Waiting(Subject subject) -> Optional.of(subject.beside());
            case State.Idle _,
                    State.Recording _,
                    State.Sending _,
                    State.Covering _,
                    State.Imaging _,
                    State.Merging _,
                    State.Ending _,
                    State.Ended _ -> leftOut().map(Subject::beside);
        };
    }
}
