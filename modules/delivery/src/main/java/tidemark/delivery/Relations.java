package tidemark.delivery;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        /** @param from transactions that end at or before it are in the table already */
        record Routed(TablePlan plan, RowEncoder encoder, TableCounters counters, Lsn from) implements Way {}

        /** Published, but not in {@code tables}. */
        record Unlisted(String name) implements Way {}
    }

    /** A configured table: how it maps, and from where the stream takes it on. */
    record Subject(TablePlan plan, TableCounters counters, Lsn from) {}

    private final Map<RelationName, Subject> subjects = new HashMap<>();
    private final Map<Integer, Way> ways = new HashMap<>();
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
        Way way = subject == null
                ? new Way.Unlisted(relation.name().toString())
                : new Way.Routed(
                        subject.plan(),
                        subject.plan().streamEncoder(relation, types, policy),
                        subject.counters(),
                        subject.from());
        ways.put(relation.relationId(), way);
        last = Optional.empty();
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
                        subject.plan(), subject.plan().copyEncoder(policy), subject.counters(), subject.from()))
                .orElse(new Way.Unlisted("with oid " + Integer.toUnsignedString(relationId)));
    }
}
