package tidemark.delivery;

import java.util.Optional;

/** What of the state survives processes, and who of them has the turn. */
final class SimDisk {
    private Optional<ReplicationState> content = Optional.empty();
    private long number;
    private Optional<SimStateStore> turn = Optional.empty();

    Optional<ReplicationState> content() {
        return content;
    }

    /** Of the last write, from 1; 0 when there was none. */
    long number() {
        return number;
    }

    /** Returns the number of this write. */
    long put(ReplicationState state) {
        content = Optional.of(state);
        return ++number;
    }

    boolean take(SimStateStore by) {
        if (turn.isPresent()) return false;
        turn = Optional.of(by);
        return true;
    }

    void letGo(SimStateStore by) {
        if (turn.filter(holder -> holder == by).isPresent()) turn = Optional.empty();
    }
}
