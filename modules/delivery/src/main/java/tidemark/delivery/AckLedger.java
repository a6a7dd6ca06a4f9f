package tidemark.delivery;

import static tidemark.delivery.InvariantViolation.require;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.sink.FelderaName;

/**
 * Decides which WAL position PostgreSQL may be told to forget, and what each endpoint had counted by then.
 *
 * <p>Positions are transaction <em>end</em> LSNs or keepalive positions, in bytes of WAL. Whenever a method returns,
 * {@code confirmable} is the last position whose batch, and every batch before it, has settled; it never decreases; at
 * most {@code inFlightMax} batches are open. Batches settle in any order. A part of an oversized transaction has no end
 * LSN: it holds back what comes after it and moves nothing by itself.
 *
 * <p>A restart loses this object and nothing else: the slot replays. Not thread safe; owned by the delivery loop.
 */
final class AckLedger {
    private static final class Open {
        final long batchId;
        final Map<FelderaName, Long> counts = new HashMap<>();
        Optional<Lsn> endLsn;
        boolean settled;

        Open(long batchId, Optional<Lsn> endLsn) {
            this.batchId = batchId;
            this.endLsn = endLsn;
        }
    }

    private final int inFlightMax;
    private final ArrayDeque<Open> inFlight = new ArrayDeque<>();
    private final Map<FelderaName, Long> counts;
    /** Of settled parts of a transaction whose end has not settled: no mark tells of them (R1). */
    private final Map<FelderaName, Long> beyond = new HashMap<>();

    private Lsn confirmable;

    AckLedger(Lsn resumeFrom, Map<FelderaName, Long> counts, int inFlightMax) {
        this.confirmable = resumeFrom;
        this.counts = new HashMap<>(counts);
        this.inFlightMax = inFlightMax;
    }

    boolean hasRoom() {
        return inFlight.size() < inFlightMax;
    }

    boolean isIdle() {
        return inFlight.isEmpty();
    }

    /** This batch and all before it; also if it has never been submitted. */
    boolean isSettled(long batchId) {
        return inFlight.isEmpty() || inFlight.getFirst().batchId > batchId;
    }

    int inFlight() {
        return inFlight.size();
    }

    /** Everything at or before this position, and nothing that is not settled, may be confirmed. */
    Mark confirmable() {
        return new Mark(confirmable, Map.copyOf(counts));
    }

    Lsn confirmableLsn() {
        return confirmable;
    }

    void submitted(long batchId, Optional<Lsn> endLsn) {
        require(hasRoom(), "batch %d exceeds %d in flight", batchId, inFlightMax);
        inFlight.addLast(new Open(batchId, endLsn));
    }

    /** The endpoint took a body of the batch; {@code count} is what it had counted at that body's end (R1). */
    void counted(long batchId, FelderaName table, long count) {
        find(batchId).counts.put(table, count);
    }

    /** The batch reached the level that the ack mode asks for. */
    void settled(long batchId) {
        find(batchId).settled = true;
        while (!inFlight.isEmpty() && inFlight.getFirst().settled) {
            Open first = inFlight.removeFirst();
            beyond.putAll(first.counts);
            first.endLsn.ifPresent(this::advance);
        }
    }

    /**
     * Everything below {@code walEnd} was read, no transaction is open, and all of it is in the batches submitted so
     * far: the last of them now covers it too.
     */
    void coveredUntil(Lsn walEnd) {
        if (isIdle()) {
            if (walEnd.isAfter(confirmable)) advance(walEnd);
            return;
        }
        Open last = inFlight.getLast();
        last.endLsn = Optional.of(last.endLsn.map(end -> Lsn.later(end, walEnd)).orElse(walEnd));
    }

    private Open find(long batchId) {
        return inFlight.stream()
                .filter(open -> open.batchId == batchId)
                .findFirst()
                .orElseThrow(() -> new InvariantViolation("batch %d is not in flight".formatted(batchId)));
    }

    private void advance(Lsn to) {
        require(!confirmable.isAfter(to), "confirmable would go back from %s to %s", confirmable, to);
        confirmable = to;
        counts.putAll(beyond);
        beyond.clear();
    }
}
