package tidemark.delivery;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tidemark.sink.CompletionToken;
import tidemark.sink.FelderaName;
import tidemark.sink.IngressReply;

/**
 * How many operations each endpoint must have counted, so that rows of somebody else show (delivery-rules.md R7): what
 * was accepted from us in one life of the pipeline, and of a POST without an answer whether it was or not, since an
 * array is taken whole or not at all.
 *
 * <p>Outlives sessions. Lost with the process, therefore {@link ReplicationState.Table#taken()} on disk: exact after a
 * clean stop, else the least that it can be, as a process that died may have sent more. Owned by the connector's
 * thread.
 */
final class EndpointCounts {
    /**
     * What was seen of an endpoint.
     *
     * @param exact as a token of ours said it; else the most that it can be, as {@code /stats} tells of all endpoints
     *     of the table
     */
    record Counted(long operations, boolean exact) {}

    /** @param open operations of a POST of which nobody knows whether they were taken */
    private record Known(long taken, long open, boolean atLeast) {
        static final Known NOTHING = new Known(0, 0, false);

        boolean allows(Counted counted) {
            long now = counted.operations;
            if (atLeast || !counted.exact) return now >= taken;
            return now == taken || now == taken + open;
        }

        /** Whatever became of the POST under way, and of what nobody could count. */
        Known orMore() {
            return new Known(taken, 0, true);
        }
    }

    private final Map<FelderaName, Known> endpoints = new HashMap<>();
    /**
     * In this life, and nothing was confirmed since: their replay begins at a snapshot, and not where the slot stands.
     */
    private final Set<FelderaName> atSnapshot = new HashSet<>();

    private String life = "";
    private boolean ghostPossible;
    /** In this life something was confirmed while a ghost was possible, and where that one lands nobody knows. */
    private boolean uncovered;

    /** Takes over what another process knew: it has had the slot since. */
    void inherit(ReplicationState state) {
        life = state.target().incarnation();
        endpoints.clear();
        ghostPossible = !state.clean();
        uncovered = false;
        atSnapshot.clear();
        for (ReplicationState.Table table : state.tables()) {
            endpoints.put(table.feldera(), new Known(table.taken(), 0, !state.clean()));
            if (table.position().isAfter(state.confirmed())) atSnapshot.add(table.feldera());
        }
    }

    /** Whether what the endpoint counted in that life can all be ours. */
    boolean accountFor(String incarnation, FelderaName table, Counted counted) {
        Known known = endpoints.get(table);
        return known == null || !isOf(incarnation) || known.allows(counted);
    }

    /** A session begins with these counts: all that was sent before has taken effect, or is a ghost. */
    void begin(String incarnation, Map<FelderaName, Counted> counted) {
        boolean sameLife = incarnation.equals(life);
        ghostPossible =
                sameLife && (ghostPossible || endpoints.values().stream().anyMatch(known -> known.open > 0));
        Map<FelderaName, Known> before = sameLife ? Map.copyOf(endpoints) : Map.of();
        life = incarnation;
        endpoints.clear();
        if (!sameLife) {
            atSnapshot.clear();
            uncovered = false;
        }
        counted.forEach((table, now) -> endpoints.put(
                table,
                now.exact
                        ? new Known(now.operations, 0, false)
                        : before.getOrDefault(table, Known.NOTHING).orMore()));
    }

    private Known known(FelderaName table) {
        return endpoints.getOrDefault(table, Known.NOTHING);
    }

    /** A POST leaves, the only one under way. */
    void sent(FelderaName table, int operations) {
        Known known = known(table);
        endpoints.put(table, new Known(known.taken, operations, known.atLeast));
    }

    /** The POST under way was accepted; returns what its token must say. */
    long accepted(FelderaName table) {
        Known known = known(table);
        endpoints.put(table, new Known(known.taken + known.open, 0, known.atLeast));
        return taken(table);
    }

    /** The POST under way was answered, and took no effect. */
    void refused(FelderaName table) {
        Known known = known(table);
        endpoints.put(table, new Known(known.taken, 0, known.atLeast));
    }

    /** The POST that was under way when its session ended was answered after all. */
    void answeredLate(FelderaName table, IngressReply reply) {
        switch (reply) {
            case IngressReply.Accepted(CompletionToken token) -> {
                boolean here =
                        token.mark().filter(mark -> !isOf(mark.incarnation())).isEmpty();
                if (here) accepted(table);
                else refused(table);
            }
            case IngressReply.Rejected _, IngressReply.NotNow _, IngressReply.Refused _ -> refused(table);
            case IngressReply.Unknown _ -> {}
        }
    }

    /**
     * The table is what a snapshot shows, or is about to be made so, and its replay begins there: what a ghost puts
     * over that, which is older, no replay undoes.
     */
    void replaysFromSnapshot(FelderaName table) {
        atSnapshot.add(table);
    }

    /** The table is what a snapshot shows, and its replay begins there: a ghost of before is of an older one. */
    void copied(FelderaName table) {
        if (ghostPossible) replaysFromSnapshot(table);
    }

    /** The slot moves: what a ghost puts over newer rows would not be replayed any more. */
    void confirmed() {
        uncovered |= ghostPossible;
        ghostPossible = false;
        atSnapshot.clear();
    }

    /**
     * A token tells of more operations than were accepted. Returns whether they may be our own: of a POST that was
     * given up and took effect late, of which nothing was confirmed since, or from before anybody counted. Then they
     * count as ours from now on.
     */
    boolean adopt(FelderaName table, long counted) {
        Known known = known(table);
        boolean covered = ghostPossible && !uncovered && !atSnapshot.contains(table);
        if (counted < known.taken || !(covered || known.atLeast)) return false;
        endpoints.put(table, new Known(counted, 0, false));
        return true;
    }

    private boolean isOf(String incarnation) {
        return incarnation.equals(life);
    }

    /** Whether {@link #taken} is all that the endpoints of that life can have taken from us. */
    boolean isExact(String incarnation) {
        return isOf(incarnation) && endpoints.values().stream().noneMatch(known -> known.atLeast || known.open > 0);
    }

    long taken(FelderaName table) {
        return known(table).taken;
    }
}
