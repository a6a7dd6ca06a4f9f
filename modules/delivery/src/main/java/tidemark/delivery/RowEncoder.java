package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.PgOutputMessage.Absent;
import tidemark.decode.PgOutputMessage.FullRow;
import tidemark.decode.PgOutputMessage.LoggedImage;
import tidemark.decode.PgOutputMessage.OldImage;
import tidemark.decode.Tuple;
import tidemark.delivery.ColumnMatch.Bound;
import tidemark.delivery.ReplicationState.Stand;

/**
 * Writes one table's rows as Feldera's {@code insert_delete} operations (feldera.md 5.3): an insert replaces the whole
 * row of its key, a delete names the key, and a keyless table is told whole rows. An update is an insert, after a
 * delete of the old key if that changed; or, if PostgreSQL did not send all of the row, an update of the columns that
 * it did send (docs/adr/0012).
 *
 * <p>Every method returns the operations written, which is what Feldera will count. One that throws {@link RowRefused}
 * has written nothing. Everything that can be decided from the relation is decided in the constructor; per value there
 * is one call and no object. Not thread safe: owned by the thread that reads the tuples.
 */
final class RowEncoder {
    private static final byte[] INSERT = RowBytes.ascii("{\"insert\":{");
    private static final byte[] UPDATE = RowBytes.ascii("{\"update\":{");
    private static final byte[] DELETE = RowBytes.ascii("{\"delete\":{");
    private static final String END = "}}";
    private static final OldImage NO_IMAGE = new Absent();

    private final TablePlan plan;
    private final int width;
    private final long maxRowBytes;
    private final boolean keyed;
    private final Stand stand;
    private final ColumnWriter[] row;
    private final byte[] rowEnd;
    /** The columns that say to Feldera which row is meant: those of its key, or all. */
    private final ColumnWriter[] identity;

    private final byte[] identityEnd;
    private final boolean identityIsLogged;
    /** What follows the key in an update: written after {@link #identity}, never first. */
    private final ColumnWriter[] besideKey;

    /**
     * @param width columns of every tuple to come
     * @param stand of the table when its stream began
     */
    RowEncoder(TablePlan plan, ColumnMatch match, int width, RowPolicy policy, Stand stand) {
        this.plan = plan;
        this.width = width;
        this.maxRowBytes = policy.maxRowBytes();
        this.keyed = !plan.feldera().primaryKey().isEmpty();
        this.stand = stand;
        this.row = writers(match.bound(), policy, "", _ -> true);
        this.rowEnd = (nulls(match) + END).getBytes(StandardCharsets.UTF_8);
        this.identity = keyed ? writers(match.bound(), policy, "", Bound::key) : row;
        this.identityEnd = keyed ? RowBytes.ascii(END) : rowEnd;
        this.identityIsLogged = keyed && Arrays.stream(identity).allMatch(ColumnWriter::inIdentity);
        this.besideKey = writers(match.bound(), policy, ",", column -> !column.key());
    }

    private ColumnWriter[] writers(List<Bound> bound, RowPolicy policy, String first, Predicate<Bound> wanted) {
        var keyHash = KeyHash.ofKey(bound);
        List<Bound> chosen = bound.stream().filter(wanted).toList();
        return IntStream.range(0, chosen.size())
                .mapToObj(index -> new ColumnWriter(plan, policy, chosen.get(index), keyHash, index == 0 ? first : ","))
                .toArray(ColumnWriter[]::new);
    }

    private static String nulls(ColumnMatch match) {
        var nulls = new StringBuilder();
        for (var column : match.absent()) {
            nulls.append(',').append(ColumnWriter.jsonKey(column.name().text())).append("null");
        }
        return nulls.toString();
    }

    int insert(Tuple added, RowBytes out) {
        return replace(added, NO_IMAGE, out);
    }

    /** The whole new row as an insert; what it leaves out is in the old image, or it is refused. */
    int replace(Tuple after, OldImage before, RowBytes out) {
        long mark = out.mark();
        try {
            write(INSERT, row, rowEnd, after, before, out);
            return 1;
        } catch (RowRefused refused) {
            out.rollback(mark);
            throw refused;
        }
    }

    int delete(LoggedImage before, RowBytes out) {
        requireIdentity(before, "delete");
        return remove(before.columns(), NO_IMAGE, out);
    }

    /** A delete of the row that is, or will be, under this one's key. */
    int remove(Tuple named, OldImage before, RowBytes out) {
        long mark = out.mark();
        try {
            write(DELETE, identity, identityEnd, named, before, out);
            return 1;
        } catch (RowRefused refused) {
            out.rollback(mark);
            throw refused;
        }
    }

