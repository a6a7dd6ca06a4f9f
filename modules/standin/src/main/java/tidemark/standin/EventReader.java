package tidemark.standin;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;

/**
 * Reads the update objects of one endpoint, and numbers them from the endpoint's first (feldera.md 1.5). Used under the
 * endpoint's lock.
 */
final class EventReader {
    enum Operation {
        DELETE,
        INSERT,
        UPDATE
    }

    /**
     * Within one object the order is always delete, insert, update, whatever the order of its keys (feldera.md 5.1).
     */
    private static final Comparator<Change> APPLIED = Comparator.comparingInt(change -> switch (change) {
        case Change.Delete _ -> 0;
        case Change.Insert _ -> 1;
        case Change.Patch _ -> 2;
    });

    private final RowReader rows;
    private final boolean keyed;
    private long event;

    EventReader(RowReader rows, boolean keyed) {
        this.rows = rows;
        this.keyed = keyed;
    }

    void countEvent() {
        event++;
    }

    long lastEvent() {
        return event;
    }

    /** Reads one {@code insert_delete} object: up to three operations, each of which is one change or one error. */
    void readUpdate(JsonCursor in, List<Change> update, ParseErrors errors) {
        requireObject(in);
        in.enterObject();
        for (boolean first = true; in.nextKey(first); first = false) {
            String key = in.string();
            switch (key) {
                case "insert" -> readOperation(in, Operation.INSERT, update, errors);
                case "delete" -> readOperation(in, Operation.DELETE, update, errors);
                case "update" -> readOperation(in, Operation.UPDATE, update, errors);
                case "table" -> {
                    in.enterValue();
                    in.skipValue();
                }
                default ->
                    throw new BadEnvelope("unknown field `" + key
                            + "`, expected one of `table`, `insert`, `delete`, `update`" + in.position());
            }
        }
        if (update.size() > 1) {
            update.sort(APPLIED);
        }
    }

    private void readOperation(JsonCursor in, Operation operation, List<Change> update, ParseErrors errors) {
        in.enterValue();
        if (!in.takeNull()) {
            read(in, operation, update, errors);
        }
    }

    private static void requireObject(JsonCursor in) {
        int next = in.peek();
        if (next == '[') {
            // serde takes a sequence for the fields in order, of which the first is the table's name.
            in.enterArray();
            throw new BadEnvelope("invalid type: map, expected a string" + in.position());
        }
        if (next != '{') {
            throw new BadEnvelope(ValueCodec.mismatch(in, "struct InsDelUpdate").description());
        }
    }

    /** Reads one row into one change; a refused one becomes an error and is passed over. */
    void read(JsonCursor in, Operation operation, List<Change> update, ParseErrors errors) {
        in.peek();
        int start = in.at();
        int depth = in.depth();
        int origin = in.origin();
        in.markOrigin(start);
        try {
            update.add(change(in, operation));
        } catch (ValueRefused refused) {
            in.moveTo(start, depth);
            in.skipValue();
            String fragment = new String(in.buffer(), start, in.at() - start, StandardCharsets.UTF_8);
            errors.event(refused.description(), event, refused.field(), fragment, "");
        } finally {
            in.markOrigin(origin);
        }
    }

    private Change change(JsonCursor in, Operation operation) {
        return switch (operation) {
            case INSERT -> new Change.Insert(rows.readRow(in));
            case DELETE -> new Change.Delete(keyed ? rows.readKey(in) : rows.readRow(in));
            case UPDATE -> {
                if (!keyed) {
                    throw new ValueRefused(
                            "failed to deserialize JSON record: update operation is not supported on this" + " stream");
                }
                yield rows.readPatch(in);
            }
        };
    }
}
