package tidemark.delivery;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tidemark.decode.RelationName;

/**
 * Which tables are to be compared beside the stream, one after the other, and what came of each at last. Asked by any
 * thread, answered by the connector's; outlives sessions. A crash loses it: nothing rests on it.
 */
final class Comparisons {
    private static final String ASK_AGAIN = "Ask again once the service streams.";

    private final ArrayDeque<RelationName> asked = new ArrayDeque<>();
    private final Map<RelationName, VerifyState> states = new HashMap<>();

    /**
     * Begins one, unless one is under way.
     *
     * @param notNow why there can be none
     */
    synchronized VerifyState ask(RelationName table, Optional<String> notNow) {
        if (states.get(table) instanceof VerifyState.UnderWay underWay) return underWay;
        VerifyState state =
                notNow.<VerifyState>map(Comparisons::notCompared).orElseGet(() -> new VerifyState.UnderWay("its turn"));
        if (notNow.isEmpty()) asked.add(table);
        became(table, state);
        return state;
    }

    /** Empty if none was asked for in the life of this process. */
    synchronized Optional<VerifyState> of(RelationName table) {
        return Optional.ofNullable(states.get(table));
    }

    synchronized Optional<RelationName> next() {
        return Optional.ofNullable(asked.poll());
    }

    synchronized void became(RelationName table, VerifyState state) {
        states.put(table, state);
    }

    /** Whatever is not over ends without a result. */
    synchronized void giveUp(String why) {
        asked.clear();
        states.replaceAll((_, state) -> state instanceof VerifyState.UnderWay ? notCompared(why) : state);
    }

    static VerifyState.NotCompared notCompared(String why) {
        return new VerifyState.NotCompared(ExitCode.TEMPORARY, why, ASK_AGAIN);
    }
}
