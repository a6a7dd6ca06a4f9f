package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.PgOutputMessage.Absent;
import tidemark.decode.PgOutputMessage.FullRow;
import tidemark.decode.PgOutputMessage.LoggedImage;
import tidemark.decode.PgOutputMessage.OldImage;
import tidemark.decode.Tuple;
import tidemark.delivery.ColumnMatch.Bound;

/**
 * Writes one table's rows as Feldera's {@code insert_delete} operations (feldera.md 5.3): an insert replaces the whole
 * row of its key, a delete names the key, and a keyless table is told whole rows. An update is an insert, after a
 * delete of the old key if that changed.
 *
 * <p>Every method returns the operations written, which is what Feldera will count. One that throws {@link RowRefused}
 * has written nothing. Everything that can be decided from the relation is decided in the constructor; per value there
 * is one call and no object. Not thread safe: owned by the thread that reads the tuples.
 */
final class RowEncoder {
    private static final byte[] INSERT = RowBytes.ascii("{\"insert\":{");
    private static final byte[] DELETE = RowBytes.ascii("{\"delete\":{");
    private static final String END = "}}";
    private static final OldImage NO_IMAGE = new Absent();

    private final TablePlan plan;
    private final int width;
    private final long maxRowBytes;
    private final boolean keyed;
    private final ColumnWriter[] row;
    private final byte[] rowEnd;
    /** The columns that say to Feldera which row is meant: those of its key, or all. */
    private final ColumnWriter[] identity;

    private final byte[] identityEnd;
    private final boolean identityIsLogged;

    /** @param width columns of every tuple to come */
    RowEncoder(TablePlan plan, ColumnMatch match, int width, RowPolicy policy) {
        this.plan = plan;
        this.width = width;
        this.maxRowBytes = policy.maxRowBytes();
        this.keyed = !plan.feldera().primaryKey().isEmpty();
        this.row = writers(match.bound(), policy, _ -> true);
        this.rowEnd = (nulls(match) + END).getBytes(StandardCharsets.UTF_8);
        this.identity = keyed ? writers(match.bound(), policy, Bound::key) : row;
        this.identityEnd = keyed ? RowBytes.ascii(END) : rowEnd;
        this.identityIsLogged = keyed && Arrays.stream(identity).allMatch(ColumnWriter::inIdentity);
    }

    private ColumnWriter[] writers(List<Bound> bound, RowPolicy policy, Predicate<Bound> wanted) {
        var keyHash = KeyHash.of(bound);
        List<Bound> chosen = bound.stream().filter(wanted).toList();
        return IntStream.range(0, chosen.size())
                .mapToObj(index -> new ColumnWriter(plan, policy, chosen.get(index), keyHash, index == 0 ? "" : ","))
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
        long mark = out.mark();
        try {
            write(INSERT, row, rowEnd, added, NO_IMAGE, out);
            return 1;
        } catch (RowRefused refused) {
            out.rollback(mark);
            throw refused;
        }
    }

    int delete(LoggedImage before, RowBytes out) {
        long mark = out.mark();
        try {
            requireIdentity(before, "delete");
            write(DELETE, identity, identityEnd, before.columns(), NO_IMAGE, out);
            return 1;
        } catch (RowRefused refused) {
            out.rollback(mark);
            throw refused;
        }
    }

    int update(OldImage before, Tuple after, RowBytes out) {
        long mark = out.mark();
        try {
            requireIdentity(before, "update");
            int deletes = switch (before) {
                case Absent _ -> 0;
                case LoggedImage logged -> deleteReplaced(logged, after, out);
            };
            write(INSERT, row, rowEnd, after, before, out);
            return deletes + 1;
        } catch (RowRefused refused) {
            out.rollback(mark);
            throw refused;
        }
    }

    private int deleteReplaced(LoggedImage before, Tuple after, RowBytes out) {
        if (keyed && hasSameKey(before.columns(), after)) return 0;
        write(DELETE, identity, identityEnd, before.columns(), NO_IMAGE, out);
        return 1;
    }

    private boolean hasSameKey(Tuple before, Tuple after) {
        for (ColumnWriter column : identity) {
            if (!column.isSame(before, after)) return false;
        }
        return true;
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
        if (known) return;
        String why = keyed
                ? "the replica identity does not cover Feldera's key %s, so the %s does not say which row it is about"
                        .formatted(plan.feldera().primaryKey(), operation)
                : "the Feldera table has no PRIMARY KEY, and the %s does not carry the whole old row"
                        .formatted(operation);
        throw new RowRefused(new Finding(
                plan.label(), why, "ALTER TABLE %s REPLICA IDENTITY FULL".formatted(SqlName.of(plan.postgres()))));
    }

    private void write(byte[] head, ColumnWriter[] columns, byte[] end, Tuple tuple, OldImage before, RowBytes out) {
        if (tuple.size() != width) throw notAsWide(tuple.size());
        long mark = out.mark();
        out.beginOperation(head);
        for (ColumnWriter column : columns) {
            column.write(tuple, before, out);
            if (out.bytesSince(mark) > maxRowBytes) throw column.tooLarge(out.bytesSince(mark));
        }
        out.put(end);
    }

    private RowRefused notAsWide(int columns) {
        return new RowRefused(new Finding(
                plan.label(),
                "a row has %d columns and its relation %d".formatted(columns, width),
                "report this: the stream is not what PostgreSQL documents"));
    }
}
