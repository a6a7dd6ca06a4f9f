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
 * Writes one table's rows as Feldera's {@code insert_delete} operations (feldera.md 5.3): an insert replaces the whole row of its
 * key, a delete names the key, and a keyless table is told whole rows. An update is an insert, after a delete of the old key if
 * that changed.
 *
 * <p>Every method returns the operations written, which is what Feldera will count. One that throws {@link RowRefused} has
 * written nothing. Everything that can be decided from the relation is decided in the constructor; per value there is one call
 * and no object. Not thread safe: owned by the thread that reads the tuples.
 */
final class RowEncoder {
    private static final byte[] INSERT = RowBytes.ascii("{\"insert\":{");
    private static final byte[] DELETE = RowBytes.ascii("{\"delete\":{");
    private static final byte[] NULL = RowBytes.ascii("null");
    private static final String END = "}}";
    private static final OldImage NO_IMAGE = new Absent();

    /** One byte of text becomes at most six (a control character's escape): a row below this never outgrows an array of 2 GiB. */
    private static final long LARGEST_ROW_BYTES = 256L << 20;

    private static final String FULL_IDENTITY = "ALTER TABLE %s REPLICA IDENTITY FULL";

    private final TablePlan plan;
    private final RowPolicy policy;
    private final long maxRowBytes;
    private final int width;
    private final boolean keyed;
    private final boolean keyInIdentity;
    private final Column[] row;
    private final byte[] rowEnd;
    /** The columns that identify a row in Feldera: the key, or all of them. */
    private final Column[] identity;

    private final byte[] identityEnd;

    private record Column(
            byte[] key,
            int position,
            boolean inIdentity,
            Bound bound,
            ValueEncoder encoder,
            NulledValues.Counter nulled) {
        String name() {
            return bound.target().name().toString();
        }
    }

    RowEncoder(TablePlan plan, ColumnMatch match, int width, RowPolicy policy) {
        this.plan = plan;
        this.policy = policy;
        this.width = width;
        this.maxRowBytes = Math.min(policy.maxRowBytes(), LARGEST_ROW_BYTES);
        this.keyed = !plan.feldera().primaryKey().isEmpty();
        this.row = columns(match.bound(), _ -> true);
        this.rowEnd = utf8(nulls(match) + END);
        this.identity = keyed ? columns(match.bound(), Bound::key) : row;
        this.identityEnd = keyed ? utf8(END) : rowEnd;
        this.keyInIdentity = Arrays.stream(identity).allMatch(Column::inIdentity);
    }

    private Column[] columns(List<Bound> bound, Predicate<Bound> wanted) {
        List<Bound> chosen = bound.stream().filter(wanted).toList();
        return IntStream.range(0, chosen.size())
                .mapToObj(index -> column(chosen.get(index), index == 0))
                .toArray(Column[]::new);
    }

    private Column column(Bound bound, boolean first) {
        String name = bound.target().name().text();
        return new Column(
                utf8((first ? "" : ",") + jsonKey(name)),
                bound.source().position(),
                bound.source().inIdentity(),
                bound,
                bound.encoder(),
                policy.nulled().counter(plan.postgres().toString(), name));
    }

    private static String nulls(ColumnMatch match) {
        var nulls = new StringBuilder();
        match.absent()
                .forEach(column ->
                        nulls.append(',').append(jsonKey(column.name().text())).append("null"));
        return nulls.toString();
    }

    /** Always the one canonical spelling: in Feldera's map of columns {@code "id"} and {@code "ID"} would meet. */
    private static String jsonKey(String name) {
        var key = new RowBytes(0);
        byte[] text = utf8(name);
        key.putText(text, 0, text.length);
        return new String(key.array(), 1, key.length() - 2, StandardCharsets.UTF_8) + ":";
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
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
        if (keyed && sameKey(before.columns(), after)) return 0;
        write(DELETE, identity, identityEnd, before.columns(), NO_IMAGE, out);
        return 1;
    }

    /** An insert overwrites the row of its key, but what had another key before must be named to Feldera. */
    private void requireIdentity(OldImage before, String operation) {
        boolean known = switch (before) {
            case FullRow _ -> true;
            case PgOutputMessage.Key _, Absent _ -> keyed && keyInIdentity;
        };
        if (known) return;
        String why = keyed
                ? "the replica identity does not cover Feldera's key %s, so the %s does not say which row it is about"
                        .formatted(plan.feldera().primaryKey(), operation)
                : "the Feldera table has no PRIMARY KEY, and the %s does not carry the whole old row"
                        .formatted(operation);
        throw new RowRefused(new Finding(plan.label(), why, FULL_IDENTITY.formatted(plan.postgres())));
    }

