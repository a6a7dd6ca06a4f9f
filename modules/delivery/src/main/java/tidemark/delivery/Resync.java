package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.replication.Snapshot;

/**
 * Reads one table again while the others stream (docs/adr/0017). At the end of a transaction the table becomes
 * LEFT_OUT, durably: the stream leaves it out, and from then on PostgreSQL is told of no newer position. What was sent
 * to it is complete before it is merged under a snapshot, in batches of its own that alternate with the stream's;
 * before the first of them all were found to be such as can be sent, and it is MERGING, durably. Then the session ends,
 * and the next one streams from the position that was held: every table drops what it has already.
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

    private final Surroundings around;
    private final Outbox outbox;
    private final CoreDriver driver;
    private final Relations relations;
    private final Supplier<Lsn> received;
    private ResyncState state = new ResyncState.Idle();
    private Whose whose = Whose.OURS;
    /** The batch of ours that was last in the outbox. */
    private long sent;

    private long batches;

    private Optional<RowBytes> ready = Optional.empty();
    private boolean warned;

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
        return !(state instanceof ResyncState.Idle);
    }

    /** Whether nothing may be read, so that it can go on. */
    boolean stopsReading() {
        return switch (state) {
            case ResyncState.Waiting _, ResyncState.Ending _ -> isBetweenTransactions();
            case ResyncState.Recording _ -> true;
            case ResyncState.Merging _ -> whose == Whose.OURS && ready.isPresent() && outbox.isEmpty();
            case ResyncState.Idle _,
                    ResyncState.Looking _,
                    ResyncState.Sending _,
                    ResyncState.Covering _,
                    ResyncState.Imaging _,
                    ResyncState.Returning _,
                    ResyncState.Ended _ -> false;
        };
    }

    private boolean isBetweenTransactions() {
        return !outbox.isInsideTransaction();
    }

    /** Goes on as far as it can. Throws what ends the session. */
    void turn() {
        around.resyncs().cancelled().or(this::tooLittleWal).ifPresent(this::leaveBecause);
        switch (state) {
            case ResyncState.Idle() -> around.resyncs().next().ifPresent(this::look);
            case ResyncState.Looking(RelationName table, TableBeside beside, var looked) -> {
                if (looked.isThere()) looked(table, beside, looked);
            }
            case ResyncState.Waiting(ResyncState.Subject subject) -> {
                if (isBetweenTransactions()) leaveOut(subject);
            }
            case ResyncState.Recording(ResyncState.Subject subject) -> {
                if (driver.core().isRestated()) state = new ResyncState.Sending(subject, outbox.lastBatchId());
            }
            case ResyncState.Sending(ResyncState.Subject subject, long batch) -> {
                if (driver.core().batchesAccepted() >= batch)
                    state = new ResyncState.Covering(
                            subject, driver.covered(subject.looked().plan(), "read again"));
            }
            case ResyncState.Covering(ResyncState.Subject subject, Covered covered) -> cover(subject, covered);
            case ResyncState.Imaging(ResyncState.Subject subject, var snapshot) -> {
                if (snapshot.isThere()) imaged(subject, snapshot);
            }
            case ResyncState.Merging merging -> merge(merging);
            case ResyncState.Returning returning -> returns(returning);
            case ResyncState.Ending(ResyncState.Outcome outcome) -> {
                if (isBetweenTransactions()) end(outcome);
            }
            case ResyncState.Ended _ -> {}
        }
    }

    /** Nothing was changed yet, or that is all that can still be done. */
    private void leaveBecause(SessionOver why) {
        if (sent > 0) {
            warn(why);
            return;
        }
        switch (state) {
            case ResyncState.Looking(RelationName table, TableBeside beside, var _) -> failed(table, beside, why);
            case ResyncState.Waiting(ResyncState.Subject subject) -> failed(subject.name(), subject.beside(), why);
            case ResyncState.Sending _, ResyncState.Covering _, ResyncState.Imaging _ ->
                giveUp(state.leftOut().orElseThrow(), why);
            case ResyncState.Merging merging -> {
                merging.source().close();
                giveUp(merging.subject(), why);
            }
            case ResyncState.Idle _,
                    ResyncState.Recording _,
                    ResyncState.Returning _,
                    ResyncState.Ending _,
                    ResyncState.Ended _ -> {}
        }
    }

    private Optional<SessionOver> tooLittleWal() {
        return state.leftOut()
                .flatMap(_ -> WalGuard.tooLittleToGoOn(around.board().walRoom()));
    }

    private void warn(SessionOver why) {
        if (warned) return;
        warned = true;
        state.leftOut()
                .ifPresent(subject -> LOG.log(
                        Level.WARNING,
                        "resync goes on table={0} why=\"differences were sent\" despite=\"{1}\" remedy=\"{2}\"",
                        subject.name(),
                        why.failure().what(),
                        why.failure().remedy()));
    }

    private void look(RelationName table) {
        var beside = new TableBeside(around, driver.state().origin(), stands(table));
        state = new ResyncState.Looking(table, beside, around.errands().ask(beside::look));
    }

    private ReplicationState.Table stands(RelationName table) {
        return driver.state().table(table).orElseThrow();
    }

    private void looked(RelationName table, TableBeside beside, Errand.Answer<TableBeside.Looked> looked) {
        try {
            state = new ResyncState.Waiting(new ResyncState.Subject(beside, looked.get(), Lsn.ZERO));
        } catch (RuntimeException e) { // whatever it is, it is no reason to end the stream
            failed(table, beside, e);
        }
    }

    /** Before it was left out. */
    private void failed(RelationName table, TableBeside beside, RuntimeException why) {
        letGo(beside);
        state = new ResyncState.Idle();
        around.resyncs().failed(table, told(table, why), Optional.empty());
    }

    /** Nothing of it is sent behind this transaction, and no mark says so before it is on disk. */
    private void leaveOut(ResyncState.Subject of) {
        ReplicationState.Table table = stands(of.name());
        ResyncState.Subject subject =
                new ResyncState.Subject(of.beside(), of.looked(), Lsn.later(table.position(), received.get()));
        relations.leaveOut(subject.name());
        driver.restate(table.at(ReplicationState.Stand.LEFT_OUT, table.position(), table.count()));
        TableCounters counters = around.board().of(subject.name());
        counters.copyBegins(subject.looked().plan().shape().estimatedRows());
        counters.standsAt(TableState.MERGING);
        around.resyncs().merges(subject.name(), () -> MergedTable.Found.NOTHING, subject.beside()::waitsFor);
        LOG.log(Level.INFO, "resync table={0} left_out_from={1}", subject.name(), subject.leftOutFrom());
        around.resyncs().leftOut();
        state = new ResyncState.Recording(subject);
    }

    private void cover(ResyncState.Subject subject, Covered covered) {
        try {
            if (covered.isComplete()) image(subject);
        } catch (RuntimeException e) { // as above
            giveUp(subject, e);
        }
    }

    private void image(ResyncState.Subject subject) {
        around.counts().replaysFromSnapshot(subject.looked().plan().feldera().name());
        state = new ResyncState.Imaging(
                subject, around.errands().ask(() -> subject.beside().snapshot(subject.looked())));
    }

    private void imaged(ResyncState.Subject subject, Errand.Answer<Snapshot> answer) {
        try {
            Snapshot snapshot = answer.get();
            var source = RehearsedMerge.of(around, subject.looked().plan(), snapshot);
            around.resyncs().imaged();
            around.resyncs().merges(subject.name(), source::found, Optional::empty);
            state = new ResyncState.Merging(
                    subject, snapshot.consistentPoint(), source, new Filling(around.errands(), source));
        } catch (RuntimeException e) { // as above
            giveUp(subject, e);
        }
    }

    private void merge(ResyncState.Merging merging) {
        Filling filling = merging.filling();
        if (ready.isEmpty()) ready = filled(merging);
        if (!(state instanceof ResyncState.Merging)) return;
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
    private Optional<RowBytes> filled(ResyncState.Merging merging) {
        try {
            Optional<RowBytes> body = merging.filling().filled();
            body.filter(empty -> empty.operations() == 0).ifPresent(outbox::release);
            return body.filter(full -> full.operations() > 0);
        } catch (RuntimeException e) { // as above, as long as nothing was changed
            if (sent > 0) throw e;
            merging.source().close();
            giveUp(merging.subject(), e);
            return Optional.empty();
        }
    }

    private void send(ResyncState.Merging merging, RowBytes body) {
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
    private boolean isRecordedAsMerging(ResyncState.Subject subject) {
        ReplicationState.Table table = stands(subject.name());
        if (table.stand() == ReplicationState.Stand.MERGING) {
            if (!driver.core().isRestated()) return false;
            return around.resyncs().changes(subject.name());
        }
        driver.restate(table.at(ReplicationState.Stand.MERGING, table.position(), table.count()));
        return false;
    }

    private void merged(ResyncState.Merging merging) {
        ResyncState.Subject subject = merging.subject();
        if (!around.resyncs().settles(subject.name(), sent > 0)) return; // or it would be cancelled and done
        MergedTable.Found found = merging.source().found();
        merging.source().close();
        letGo(subject.beside());
        LOG.log(Level.INFO, "merged table={0} lsn={1} {2}", subject.name(), merging.at(), found);
        ReplicationState.Table stands = stands(subject.name());
        stands = stands.at(ReplicationState.Stand.COPIED, merging.at(), stands.count())
                .of(EditionRead.begun(subject.looked().edition(), Optional.of(stands), merging.at()));
        state = returning(new ResyncState.Outcome(
                stands, () -> around.resyncs().goesBack(subject.name(), received.get(), merging.at(), found)));
    }

    private void giveUp(ResyncState.Subject subject, RuntimeException why) {
        letGo(subject.beside());
        String told = told(subject.name(), why);
        state = returning(asItWas(
                subject, () -> around.resyncs().failed(subject.name(), told, Optional.of(received.get()))));
    }

    /** It has what was sent before it was left out, and nothing else. */
    private ResyncState.Outcome asItWas(ResyncState.Subject subject, Runnable tell) {
        ReplicationState.Table table = stands(subject.name());
        return new ResyncState.Outcome(
                table.at(ReplicationState.Stand.COPIED, subject.leftOutFrom(), table.count()), tell);
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

    private ResyncState returning(ResyncState.Outcome outcome) {
        return new ResyncState.Returning(outcome, new NextSession(around));
    }

    /** Too little WAL to be held back is a reason to go all the same. */
    private void returns(ResyncState.Returning returning) {
        if (returning.next().couldBegin()
                || WalGuard.tooLittleToGoOn(around.board().walRoom()).isPresent()) {
            state = new ResyncState.Ending(returning.outcome());
        }
    }

    /** What was read of the others is covered by a mark, or parts of a transaction would be sent again. */
    private void end(ResyncState.Outcome outcome) {
        if (received.get().isAfter(driver.core().completed())) {
            driver.on(new Event.KeptAlive(received.get()));
            return;
        }
        state = new ResyncState.Ended(outcome);
        driver.on(new Event.DrainAsked());
    }

    /**
     * Writes what everything that is settled amounts to, the table with it; {@code write} returns when it is on disk.
     */
    void conclude(ReplicationState settled, Consumer<ReplicationState> write) {
        Optional<ResyncState.Outcome> outcome = outcome();
        write.accept(outcome.map(of -> settled.with(counted(of.stands())).counting(around.counts()))
                .orElse(settled));
        outcome.ifPresent(of -> of.tell().run());
    }

    private ReplicationState.Table counted(ReplicationState.Table table) {
        return table.at(table.stand(), table.position(), around.counts().taken(table.feldera()));
    }

    private Optional<ResyncState.Outcome> outcome() {
        return state instanceof ResyncState.Ended(ResyncState.Outcome outcome)
                ? Optional.of(outcome)
                : Optional.empty();
    }

    /**
     * Ends it where it is, so that the session can be drained. Once it is, a table of which nothing was changed has
     * what was sent before it was left out; one that is MERGING is merged by the next session.
     */
    void stop() {
        Optional<ResyncState.Outcome> unchanged = state.decided()
                .or(() -> state.leftOut().map(subject -> asItWas(subject, () -> {})))
                .filter(_ -> sent == 0);
        leave(this::letGo);
        unchanged.ifPresent(outcome -> state = new ResyncState.Ended(outcome));
    }

    /** As a session ends that failed: nothing is kept alive any more. */
    @Override
    public void close() {
        leave(TableBeside::close);
    }

    private void leave(Consumer<TableBeside> letGo) {
        if (outcome().isPresent()) return;
        if (state instanceof ResyncState.Merging(var _, var _, RehearsedMerge source, var _)) source.close();
        state.beside().ifPresent(letGo);
        state = new ResyncState.Idle();
    }
}
