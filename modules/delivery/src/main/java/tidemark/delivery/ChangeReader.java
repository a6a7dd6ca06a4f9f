package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tidemark.decode.Lsn;
import tidemark.decode.PgOutputDecoder;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.Tuple;
import tidemark.delivery.DeliverySettings.UnlistedTables;
import tidemark.replication.SourceSession.Received;

/**
 * Turns what the stream brings into rows of the outbox and events for the core. Decides of each row only whether the
 * table has it already, and where it goes.
 *
 * <p>Owned by the delivery loop; holds no row but those of {@link NetChanges}, which the loop lets it {@link #pay} one
 * by one, as fast as they can be sent.
 */
final class ChangeReader {
    /** Takes the events that are not rows. */
    interface Listener {
        void on(Event event);
    }

    private final PgOutputDecoder decoder = new PgOutputDecoder();
    private final DeliverySettings settings;
    private final Relations relations;
    private final Outbox outbox;
    private final Listener listener;
    private final Consumer<List<Truncation.Emptied>> truncates;
    private final CrashWatch crash;
    private Lsn received;
    private Lsn commitLsn = Lsn.ZERO;
    private Optional<PgOutputMessage.Commit> committing = Optional.empty();
    private long nanos;

    ChangeReader(
            DeliverySettings settings,
            Relations relations,
            Outbox outbox,
            Lsn resumeAt,
            Listener listener,
            Consumer<List<Truncation.Emptied>> truncates,
            CrashWatch crash) {
        this.settings = settings;
        this.relations = relations;
        this.outbox = outbox;
        this.received = resumeAt;
        this.listener = listener;
        this.truncates = truncates;
        this.crash = crash;
    }

    /** The end of the last transaction read whole, or the last keepalive's position. */
    Lsn received() {
        return received;
    }

    void keptAlive(Lsn walEnd) {
        if (!outbox.isInsideTransaction()) received = Lsn.later(received, walEnd);
        listener.on(new Event.KeptAlive(walEnd));
    }

    /** @param now of the loop's clock: the age of the rows that this message brings */
    void read(Received.WalMessage message, long now) {
        nanos = now;
        try {
            PgOutputMessage decoded = decoder.decode(message.buffer(), message.offset(), message.length());
            try {
                read(decoded);
            } catch (RowRefused refused) {
                if (!refused.isOutdated()) throw refused;
                readAgain(decoded);
            }
        } catch (RowRefused refused) {
            throw refused.in(commitLsn);
        }
    }

    /** A change of which nothing was written, by what the catalog shows now. */
    private void readAgain(PgOutputMessage change) {
        switch (change) {
            case PgOutputMessage.Insert(int relationId, Tuple _) -> relations.askAgain(relationId);
            case PgOutputMessage.Update(int relationId, var _, Tuple _) -> relations.askAgain(relationId);
            case PgOutputMessage.Delete(int relationId, var _) -> relations.askAgain(relationId);
            case PgOutputMessage.Begin _,
                    PgOutputMessage.Commit _,
                    PgOutputMessage.Relation _,
                    PgOutputMessage.Truncate _,
                    PgOutputMessage.Type _,
                    PgOutputMessage.Origin _,
                    PgOutputMessage.LogicalMessage _ -> {}
        }
        read(change);
    }

    private void read(PgOutputMessage message) {
        switch (message) {
            case PgOutputMessage.Begin begin -> {
                commitLsn = begin.commitLsn();
                relations.began(commitLsn, begin.xid());
                listener.on(new Event.Begun());
            }
            case PgOutputMessage.Commit commit -> {
                relations.nets().forEach(NetChanges::end);
                if (owesRows()) committing = Optional.of(commit);
                else committed(commit);
            }
            case PgOutputMessage.Relation relation -> relations.learn(relation);
            case PgOutputMessage.Insert(int relationId, Tuple row) ->
                insertTarget(relations.of(relationId)).ifPresent(to -> insert(to, row));
            case PgOutputMessage.Update(int relationId, PgOutputMessage.OldImage before, Tuple after) ->
                rowTarget(relations.of(relationId)).ifPresent(to -> update(to, before, after));
            case PgOutputMessage.Delete(int relationId, PgOutputMessage.LoggedImage before) ->
                target(relations.of(relationId)).ifPresent(to -> delete(to, before));
            case PgOutputMessage.Truncate truncate -> truncate(truncate);
            case PgOutputMessage.Type _, PgOutputMessage.Origin _, PgOutputMessage.LogicalMessage _ -> {}
        }
    }

    private void committed(PgOutputMessage.Commit commit) {
        received = Lsn.later(received, commit.endLsn());
        listener.on(new Event.Committed(commit.endLsn()));
    }

    /** Whether something that was read is to be sent before the next message is read. */
    boolean owes() {
        return committing.isPresent() || owesRows();
    }

    private boolean owesRows() {
        for (NetChanges net : relations.nets()) {
            if (net.owes()) return true;
        }
        return false;
    }

    /** One operation of what is owed; after the last one the commit that waited for it. */
    void pay(long now) {
        nanos = now;
        for (NetChanges net : relations.nets()) {
            Optional<byte[]> operation = net.next();
            if (operation.isEmpty()) continue;
            RowBytes body = outbox.into(net.feldera());
            long mark = body.mark();
            body.beginOperation(operation.get());
            added(1, body, mark);
            return;
        }
        PgOutputMessage.Commit whole = committing.orElseThrow();
        committing = Optional.empty();
        committed(whole);
    }

    private void insert(Relations.Way.Routed to, Tuple row) {
        if (to.net().isPresent()) {
            to.net().get().insert(row, to.encoder());
        } else {
            RowBytes body = outbox.into(to.plan().feldera().name());
            long mark = body.mark();
            added(to.encoder().insert(row, body), body, mark);
        }
        to.counters().inserted();
    }