    int update(OldImage before, Tuple after, RowBytes out) {
        long mark = out.mark();
        try {
            requireWidth(after);
            requireIdentity(before, "update");
            boolean stays = switch (before) {
                case Absent _ -> true;
                case LoggedImage logged -> keyed && hasSameKey(logged.columns(), after);
            };
            if (isWhole(before, after)) {
                if (!stays) removeReplaced(before, out);
                write(INSERT, row, rowEnd, after, before, out);
                return stays ? 1 : 2;
            }
            requireRowThere(before, after, stays);
            writeSent(before, after, out);
            return 1;
        } catch (RowRefused refused) {
            out.rollback(mark);
            throw refused;
        }
    }

    private void removeReplaced(OldImage before, RowBytes out) {
        switch (before) {
            case Absent _ -> {}
            case LoggedImage logged -> write(DELETE, identity, identityEnd, logged.columns(), NO_IMAGE, out);
        }
    }

    private boolean hasSameKey(Tuple before, Tuple after) {
        for (ColumnWriter column : identity) {
            if (!column.isSame(before, after)) return false;
        }
        return true;
    }

    private boolean isWhole(OldImage before, Tuple after) {
        for (ColumnWriter column : row) {
            if (!column.isSent(after, before)) return false;
        }
        return true;
    }

    /**
     * Feldera ignores an update of a key that it does not have, and counts it all the same: the value that was left out
     * would be lost. So the row must be known to be there, under this key.
     */
    private void requireRowThere(OldImage before, Tuple after, boolean stays) {
        if (stays && stand == Stand.COPIED) return;
        ColumnWriter column = Arrays.stream(row)
                .filter(candidate -> !candidate.isSent(after, before))
                .findFirst()
                .orElseThrow();
        throw stays
                ? column.leftAlone(
                        "the table was not copied in this life of the pipeline, so its row may be missing there",
                        "to go on now: " + Remedy.MEND)
                : column.leftAlone(
                        "the key changed, so the row has to be sent whole under its new key", Remedy.READ_AGAIN);
    }

    /** Feldera keeps the columns that are left out. */
    private void writeSent(OldImage before, Tuple after, RowBytes out) {
        long mark = out.mark();
        out.beginOperation(UPDATE);
        for (ColumnWriter column : identity) write(column, after, before, mark, out);
        for (ColumnWriter column : besideKey) {
            if (column.isSent(after, before)) write(column, after, before, mark, out);
        }
        out.put(rowEnd);
    }

    /**
     * An insert overwrites the row of its own key only. So the message must say under which key the row was, or, saying
     * nothing, prove that the key is the same: PostgreSQL logs no old image only if no column of the replica identity
     * changed.
     */
    private void requireIdentity(OldImage before, String operation) {
        boolean known = switch (before) {
            case FullRow _ -> true;
            case PgOutputMessage.Key _, Absent _ -> identityIsLogged;
        };
        if (!known) {
            throw new RowRefused(new Finding(
                    plan.label(),
                    "%s, so the %s does not say which row it is about".formatted(uncovered(), operation),
                    RowRefused.fullIdentity(plan, Remedy.READ_AGAIN)));
        }
    }

    private String uncovered() {
        return keyed
                ? "the replica identity does not cover Feldera's key "
                        + plan.feldera().primaryKey()
                : "the Feldera table has no PRIMARY KEY, and an old image has not the whole row";
    }

    /** Which changes to come will be refused, whatever their values. */
    Optional<Finding> refusesChanges(PgOutputMessage.ReplicaIdentity logged) {
        if (logged == PgOutputMessage.ReplicaIdentity.FULL || identityIsLogged) return Optional.empty();
        return Optional.of(new Finding(
                plan.label(),
                uncovered() + ": the first update or delete of it stops the connector, inserts arrive",
                "ALTER TABLE %s REPLICA IDENTITY FULL".formatted(SqlName.of(plan.postgres()))));
    }

    private void write(byte[] head, ColumnWriter[] columns, byte[] end, Tuple tuple, OldImage before, RowBytes out) {
        requireWidth(tuple);
        long mark = out.mark();
        out.beginOperation(head);
        for (ColumnWriter column : columns) write(column, tuple, before, mark, out);
        out.put(end);
    }

    private void write(ColumnWriter column, Tuple tuple, OldImage before, long mark, RowBytes out) {
        column.write(tuple, before, out);
        if (out.bytesSince(mark) > maxRowBytes) throw column.tooLarge(out.bytesSince(mark));
    }

    private void requireWidth(Tuple tuple) {
        if (tuple.size() == width) return;
        throw new RowRefused(new Finding(
                plan.label(),
                "a row has %d columns and its relation %d".formatted(tuple.size(), width),
                "report this: the stream is not what PostgreSQL documents"));
    }
}
