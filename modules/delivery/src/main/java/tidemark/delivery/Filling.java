package tidemark.delivery;

import static tidemark.delivery.InvariantViolation.require;

import java.util.Optional;
import tidemark.sink.FelderaName;

/**
 * Has one {@link BodySource} fill bodies off the loop, one after the other: the body belongs to the errand from
 * {@link #begin} until {@link #filled()} gives it back. Owned by the connector's thread. What is under way when a
 * session ends is lost with it; closing the source ends the wait.
 */
final class Filling {
    private sealed interface State {
        record Idle() implements State {}

        /** @param more whether the source may have more after this body */
        record UnderWay(RowBytes body, Errand.Answer<Boolean> more) implements State {}

        record Over() implements State {}
    }

    private final Errands errands;
    private final BodySource source;
    private State state = new State.Idle();

    Filling(Errands errands, BodySource source) {
        this.errands = errands;
        this.source = source;
    }

    FelderaName table() {
        return source.table();
    }

    /** Whether another body may begin. */
    boolean isIdle() {
        return state instanceof State.Idle;
    }

    /** Nothing more comes. */
    boolean isOver() {
        return state instanceof State.Over;
    }

    void begin(RowBytes blank) {
        require(isIdle(), "a second body of %s begins", table());
        state = new State.UnderWay(blank, errands.ask(() -> source.fill(blank)));
    }

    /**
     * The body that began, once it is as full as it gets; the last one may have no operations. Throws what its source
     * threw.
     */
    Optional<RowBytes> filled() {
        if (!(state instanceof State.UnderWay(RowBytes body, var more)) || !more.isThere()) return Optional.empty();
        state = more.get() ? new State.Idle() : new State.Over();
        return Optional.of(body);
    }
}