    private void update(Relations.Way.Routed to, PgOutputMessage.OldImage before, Tuple after) {
        if (to.net().isPresent()) {
            to.net().get().update(before, after, to.encoder());
        } else {
            RowBytes body = outbox.into(to.plan().feldera().name());
            long mark = body.mark();
            added(to.encoder().update(before, after, body), body, mark);
        }
        to.counters().updated();
    }

    private void delete(Relations.Way.Routed to, PgOutputMessage.LoggedImage before) {
        if (to.net().isPresent()) {
            to.net().get().delete(before, to.encoder());
        } else {
            RowBytes body = outbox.into(to.plan().feldera().name());
            long mark = body.mark();
            added(to.encoder().delete(before, body), body, mark);
        }
        to.counters().deleted();
    }

    /** Nothing of these tables that the open transaction did before need be sent. */
    private void truncate(PgOutputMessage.Truncate truncate) {
        List<Truncation.Emptied> emptied = new ArrayList<>();
        for (int relationId : truncate.relationIds()) {
            target(relations.ofTruncated(relationId)).ifPresent(to -> {
                to.net().ifPresent(NetChanges::truncate);
                outbox.dropOpenRows(to.plan().feldera().name());
                emptied.add(new Truncation.Emptied(to.plan(), to.counters()));
            });
        }
        if (!emptied.isEmpty()) truncates.accept(emptied);
    }

    /** Where new rows go. */
    private Optional<Relations.Way.Routed> insertTarget(Relations.Way way) {
        return way instanceof Relations.Way.InsertsOnly(Relations.Way.Routed rows, var _)
                ? target(rows)
                : rowTarget(way);
    }

    /** Where whole rows of this relation go; empty when they go nowhere, or are there already. */
    private Optional<Relations.Way.Routed> rowTarget(Relations.Way way) {
        return switch (way) {
            case Relations.Way.KeysOnly(Relations.Way.Routed keys, RowRefused rows) -> refused(keys.from(), rows);
            case Relations.Way.Routed _,
                    Relations.Way.InsertsOnly _,
                    Relations.Way.Unfit _,
                    Relations.Way.Namesake _,
                    Relations.Way.LeftOut _,
                    Relations.Way.Unlisted _ -> target(way);
        };
    }

    /** Where changes that only name a row go. */
    private Optional<Relations.Way.Routed> target(Relations.Way way) {
        return switch (way) {
            case Relations.Way.Unlisted(String name, var root) ->
                root.isPresent() ? underItsOwnName(relations.subject(root.get()), name) : unlisted(name);
            case Relations.Way.LeftOut() -> Optional.empty();
            case Relations.Way.Namesake(TablePlan plan, Lsn from, int oid) -> refused(from, recreated(plan, oid));
            case Relations.Way.Unfit(Lsn from, RowRefused why) -> refused(from, why);
            case Relations.Way.KeysOnly(Relations.Way.Routed keys, var _) -> target(keys);
            case Relations.Way.InsertsOnly(Relations.Way.Routed rows, RowRefused changes) ->
                refused(rows.from(), changes);
            case Relations.Way.Routed to when has(to.from()) -> Optional.empty();
            case Relations.Way.Routed to -> {
                crash.row(CrashPoint.AFTER_READ, outbox.openBatchId());
                yield Optional.of(to);
            }
        };
    }

    private Optional<Relations.Way.Routed> refused(Lsn from, RuntimeException why) {
        if (has(from)) return Optional.empty();
        throw why;
    }

    /** Its rows among those of the first one, whose deletes never come, would be a table that exists nowhere. */
    private SessionOver recreated(TablePlan plan, int oid) {
        return new SessionOver(new Failure.Misconfigured(
                ExitCode.CONFIGURATION,
                "%s: the table was dropped and another (oid %s, not %s) has its name in the transaction that commits at %s"
                        .formatted(
                                plan.label(),
                                Integer.toUnsignedString(oid),
                                Integer.toUnsignedString(plan.shape().oid()),
                                commitLsn),
                settings.mends()
                        ? "Start it again: the table is read again and merged with what Feldera has."
                        : Remedy.MEND));
    }

    /** The commit record starts before the position where the next one would, so its end is not past it either (R9). */
    private boolean has(Lsn from) {
        return from.isAfter(commitLsn);
    }

    private void added(int operations, RowBytes body, long mark) {
        outbox.added(operations, body.bytesSince(mark), nanos);
        crash.row(CrashPoint.AFTER_ENCODE, outbox.openBatchId());
    }

    private Optional<Relations.Way.Routed> unlisted(String name) {
        if (settings.unlisted() == UnlistedTables.IGNORE) return Optional.empty();
        throw new SessionOver(new Failure.Misconfigured(
                ExitCode.CONFIGURATION,
                "table %s is in the publication and was written to, but is not in tables".formatted(name),
                "Add it to tables, take it out of the publication, or set tables.unlisted=ignore."));
    }

    /** As the publication has it since somebody altered that; of the rows of the table, whatever is not listed. */
    private Optional<Relations.Way.Routed> underItsOwnName(Relations.Subject root, String leaf) {
        if (root.leftOut()) return Optional.empty();
        return refused(
                root.stands().position(),
                new RowRefused(new Finding(
                        root.plan().label(),
                        "a change of its partition %s came under the partition's own name: the publication no longer has"
                                        .formatted(leaf)
                                + " publish_via_partition_root",
                        "ALTER PUBLICATION … SET (publish_via_partition_root = true); " + Remedy.READ_AGAIN)));
    }
}
