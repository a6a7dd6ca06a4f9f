package tidemark.delivery;

import static tidemark.delivery.InvariantViolation.require;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/**
 * Carries out a TRUNCATE where Feldera has none (delivery-rules.md R8, docs/adr/0015): table by table it retracts every
 * row that Feldera has. What precedes the TRUNCATE, also in its own transaction, is sent first, and is complete before
 * the table is asked for its rows; nothing that follows is read before the last retraction is on its way. The
 * retractions are ordinary batches, parts of the open transaction: the ledger confirms nothing before they settle.
 *
 * <p>Owned by the connector's thread, which calls {@link #turn} and never waits here. A crash loses it: the slot
 * replays the transaction, and what is still there is read anew, so no row is retracted twice.
 */
final class Truncation implements AutoCloseable {
    private static final Logger LOG = System.getLogger("tidemark.delivery");

    /** @param counters of the PostgreSQL table */
    record Emptied(TablePlan plan, TableCounters counters) {}

    private sealed interface State {
        record Idle() implements State {}

        /** Until all that precedes it is accepted. */
        record Sending(Emptied table) implements State {}

        record Covering(Emptied table, Covered covered) implements State {}

        /** @param filling of {@code source} */
        record Retracting(Emptied table, TableRetraction source, Filling filling) implements State {}

        /** The last retractions are cut or about to be. */
        record Finishing(Emptied table) implements State {}
    }

    private final Surroundings around;
    private final Outbox outbox;
    private final CoreDriver driver;
    private final ArrayDeque<Emptied> left = new ArrayDeque<>();
    private State state = new State.Idle();
    private long rows;
    private long batches;

    Truncation(Surroundings around, Outbox outbox, CoreDriver driver) {
        this.around = around;
        this.outbox = outbox;
        this.driver = driver;
    }

    /** These tables are empty at this point of WAL. Rows of them that were not sent are dropped already. */
    void begin(List<Emptied> tables) {
        require(!isUnderWay(), "a TRUNCATE was read inside another");
        around.patience().undertakes();
        outbox.close();
        left.addAll(tables);
        next();
    }

    private void next() {
        Emptied table = left.poll();
        if (table == null) {
            state = new State.Idle();
            return;
        }
        table.counters().standsAt(TableState.TRUNCATING);
        rows = 0;
        batches = 0;
        state = new State.Sending(table);
    }

    /** While it is, nothing may be read. */
    boolean isUnderWay() {
        return !(state instanceof State.Idle);
    }

    /** Goes on as far as it can. Throws what ends the session. */
    void turn() {
        switch (state) {
            case State.Idle() -> {}
            case State.Sending(Emptied table) -> {
                if (driver.hasSentAll()) state = new State.Covering(table, driver.covered(table.plan(), "truncated"));
            }
            case State.Covering(Emptied table, Covered covered) -> {
                if (covered.isComplete()) state = retracting(table);
            }
            case State.Retracting(Emptied table, var _, Filling filling) -> retract(table, filling);
            case State.Finishing(Emptied table) -> {
                if (driver.hasSentAll()) finished(table);
            }
        }
    }

    private State retracting(Emptied table) {
        DeliverySettings settings = around.settings();
        var source = new TableRetraction(
                RetractedTable.of(table.plan()),
                around.destination(),
                around.rows().ofAnswers(settings.giveUpAfter()),
                BodyBounds.of(settings, 1));
        return new State.Retracting(table, source, new Filling(around.errands(), source));
    }

    /** One body waits to be cut while the next one is filled. */
    private void retract(Emptied table, Filling filling) {
        if (!outbox.isEmpty()) return;
        filling.filled().ifPresent(body -> take(table, filling, body));
        if (filling.isIdle()) filling.begin(outbox.blank());
        if (filling.isOver()) state = new State.Finishing(table);
    }

    private void take(Emptied table, Filling filling, RowBytes body) {
        if (body.operations() == 0) {
            outbox.release(body);
            return;
        }
        driver.crash().retracts(++batches);
        rows += body.operations();
        table.counters().retracted(body.operations());
        outbox.take(filling.table(), body);
    }

    private void finished(Emptied table) {
        table.counters().truncated();
        table.counters().standsAt(TableState.STREAMING);
        LOG.log(Level.INFO, "truncated table={0} rows={1}", table.plan().postgres(), Long.toString(rows));
        next();
    }

    /** For {@code /status}. */
    Optional<String> waitingFor() {
        return switch (state) {
            case State.Idle() -> Optional.empty();
            case State.Sending(Emptied table) -> Optional.of("what precedes the TRUNCATE of %s".formatted(name(table)));
            case State.Covering(Emptied table, var _) ->
                Optional.of("completion of what precedes the TRUNCATE of %s".formatted(name(table)));
            case State.Retracting(Emptied table, var _, var _) ->
                Optional.of("Feldera's rows of %s, which was truncated".formatted(name(table)));
            case State.Finishing(Emptied table) ->
                Optional.of("acceptance of the retractions of %s".formatted(name(table)));
        };
    }

    private static String name(Emptied table) {
        return table.plan().label();
    }

    /** Leaves it where it is: it is not confirmed, so it is replayed. */
    @Override
    public void close() {
        if (state instanceof State.Retracting(var _, TableRetraction source, var _)) source.close();
        left.clear();
        state = new State.Idle();
    }
}
