package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.PgOutputMessage.Absent;
import tidemark.decode.PgOutputMessage.FullRow;
import tidemark.decode.PgOutputMessage.OldImage;
import tidemark.decode.Tuple;
import tidemark.delivery.ColumnMatch.Bound;

/**
 * Writes one Feldera column of a row, {@code "name":value}, and decides what becomes of a value that does not go as it
 * is: null where policy and column allow it, else {@link RowRefused} by name. Whoever calls rolls the row back.
 */
final class ColumnWriter {
    private static final byte[] NULL = RowBytes.ascii("null");

    private final TablePlan plan;
    private final RowPolicy policy;
    private final Bound bound;
    private final ValueEncoder encoder;
    private final KeyHash keyHash;
    private final NulledValues.Counter nulled;
    private final byte[] jsonKey;
    private final int position;
    private final long maxRowBytes;

    /** @param separator what stands between this column and the one before */
    ColumnWriter(TablePlan plan, RowPolicy policy, Bound bound, KeyHash keyHash, String separator) {
        this.plan = plan;
        this.keyHash = keyHash;
        this.policy = policy;
        this.bound = bound;
        this.encoder = bound.encoder();
        this.nulled = policy.nulled()
                .counter(plan.postgres().toString(), bound.target().name().text());
        this.jsonKey = (separator + jsonKey(bound.target().name().text())).getBytes(StandardCharsets.UTF_8);
        this.position = bound.source().position();
        this.maxRowBytes = policy.maxRowBytes();
    }

    /** Always the one canonical spelling: in Feldera's map of columns {@code "id"} and {@code "ID"} would meet. */
    static String jsonKey(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        var key = new RowBytes(0);
        key.putText(text, 0, text.length);
        return new String(key.array(), 1, key.length() - 2, StandardCharsets.UTF_8) + ":";
    }

    boolean inIdentity() {
        return bound.source().inIdentity();
    }

    /** Whether the message has the value: PostgreSQL does not send a large one that an update left alone. */
    boolean isSent(Tuple row, OldImage before) {
        return row.kind(position) != Tuple.ColumnKind.UNCHANGED_TOAST
                || switch (before) {
                    case FullRow(Tuple columns) -> isLogged(columns);
                    case PgOutputMessage.Key(Tuple columns) -> inIdentity() && isLogged(columns);
                    case Absent _ -> false;
                };
    }

    /**
     * A large value is not null, so a null in its place says that it was not logged: the image is a key's, or it is of
     * a partition whose replica identity is narrower than FULL, which its root has and which the message then claims
     * (15.18).
     */
    private boolean isLogged(Tuple old) {
        return old.kind(position) == Tuple.ColumnKind.TEXT;
    }

    void write(Tuple row, OldImage before, RowBytes out) {
        out.put(jsonKey);
        switch (row.kind(position)) {
            case TEXT -> writeText(row, out);
            case NULL -> writeNull(out);
            case UNCHANGED_TOAST -> writeUnchanged(before, out);
        }
    }

    /** Whether two rows have the same bytes here; what PostgreSQL did not send again did not change. */
    boolean isSame(Tuple before, Tuple after) {
        return switch (after.kind(position)) {
            case UNCHANGED_TOAST -> true;
            case NULL -> before.kind(position) == Tuple.ColumnKind.NULL;
            case TEXT -> before.kind(position) == Tuple.ColumnKind.TEXT && isSameText(before, after);
        };
    }

    private boolean isSameText(Tuple before, Tuple after) {
        int length = after.length(position);
        int left = before.start(position);
        int right = after.start(position);
        return length == before.length(position)
                && Arrays.equals(before.buffer(), left, left + length, after.buffer(), right, right + length);
    }

    private void writeText(Tuple row, RowBytes out) {
        int length = row.length(position);
        // No encoder makes less than one byte of one: so a value that is too long by itself is not even begun.
        if (length > maxRowBytes) throw tooLarge(length);
        long mark = out.mark();
        switch (encoder.write(row.buffer(), row.start(position), length, out)) {
            case WRITTEN -> {}
            case PARTLY -> nullTaken("null for a part of the value", row);
            case UNREPRESENTABLE -> {
                out.rollback(mark);
                nullTaken("null", row);
                out.put(NULL);
            }
            case OUTDATED -> throw outdated();
            case REFUSED -> throw cannotHold("correct the value or the type of the column");
        }
    }

    /** @param what was sent instead, if policy and column allow it */
    private void nullTaken(String what, Tuple row) {
        switch (policy.unrepresentable()) {
            case NULL -> {
                if (!isNullable()) throw cannotHold("make it nullable in the Feldera program or change the value");
                if (nulled.count()) nulled.warn(what, encoder.limit(), keyHash.of(row));
            }
            case FAIL -> throw cannotHold("change the value, or set values.unrepresentable=null");
        }
    }

    private void writeNull(RowBytes out) {
        if (!isNullable()) {
            throw refused(
                    "it is NULL, and NOT NULL in Feldera",
                    "make it nullable in the Feldera program or NOT NULL in PostgreSQL");
        }
        out.put(NULL);
    }

    /** A null key would meet every other null key. */
    private boolean isNullable() {
        return bound.target().type().nullable() && !bound.key();
    }

    /** The old image has it if the replica identity covers the column. */
    private void writeUnchanged(OldImage before, RowBytes out) {
        switch (before) {
            case FullRow(Tuple old) when isLogged(old) -> writeText(old, out);
            case PgOutputMessage.Key(Tuple old) when inIdentity() && isLogged(old) -> writeText(old, out);
            case FullRow _, PgOutputMessage.Key _, Absent _ ->
                throw leftAlone("a whole row is needed here", Remedy.READ_AGAIN);
        }
    }

    /** @param needed why the row cannot do without it */
    RowRefused leftAlone(String needed, String toGoOn) {
        return refused(
                "an update left its large value alone, so PostgreSQL did not send it, and " + needed,
                RowRefused.fullIdentity(plan, toGoOn));
    }

    /** @param rowBytes of the row, up to and with this column */
    RowRefused tooLarge(long rowBytes) {
        return refused(
                "the row has more than %d bytes: %d up to and with this column".formatted(maxRowBytes, rowBytes),
                "raise batch.max-row-bytes (%d at most) or leave the column out of the publication"
                        .formatted(RowPolicy.LARGEST_ROW_BYTES));
    }

    private RowRefused outdated() {
        return RowRefused.outdated(new Finding(
                plan.label() + " column " + bound.target().name(),
                "a composite in it has other fields than the catalog shows, as its type was altered before or after: which"
                        + " field is which is not known",
                Remedy.READ_AGAIN));
    }

    private RowRefused cannotHold(String remedy) {
        String declared = isNullable() ? "" : ", NOT NULL here,";
        return refused(
                "Feldera's %s%s cannot hold %s".formatted(bound.target().type().declared(), declared, encoder.limit()),
                remedy);
    }

    private RowRefused refused(String why, String remedy) {
        return new RowRefused(
                new Finding(plan.label() + " column " + bound.target().name(), why, remedy));
    }
}
