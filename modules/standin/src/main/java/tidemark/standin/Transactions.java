package tidemark.standin;

import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * The pipeline transaction: what clients asked for (the slot) and how far the circuit is with it (the state). One for
 * the whole pipeline, of no particular client, with no abort and no end of its own (feldera.md 3).
 *
 * <p>A start only takes the slot; the next step opens the transaction. A commit only marks the slot; the circuit begins
 * the commit between two steps, and with that the slot is free again. Guarded by the process's lock; a restart loses
 * it. Ordinary steps take their numbers from the same row.
 */
final class Transactions {
    /** {@code initiated_by_api}. */
    private enum Slot {
        FREE,
        STARTED,
        COMMITTED
    }

    /** {@code transaction_status}. */
    private sealed interface State {}

    private record None() implements State {}

    /** A step that belongs to no transaction is one of its own while it lasts (recorded exchange 15). */
    private record Stepping(long id, Instant since, long records) implements State {}

    private record Open(long id, Instant since, long records) implements State {}

    private record Committing(long id, Instant since, long records) implements State {}

    private final Clock clock;
    private Slot slot = Slot.FREE;
    private State state = new None();
    private long lastId;

    Transactions(Clock clock) {
        this.clock = clock;
    }

    /** Takes the slot; refused while it is taken, also when its commit was asked for and has not begun. */
    long start() {
        if (slot != Slot.FREE) {
            throw new ApiError(
                    409,
                    "TransactionInProgress",
                    "Cannot perform this operation while there is a transaction in progress");
        }
        slot = Slot.STARTED;
        return ++lastId;
    }

    /** Whoever asks may commit; what is not started cannot be. */
    void commit() {
        if (slot != Slot.STARTED) {
            throw new ApiError(
                    400,
                    "NoTransactionInProgress",
                    "This operation requires an active transaction, but none is currently in progress");
        }
        slot = Slot.COMMITTED;
    }

    /** A started one opens with the step that is about to run. */
    void stepBegins(long records) {
        switch (state) {
            case None _ when slot == Slot.STARTED -> state = new Open(lastId, clock.instant(), records);
            case Open(long id, Instant since, long before) -> state = new Open(id, since, before + records);
            case None _, Stepping _, Committing _ -> {}
        }
    }

    /** What an ordinary step took is on its way into the tables. */
    void stepCommits(long records) {
        if (state instanceof None) {
            state = new Stepping(++lastId, clock.instant(), records);
        }
    }

    void stepEnds() {
        if (state instanceof Stepping) {
            state = new None();
        }
    }

    /** Between two steps: whether a commit begins now. Without a step in between, start and commit were nothing. */
    boolean commitBegins() {
        if (slot != Slot.COMMITTED) {
            return false;
        }
        return switch (state) {
            case None _ -> {
                slot = Slot.FREE;
                yield false;
            }
            case Open(long id, Instant since, long records) -> {
                slot = Slot.FREE;
                state = new Committing(id, since, records);
                yield true;
            }
            case Stepping _, Committing _ -> false;
        };
    }

    void commitEnds() {
        state = new None();
    }

    /** Nothing is open and nothing commits; a slot may be taken. */
    boolean isIdle() {
        return state instanceof None || state instanceof Stepping;
    }

    /**
     * A start during the commit waits for its end, and the end waits for a row (counters.md: "it stalled the previous
     * one in 13 of 15 tries until a row arrived").
     */
    boolean isNextStarted() {
        return slot == Slot.STARTED;
    }

    /** 0, 1 or 2, as the metric {@code transaction_state}. */
    int code() {
        return switch (state) {
            case None _ -> 0;
            case Open _ -> 1;
            case Stepping _, Committing _ -> 2;
        };
    }

    void tell(JsonObjectBuilder global) {
        switch (state) {
            case None _ ->
                global.add("transaction_status", "NoTransaction")
                        .add("transaction_id", slot == Slot.FREE ? 0 : lastId)
                        .addNull("transaction_msecs")
                        .addNull("transaction_records")
                        .addNull("commit_progress");
            case Open(long id, Instant since, long records) -> {
                told(global, "TransactionInProgress", id, since, records);
                global.addNull("commit_progress");
            }
            case Stepping(long id, Instant since, long records) -> committing(global, id, since, records);
            case Committing(long id, Instant since, long records) -> committing(global, id, since, records);
        }
        global.add("transaction_initiators", initiators());
    }

    private void committing(JsonObjectBuilder global, long id, Instant since, long records) {
        told(global, "CommitInProgress", id, since, records);
        global.add(
                "commit_progress",
                Json.createObjectBuilder()
                        .add("completed", 0)
                        .add("in_progress", 1)
                        .add("remaining", 0)
                        .add("in_progress_processed_records", 0)
                        .add("in_progress_total_records", records));
    }

    private void told(JsonObjectBuilder global, String status, long id, Instant since, long records) {
        global.add("transaction_status", status)
                .add("transaction_id", id)
                .add(
                        "transaction_msecs",
                        Duration.between(since, clock.instant()).toMillis())
                .add("transaction_records", records);
    }

    private JsonObjectBuilder initiators() {
        JsonObjectBuilder initiators = Json.createObjectBuilder();
        switch (slot) {
            case FREE -> initiators.addNull("transaction_id").addNull("initiated_by_api");
            case STARTED -> initiators.add("transaction_id", lastId).add("initiated_by_api", "Started");
            case COMMITTED -> initiators.add("transaction_id", lastId).add("initiated_by_api", "Committed");
        }
        return initiators.add("initiated_by_connectors", JsonValue.EMPTY_JSON_OBJECT);
    }
}
