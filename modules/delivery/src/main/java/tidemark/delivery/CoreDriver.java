package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.replication.SourceSession;
import tidemark.sink.Destination;
import tidemark.sink.FelderaName;

/**
 * Does what one {@link DeliveryCore} decides, and tells it what came of it. Decides nothing itself. Owned by the
 * connector's thread.
 */
final class CoreDriver {
    private static final Logger LOG = System.getLogger("tidemark.delivery");

    private final Surroundings around;
    private final SourceSession source;
    private final LongWait longWait;
    private final Outbox outbox;
    private final DeliveryCore core;
    private final CrashWatch crash;
    private ReplicationState state;
    private boolean drained;
    private long shownAccepted;
    private long shownCompleted;

    /** @param state on disk already */
    CoreDriver(Surroundings around, SourceSession source, SlotTenure tenure, Outbox outbox, ReplicationState state) {
        this.around = around;
        this.outbox = outbox;
        this.source = source;
        this.longWait = new LongWait(around);
        this.state = state;
        this.crash = new CrashWatch(around.crash());
        around.errands().beginCore(); // an answer to the core before would be about an earlier question
        this.core = new DeliveryCore(
                around.settings(),
                outbox,
                state.target().incarnation(),
                state.confirmed(),
                around.counts(),
                state.tables().stream().map(ReplicationState.Table::feldera).toList(),
                tenure,
                new Completions(around.settings().completionTimeout(), around.random()),
                around.now());
    }

    DeliveryCore core() {
        return core;
    }

    CrashWatch crash() {
        return crash;
    }

    /** What is on disk, or about to be. */
    ReplicationState state() {
        return state;
    }

    /** Whether all that was read is accepted; of the open batch there is nothing. */
    boolean hasSentAll() {
        return outbox.isEmpty() && core.batchesAccepted() == outbox.lastBatchId();
    }

    /**
     * Begins to find out when all that was accepted for the table is complete.
     *
     * @param why the table is … truncated, merged
     */
    Covered covered(TablePlan plan, String why) {
        return new Covered(around, plan.feldera().name(), state.target().incarnation(), why);
    }

    /** Of tables that are read whole: on disk when it returns, in one write. */
    void keeps(List<ReplicationState.Table> whole) {
        for (ReplicationState.Table table : whole) state = state.with(table);
        state = state.counting(around.counts());
        around.store().write(state);
        around.patience().whole((int) state.tables().stream()
                .filter(table -> table.stand() == ReplicationState.Stand.COPIED)
                .count());
    }

    /** What the state says of the table from now on; {@link DeliveryCore#isRestated} says when it is on disk. */
    void restate(ReplicationState.Table table) {
        state = state.with(table);
        on(new Event.Restated());
    }

    boolean isDrained() {
        return drained;
    }

    /** What delivery waits for, in words, if it waits. */
    Optional<String> waitingFor() {
        return longWait.inWords();
    }

    void on(Event event) {
        crash.hears(event);
        List<Decision> decisions = core.on(event, around.now());
        crash.decided(decisions, core.batchesAccepted(), core.batchesCompleted());
        perform(decisions);
    }

    /**
     * Everything that came back since, waiting for the first of it for at most {@code wait}; then whatever has become
     * due.
     */
    void settle(Duration wait) {
        for (Optional<Event> event = around.errands().next(wait);
                event.isPresent();
                event = around.errands().next(Duration.ZERO)) {
            on(event.get());
        }
        on(new Event.Elapsed());
        longWait.look(core.waitingFor());
        around.board().batches(core.batchesAccepted() - shownAccepted, core.batchesCompleted() - shownCompleted);
        shownAccepted = core.batchesAccepted();
        shownCompleted = core.batchesCompleted();
    }

    private void run(Errand errand) {
        around.errands().run(errand);
    }

    private void perform(List<Decision> decisions) {
        Destination feldera = around.destination();
        for (Decision decision : decisions) {
            switch (decision) {
                case Decision.Post(long batchId, var body) -> {
                    around.patience().begins();
                    run(new Errand.Post(feldera, batchId, body));
                }
                case Decision.AskCompletion(var token) -> run(new Errand.AskCompletion(feldera, token));
                case Decision.AskLife() -> run(new Errand.AskLife(feldera));
                case Decision.AskTenure() -> run(new Errand.AskTenure(source));
                case Decision.Persist(Mark mark) -> {
                    state = around.catalog().seenBy(state.at(mark).counting(around.counts()));
                    run(new Errand.Persist(around.store(), state, mark));
                }
                case Decision.Doubt(FelderaName table, Mark mark) -> {
                    state = state.doubting(table);
                    run(new Errand.Persist(around.store(), state, mark));
                }
                case Decision.Confirm(Lsn lsn) -> {
                    around.patience().confirmed();
                    LOG.log(Level.DEBUG, "confirmed flush lsn={0}", lsn);
                }
                case Decision.Taken(FelderaName table) -> around.board().bodyTaken(table);
                case Decision.Progressed(boolean kept) -> {
                    if (kept) around.patience().progressed();
                    else around.patience().undertakes();
                }
                case Decision.CaughtUp() -> around.patience().caughtUp();
                case Decision.Drained() -> drained = true;
                case Decision.EndSession(Failure why) -> throw new SessionOver(why);
            }
        }
    }
}