    private boolean sameKey(Tuple before, Tuple after) {
        for (Column column : identity) {
            int at = column.position;
            Tuple.ColumnKind kind = after.kind(at);
            if (kind == Tuple.ColumnKind.UNCHANGED_TOAST) continue;
            if (kind != before.kind(at)) return false;
            if (kind == Tuple.ColumnKind.TEXT && !sameText(before, after, at)) return false;
        }
        return true;
    }

    private static boolean sameText(Tuple before, Tuple after, int at) {
        int length = after.length(at);
        int left = before.start(at);
        int right = after.start(at);
        return length == before.length(at)
                && Arrays.equals(before.buffer(), left, left + length, after.buffer(), right, right + length);
    }

    private void write(byte[] head, Column[] columns, byte[] end, Tuple tuple, OldImage before, RowBytes out) {
        if (tuple.size() != width)
            throw refused("a row has %d columns, its relation %d".formatted(tuple.size(), width));
        long mark = out.mark();
        out.beginOperation(head);
        byte[] buffer = tuple.buffer();
        for (Column column : columns) {
            int at = column.position;
            out.put(column.key);
            switch (tuple.kind(at)) {
                case TEXT -> writeText(column, buffer, tuple.start(at), tuple.length(at), out);
                case NULL -> writeNull(column, out);
                case UNCHANGED_TOAST -> writeUnchanged(column, before, out);
            }
            if (out.bytesSince(mark) > maxRowBytes) throw tooLarge(column, out.bytesSince(mark));
        }
        out.put(end);
    }

    private void writeText(Column column, byte[] buffer, int start, int length, RowBytes out) {
        if (length > maxRowBytes) throw tooLarge(column, length);
        long mark = out.mark();
        switch (column.encoder.write(buffer, start, length, out)) {
            case WRITTEN -> {}
            case UNREPRESENTABLE -> {
                out.rollback(mark);
                replaceByNull(column, out);
            }
            case REFUSED -> throw refused(column, "Feldera's %s cannot hold %s", "correct the value or the type");
        }
    }

    private void replaceByNull(Column column, RowBytes out) {
        boolean nullable = column.bound.target().type().nullable();
        switch (policy.unrepresentable()) {
            case NULL -> {
                if (!nullable) {
                    throw refused(
                            column,
                            "Feldera's %s, which is NOT NULL, cannot hold %s",
                            "make it nullable in the Feldera program or change the value");
                }
                column.nulled.count(column.encoder.limit());
                out.put(NULL);
            }
            case FAIL ->
                throw refused(
                        column, "Feldera's %s cannot hold %s", "change the value, or set values.unrepresentable=null");
        }
    }

    private void writeNull(Column column, RowBytes out) {
        if (!column.bound.target().type().nullable()) {
            throw refused(
                    column,
                    "it is NULL and Feldera's %s is NOT NULL",
                    "make it nullable in the Feldera program or NOT NULL in PostgreSQL");
        }
        out.put(NULL);
    }

    /** PostgreSQL did not send what it had not touched; the old image has it if the identity covers the column. */
    private void writeUnchanged(Column column, OldImage before, RowBytes out) {
        Tuple old = switch (before) {
            case FullRow(Tuple columns) -> columns;
            case PgOutputMessage.Key(Tuple columns) when column.inIdentity -> columns;
            case PgOutputMessage.Key _, Absent _ -> throw unchanged(column);
        };
        int at = column.position;
        switch (old.kind(at)) {
            case TEXT -> writeText(column, old.buffer(), old.start(at), old.length(at), out);
            case NULL -> writeNull(column, out);
            case UNCHANGED_TOAST -> throw unchanged(column);
        }
    }

    private RowRefused unchanged(Column column) {
        return new RowRefused(new Finding(
                plan.label() + " column " + column.name(),
                "an update left its large value alone, so PostgreSQL did not send it",
                FULL_IDENTITY.formatted(plan.postgres())));
    }

    private RowRefused tooLarge(Column column, long bytes) {
        return new RowRefused(new Finding(
                plan.label() + " column " + column.name(),
                "the row is larger than %d bytes: %d up to and with this column".formatted(maxRowBytes, bytes),
                "raise batch.max-row-bytes, which is at most %d, or leave the column out of the publication"
                        .formatted(LARGEST_ROW_BYTES)));
    }

    private RowRefused refused(Column column, String why, String remedy) {
        String type = column.bound.target().type().type();
        return new RowRefused(new Finding(
                plan.label() + " column " + column.name(), why.formatted(type, column.encoder.limit()), remedy));
    }

    private RowRefused refused(String why) {
        return new RowRefused(
                new Finding(plan.label(), why, "report this: the stream is not what PostgreSQL documents"));
    }
}
