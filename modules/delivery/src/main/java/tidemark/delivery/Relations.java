package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tidemark.decode.Lsn;
import tidemark.decode.MalformedMessage;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.RelationName;

/**
 * Which way the rows of a relation go, by the RELATION messages of this session: their ids mean nothing in another one.
 * Owned by the delivery loop.
 */
final class Relations {
    /** Where a relation's rows go. */
    sealed interface Way {
        /**
         * @param from transactions that end at or before it are in the table already
         * @param net if the table's keys may meet
         */
        record Routed(TablePlan plan, RowEncoder encoder, TableCounters counters, Lsn from, Optional<NetChanges> net)
                implements Way {}

        /** Published, but not in {@code tables}. */
        record Unlisted(String name) implements Way {}
    }

    /** A configured table: how it maps, and where it stands when the stream takes it on. */
    record Subject(TablePlan plan, TableCounters counters, ReplicationState.Table stands) {}

    private static final Logger LOG = System.getLogger("tidemark.delivery");

    private final Map<RelationName, Subject> subjects = new HashMap<>();
    private final Map<Integer, Way> ways = new HashMap<>();
    private final Map<RelationName, NetChanges> nets = new LinkedHashMap<>();
    private final Set<RelationName> warned = new HashSet<>();
    private final SourceColumn.Types types;
    private final RowPolicy policy;
    private int lastId;
    private Optional<Way> last = Optional.empty();

    Relations(List<Subject> subjects, SourceColumn.Types types, RowPolicy policy) {
        for (Subject subject : subjects) this.subjects.put(subject.plan().postgres(), subject);
        this.types = types;
        this.policy = policy;
    }

    /**
     * Learns the shape of a relation as it is at this point of WAL.
     *
     * @throws RowRefused if the relation does not fit its route any more
     */
    void learn(PgOutputMessage.Relation relation) {
        Subject subject = subjects.get(relation.name());
        Way way = subject == null ? new Way.Unlisted(relation.name().toString()) : routed(subject, relation);
        ways.put(relation.relationId(), way);
        last = Optional.empty();
    }

    private Way routed(Subject subject, PgOutputMessage.Relation relation) {
        TablePlan plan = subject.plan();
        RowEncoder encoder =
                plan.streamEncoder(relation, types, policy, subject.stands().stand());
        Optional<NetChanges> net = net(plan, relation);
        encoder.refusesChanges(relation.identity())
                .or(() -> net.flatMap(changes -> changes.refusesChanges(relation.identity())))
                .filter(_ -> warned.add(relation.name()))
                .ifPresent(warning -> LOG.log(Level.WARNING, "{0}", warning));
        return new Way.Routed(
                plan, encoder, subject.counters(), subject.stands().position(), net);
    }

    /** Once its keys may meet, they may for the rest of the session. */
    private Optional<NetChanges> net(TablePlan plan, PgOutputMessage.Relation relation) {
        if (!plan.keysMayMeet(relation) && !nets.containsKey(plan.postgres())) return Optional.empty();
        NetChanges net = nets.computeIfAbsent(plan.postgres(), _ -> new NetChanges(plan));
        net.learn(relation.columns());
        return Optional.of(net);
    }

    /** Of every table whose keys may meet. */
    Collection<NetChanges> nets() {
        return nets.values();
    }

    /** @throws MalformedMessage if the server never announced the relation in this session */
    Way of(int relationId) {
        if (last.isPresent() && lastId == relationId) return last.get();
        Way way = ways.get(relationId);
        if (way == null) {
            throw new MalformedMessage(
                    1, "a relation announced before, not id " + Integer.toUnsignedString(relationId));
        }
        lastId = relationId;
        last = Optional.of(way);
        return way;
    }

    /** A TRUNCATE may name tables of which this session has seen no RELATION; its ids are the tables' oids. */
    Way ofTruncated(int relationId) {
        Way known = ways.get(relationId);
        if (known != null) return known;
        return subjects.values().stream()
                .filter(subject -> subject.plan().shape().oid() == relationId)
                .findFirst()
                .<Way>map(subject -> new Way.Routed(
                        subject.plan(),
                        subject.plan().copyEncoder(policy),
                        subject.counters(),
                        subject.stands().position(),
                        Optional.empty()))
                .orElse(new Way.Unlisted("with oid " + Integer.toUnsignedString(relationId)));
    }
}
