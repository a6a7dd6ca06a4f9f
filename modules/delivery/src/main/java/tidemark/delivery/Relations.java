package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import tidemark.decode.Lsn;
import tidemark.decode.MalformedMessage;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.RelationName;
import tidemark.replication.ChangeSource;
import tidemark.replication.SourceSession;
import tidemark.sink.FelderaTable;

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

        /** A row can be named and so deleted; written it cannot be, as {@code rows} says. */
        record KeysOnly(Routed keys, RowRefused rows) implements Way {}

        /**
         * A row can be written; of what is updated or deleted nobody could say which it was, as {@code changes} says.
         */
        record InsertsOnly(Routed rows, RowRefused changes) implements Way {}

        /** No change can be expressed: the relation does not fit its route at this point of WAL. */
        record Unfit(Lsn from, RowRefused why) implements Way {}

        /** Another table than the configured one has its name at this point of WAL. */
        record Namesake(TablePlan plan, Lsn from, int oid) implements Way {}

        /** Its changes reach the table on another way ({@link Resync}). */
        record LeftOut() implements Way {}

        /**
         * Published, but not in {@code tables}.
         *
         * @param root the table of which it is a partition: its changes belong under that one's own name
         */
        record Unlisted(String name, Optional<RelationName> root) implements Way {}
    }

    /**
     * A configured table: how it maps, and where it stands when the stream takes it on.
     *
     * @param leftOut it is read on another way
     */
    record Subject(TablePlan plan, TableCounters counters, ReplicationState.Table stands, boolean leftOut) {
        Subject(TablePlan plan, TableCounters counters, ReplicationState.Table stands) {
            this(plan, counters, stands, false);
        }
    }

    /** @param walEnd of the server before the question: what is committed up to there is older than the answer */
    private record Asked(PgOutputMessage.Relation relation, Lsn walEnd) {}

    private static final Logger LOG = System.getLogger("tidemark.delivery");

    private final Map<RelationName, Subject> subjects = new HashMap<>();
    private final Map<Integer, Way> ways = new HashMap<>();
    /** By the root's id: what its partitions, by theirs, log. */
    private final Map<Integer, Map<Integer, LeafIdentity>> leaves = new HashMap<>();

    private final Set<RelationName> warned = new HashSet<>();
    /** Relations whose types were asked for anew, for transactions that were committed before that. */
    private final Map<Integer, Asked> asked = new HashMap<>();

    private final Map<Integer, PgOutputMessage.Relation> announced = new HashMap<>();
    private final CatalogNow catalog;
    private final MeetingKeys keys;
    private final SourceColumn.Types types;
    private final RowPolicy policy;
    private final Notices notices;
    /** The root that was announced last, if nothing was since: pgoutput announces one right before its partition. */
    private Optional<Subject> root = Optional.empty();
    /** What was announced right after the root: its partition, if the row that comes next is the root's. */
    private Optional<PgOutputMessage.Relation> leaf = Optional.empty();

    private int rootId;
    private int lastId;
    private Optional<Way> last = Optional.empty();

    /** @param catalog asked for editions at each RELATION of a table without key */
    Relations(List<Subject> subjects, SourceSession source, ChangeSource catalog, RowPolicy policy, Notices notices) {
        this.catalog = new CatalogNow(source, catalog);
        this.keys = new MeetingKeys(this.catalog);
        for (Subject subject : subjects) go(subject, keys.begin(subject.plan(), subject.stands()));
        this.types = source::type;
        this.policy = policy;
        this.notices = notices;
    }

    /**
     * Learns the shape of a relation as it is at this point of WAL. What does not fit stops at the first row that needs
     * it: the table may have that row already.
     */
    void learn(PgOutputMessage.Relation relation) {
        int oid = relation.relationId();
        announced.put(oid, relation);
        asked.remove(oid);
        withOid(oid).ifPresent(subject -> go(subject, keys.learn(subject.plan(), relation)));
        Way way = way(relation, types);
        ways.put(oid, way);
        leaf = Optional.of(relation).filter(_ -> way instanceof Way.Unlisted && root.isPresent());
        if (leaf.isEmpty()) {
            root = withOid(oid)
                    .filter(subject -> subject.plan().shape().partitions().isPresent());
            rootId = oid;
        }
        last = Optional.empty();
    }

    /** A row of the root is of the partition; a TRUNCATE announces one relation after the other, each for itself. */
    private void learnPartition(int rowOf) {
        if (rowOf == rootId && root.isPresent()) {
            TablePlan plan = root.get().plan();
            leaf.map(of -> leaves.computeIfAbsent(rootId, _ -> new LinkedHashMap<>())
                            .merge(of.relationId(), LeafIdentity.of(of), (_, now) -> now))
                    .filter(of -> keys.losesProof(plan, of))
                    .flatMap(_ -> Optional.ofNullable(announced.get(rootId)))
                    .ifPresent(this::goAnew);
        }
        root = Optional.empty();
        leaf = Optional.empty();
    }

    /** From here on by this plan. */
    private void go(Subject subject, TablePlan by) {
        subjects.put(by.postgres(), new Subject(by, subject.counters(), subject.stands(), subject.leftOut()));
    }

    /**
     * The same shape, with types as the catalog shows them now; for all transactions that were committed before the
     * question, so that a backlog of small ones asks once. Not of a table without key, where old rows have to be
     * written as they were.
     */
    void askAgain(int relationId) {
        PgOutputMessage.Relation relation = announced.get(relationId);
        boolean keyless = withOid(relationId)
                .filter(subject -> subject.plan().feldera().primaryKey().isEmpty())
                .isPresent();
        if (keyless || relation == null || asked.containsKey(relationId)) return;
        withOid(relationId)
                .flatMap(subject -> keys.net(subject.plan().postgres()))
                .ifPresent(NetChanges::requireNoRows);
        asked.put(relationId, new Asked(relation, catalog.before()));
        goAnew(relation);
    }

    /** A transaction begins: if it is newer than an answer, its rows have to have what the answer says. */
    void began(Lsn commitLsn, int transaction) {
        catalog.began(transaction);
        for (TablePlan plan : keys.passed(commitLsn)) {
            go(subject(plan.postgres()), plan);
            Optional.ofNullable(announced.get(plan.shape().oid())).ifPresent(this::goAnew);
        }
        if (asked.isEmpty()) return;
        List<Asked> older = asked.values().stream()
                .filter(answer -> commitLsn.isAfter(answer.walEnd()))
                .toList();
        for (Asked answer : older) {
            asked.remove(answer.relation().relationId());
            goAnew(answer.relation());
        }
    }

    private void goAnew(PgOutputMessage.Relation relation) {
        int oid = relation.relationId();
        ways.put(oid, way(relation, asked.containsKey(oid) ? catalog.types() : types));
        last = Optional.empty();
    }

    /** From here on nothing of this table goes anywhere. Of the transactions that were read no row is owed. */
    void leaveOut(RelationName table) {
        subjects.computeIfPresent(table, (_, of) -> new Subject(of.plan(), of.counters(), of.stands(), true));
        announced.forEach((oid, relation) -> {
            if (of(relation).filter(Subject::leftOut).isPresent()) ways.put(oid, new Way.LeftOut());
        });
        last = Optional.empty();
    }

    private Optional<Subject> of(PgOutputMessage.Relation relation) {
        return withOid(relation.relationId()).or(() -> Optional.ofNullable(subjects.get(relation.name())));
    }

    /** By oid: a table that was renamed is the same one, and another one of the same name is not. */
    private Way way(PgOutputMessage.Relation relation, SourceColumn.Types by) {
        int oid = relation.relationId();
        if (of(relation).filter(Subject::leftOut).isPresent()) return new Way.LeftOut();
        Optional<Subject> itself = withOid(oid);
        if (itself.isPresent()) return matched(itself.get(), relation, by);
        return Optional.ofNullable(subjects.get(relation.name()))
                .<Way>map(subject ->
                        new Way.Namesake(subject.plan(), subject.stands().position(), oid))
                .orElseGet(() -> new Way.Unlisted(relation.name().toString(), rootOf(relation.name())));
    }

    private Optional<RelationName> rootOf(RelationName leaf) {
        return subjects.values().stream()
                .filter(subject -> subject.plan().shape().partitions().orElse(List.of()).stream()
                        .anyMatch(partition -> partition.name().equals(leaf)))
                .map(subject -> subject.plan().postgres())
                .findFirst();
    }

    /** Of a configured table. */
    Subject subject(RelationName table) {
        return Objects.requireNonNull(subjects.get(table));
    }

    private Optional<Subject> withOid(int oid) {
        return subjects.values().stream()
                .filter(subject -> subject.plan().shape().oid() == oid)
                .findFirst();
    }

    private Way matched(Subject subject, PgOutputMessage.Relation relation, SourceColumn.Types by) {
        TablePlan plan = subject.plan();
        ColumnMatch match = plan.match(relation, by);
        if (!hasKnownName(subject, relation)) notices.tell(renamed(plan, relation.name()));
        notices.tellOf(plan, match);
        int width = relation.columns().size();
        var stands = subject.stands();
        if (match.problems().isEmpty()) {
            Way.Routed routed = routed(subject, plan.encoder(match, width, policy, stands.stand()), relation);
            warnOfRefused(routed, relation.identity());
            return isAlteredKeyless(subject, relation) ? new Way.InsertsOnly(routed, altered(plan)) : routed;
        }
        var why = new RowRefused(match.problems().getFirst());
        if (!match.hasKeyOf(plan.feldera())) return new Way.Unfit(stands.position(), why);
        return new Way.KeysOnly(
                routed(subject, new RowEncoder(plan, match, width, policy, stands.stand()), relation), why);
    }

    /** Of a table that was renamed, and tables corrected, WAL from before has the name under which it was read. */
    private static boolean hasKnownName(Subject subject, PgOutputMessage.Relation relation) {
        return relation.name().equals(subject.plan().postgres())
                || subject.stands()
                        .edition()
                        .filter(read -> read.edition().name().equals(relation.name()))
                        .isPresent();
    }

    /** A whole row names what Feldera got of it only as long as it is written as it was then. */
    private boolean isAlteredKeyless(Subject subject, PgOutputMessage.Relation relation) {
        FelderaTable feldera = subject.plan().feldera();
        Optional<EditionRead> read = subject.stands().edition();
        if (!feldera.primaryKey().isEmpty() || read.isEmpty()) return false;
        return !read.get().hasColumnsOf(relation, feldera)
                || catalog.edition(subject.plan(), relation)
                        .filter(now -> read.get().isAlteredIn(now, feldera))
                        .isPresent();
    }

    private static RowRefused altered(TablePlan plan) {
        return new RowRefused(new Finding(
                plan.label(),
                "the Feldera table has no PRIMARY KEY, and columns of it were altered since rows were sent: an old row as"
                        + " PostgreSQL has it now may not be the one that Feldera has",
                Remedy.READ_AGAIN + "; or give the Feldera table a PRIMARY KEY"));
    }

    private Way.Routed routed(Subject subject, RowEncoder encoder, PgOutputMessage.Relation relation) {
        return routed(subject, encoder, keys.net(subject.plan(), relation));
    }

    private static Way.Routed routed(Subject subject, RowEncoder encoder, Optional<NetChanges> net) {
        return new Way.Routed(
                subject.plan(), encoder, subject.counters(), subject.stands().position(), net);
    }

    private void warnOfRefused(Way.Routed to, ReplicaIdentity logged) {
        to.encoder()
                .refusesChanges(logged)
                .or(() -> to.net().flatMap(changes -> changes.refusesChanges(logged)))
                .filter(_ -> warned.add(to.plan().postgres()))
                .ifPresent(warning -> LOG.log(Level.WARNING, "{0}", warning));
    }

    /** Of every table whose keys may meet. */
    Collection<NetChanges> nets() {
        return keys.nets();
    }

    private static Finding renamed(TablePlan plan, RelationName name) {
        return new Finding(
                plan.label(),
                "it was renamed, to %s; its changes go on arriving until the next start".formatted(name),
                "rename it back, or correct tables before the next start");
    }

    /** @throws MalformedMessage if the server never announced the relation in this session */
    Way of(int relationId) {
        if (last.isPresent() && lastId == relationId) return last.get();
        learnPartition(relationId);
        Way way = ways.get(relationId);
        if (way == null) {
            throw new MalformedMessage(
                    1, "a relation announced before, not id " + Integer.toUnsignedString(relationId));
        }
        Way whole = ofPartitions(relationId, way);
        lastId = relationId;
        last = Optional.of(whole);
        return whole;
    }

    /** Without what a partition does not log enough for: whichever a change is in, the message does not say. */
    private Way ofPartitions(int relationId, Way way) {
        return switch (way) {
            case Way.Routed rows ->
                refusal(relationId, rows)
                        .<Way>map(refused -> new Way.InsertsOnly(rows, refused))
                        .orElse(way);
            case Way.KeysOnly(Way.Routed keys, RowRefused _) ->
                refusal(relationId, keys)
                        .<Way>map(refused -> new Way.Unfit(keys.from(), refused))
                        .orElse(way);
            case Way.InsertsOnly _, Way.Unfit _, Way.Namesake _, Way.LeftOut _, Way.Unlisted _ -> way;
        };
    }

    private Optional<RowRefused> refusal(int rootId, Way.Routed rows) {
        boolean whole =
                rows.plan().feldera().primaryKey().isEmpty() || rows.net().isPresent();
        return leaves.getOrDefault(rootId, Map.of()).values().stream()
                .filter(of -> !of.suffices(rows.plan(), whole))
                .findFirst()
                .map(of -> of.refusal(rows.plan()));
    }

    /**
     * A TRUNCATE needs neither columns nor old rows: whatever a relation's rows would be refused for, it is carried
     * out. It may name tables of which this session has seen no RELATION; its ids are the tables' oids.
     */
    Way ofTruncated(int relationId) {
        root = Optional.empty();
        leaf = Optional.empty();
        Optional<Subject> itself = withOid(relationId);
        if (itself.isPresent()) return truncated(itself.get());
        Way known = ways.get(relationId);
        return known == null
                ? new Way.Unlisted("with oid " + Integer.toUnsignedString(relationId), Optional.empty())
                : known;
    }

    private Way truncated(Subject subject) {
        if (subject.leftOut()) return new Way.LeftOut();
        TablePlan plan = subject.plan();
        return routed(subject, plan.copyEncoder(policy), keys.net(plan.postgres()));
    }
}
