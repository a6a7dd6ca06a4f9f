package tidemark.decode;

import java.util.ArrayList;
import java.util.List;
import tidemark.decode.PgOutputMessage.Absent;
import tidemark.decode.PgOutputMessage.Begin;
import tidemark.decode.PgOutputMessage.Column;
import tidemark.decode.PgOutputMessage.Commit;
import tidemark.decode.PgOutputMessage.Delete;
import tidemark.decode.PgOutputMessage.FullRow;
import tidemark.decode.PgOutputMessage.Insert;
import tidemark.decode.PgOutputMessage.LoggedImage;
import tidemark.decode.PgOutputMessage.LogicalMessage;
import tidemark.decode.PgOutputMessage.OldImage;
import tidemark.decode.PgOutputMessage.Origin;
import tidemark.decode.PgOutputMessage.Relation;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.PgOutputMessage.Truncate;
import tidemark.decode.PgOutputMessage.Update;

/**
 * Decides what a pgoutput message says, or that it is not one: protocol 1, text values. Checks everything that one
 * message can be checked for by itself; whether a tuple fits its relation is for whoever keeps the relations.
 *
 * <p>The tuples of a message are this decoder's two, read in place and overwritten by the next {@link #decode}; a row
 * costs one small record. Nothing is allocated for a count or a length before as many bytes are seen to be there. Keeps
 * no state between messages. Not thread safe; owned by the reading thread.
 *
 * <p>Source: PostgreSQL documentation, "Logical Replication Message Formats"; for what it leaves open, proto.c.
 */
public final class PgOutputDecoder {
    private static final Absent ABSENT = new Absent();
    /** Flags, one byte of name with its NUL, type, modifier. */
    private static final int COLUMN_BYTES_MIN = 1 + 1 + 4 + 4;

    private static final int TRUNCATE_CASCADE = 1;
    private static final int TRUNCATE_RESTART_IDENTITY = 2;

    private final MessageCursor cursor = new MessageCursor();
    private final ReusedTuple newRow = new ReusedTuple();
    private final ReusedTuple oldRow = new ReusedTuple();
    private final PgOutputMessage.Key key = new PgOutputMessage.Key(oldRow);
    private final FullRow fullRow = new FullRow(oldRow);

    public PgOutputDecoder() {}

    /**
     * Decodes the one message in {@code buffer[offset, offset + length)}. The answer is valid until the next call.
     *
     * @throws MalformedMessage for anything that is not exactly one well-formed message
     */
    public PgOutputMessage decode(byte[] buffer, int offset, int length) {
        cursor.open(buffer, offset, length);
        PgOutputMessage message = switch (cursor.int8("a message kind")) {
            case 'I' -> insert();
            case 'U' -> update();
            case 'D' -> delete();
            case 'B' -> begin();
            case 'C' -> commit();
            case 'R' -> relation();
            case 'Y' -> type();
            case 'T' -> truncate();
            case 'O' -> origin();
            case 'M' -> logicalMessage();
            case 'S', 'E', 'c', 'A' ->
                throw cursor.malformed(offset, "a protocol 1 message, not one of a streamed transaction");
            case 'b', 'P', 'K', 'r', 'p' ->
                throw cursor.malformed(offset, "a protocol 1 message, not one of a prepared transaction");
            default -> throw cursor.malformed(offset, "a protocol 1 message kind");
        };
        if (cursor.remaining() > 0) throw cursor.malformed(cursor.position(), "the end of the message");
        return message;
    }

    private Insert insert() {
        int relationId = cursor.int32("a relation id");
        int at = cursor.position();
        if (cursor.int8("'N' before the new tuple") != 'N') throw cursor.malformed(at, "'N' before the new tuple");
        newTuple();
        return new Insert(relationId, newRow);
    }

    private Update update() {
        int relationId = cursor.int32("a relation id");
        int at = cursor.position();
        OldImage before = switch (cursor.int8("'K', 'O' or 'N' before a tuple")) {
            case 'N' -> ABSENT;
            case 'K' -> oldTuple(key);
            case 'O' -> oldTuple(fullRow);
            default -> throw cursor.malformed(at, "'K', 'O' or 'N' before a tuple");
        };
        if (before instanceof LoggedImage logged) {
            at = cursor.position();
            if (cursor.int8("'N' before the new tuple") != 'N') throw cursor.malformed(at, "'N' before the new tuple");
            newTuple();
            // Both have the relation's columns, the identity's fill the rest with nulls (logicalrep_write_tuple).
            if (logged.columns().size() != newRow.size())
                throw cursor.malformed(at, "a new tuple with as many columns as the old one");
        } else {
            newTuple();
        }
        return new Update(relationId, before, newRow);
    }

    private Delete delete() {
        int relationId = cursor.int32("a relation id");
        int at = cursor.position();
        LoggedImage before = switch (cursor.int8("'K' or 'O' before the old tuple")) {
            case 'K' -> oldTuple(key);
            case 'O' -> oldTuple(fullRow);
            default -> throw cursor.malformed(at, "'K' or 'O' before the old tuple");
        };
        return new Delete(relationId, before);
    }

    /**
     * An old tuple is logged with its TOASTed values inline (ExtractReplicaIdentity in heapam.c): an "unchanged" there
     * would be a value that nobody has.
     */
    private LoggedImage oldTuple(LoggedImage image) {
        int columns = beginTuple(oldRow);
        for (int column = 0; column < columns; column++) {
            int at = cursor.position();
            switch (cursor.int8("'n' or 't' before a value of the old tuple")) {
                case 'n' -> oldRow.addNull();
                case 't' -> addText(oldRow);
                default -> throw cursor.malformed(at, "'n' or 't' before a value of the old tuple");
            }
        }
        return image;
    }

    /**
     * "Unchanged" is possible in INSERT too: a row filter turns an UPDATE that moves a row into the publication into
     * one (pgoutput_row_filter in pgoutput.c, PostgreSQL 15 and later).
     */
    private void newTuple() {
        int columns = beginTuple(newRow);
        for (int column = 0; column < columns; column++) {
            int at = cursor.position();
            switch (cursor.int8("'n', 'u' or 't' before a value of the new tuple")) {
                case 'n' -> newRow.addNull();
                case 'u' -> newRow.addUnchanged();
                case 't' -> addText(newRow);
                // We never ask for binary values: 'b' is as wrong as any other byte.
                default -> throw cursor.malformed(at, "'n', 'u' or 't' before a value of the new tuple");
            }
        }
    }

    private int beginTuple(ReusedTuple tuple) {
        int columns = columnCount(1, "a number of columns that fits the tuple");
        tuple.begin(cursor.buffer(), columns);
        return columns;
    }

    private void addText(ReusedTuple tuple) {
        int length = cursor.length("the length of a value within the message");
        tuple.addText(cursor.skip(length, "a value"), length);
    }

    private int columnCount(int columnBytesMin, String expectation) {
        int at = cursor.position();
        int columns = cursor.int16(expectation);
        if (columns < 0 || columns > ReusedTuple.COLUMNS_MAX || columns * columnBytesMin > cursor.remaining())
            throw cursor.malformed(at, expectation);
        return columns;
    }

    private Begin begin() {
        int at = cursor.position();
        Lsn commitLsn = cursor.lsn("the commit LSN");
        if (commitLsn.equals(Lsn.ZERO)) throw cursor.malformed(at, "a commit LSN other than 0/0");
        return new Begin(commitLsn, cursor.int64("the commit time"), cursor.int32("a transaction id"));
    }

    private Commit commit() {
        flags(0, "commit flags 0");
        Lsn commitLsn = cursor.lsn("the commit LSN");
        int at = cursor.position();
        Lsn endLsn = cursor.lsn("the end LSN");
        // This is the position that gets confirmed: a wrong one loses data.
        if (!endLsn.isAfter(commitLsn)) throw cursor.malformed(at, "an end LSN after the commit LSN");
        return new Commit(commitLsn, endLsn, cursor.int64("the commit time"));
    }

    private Relation relation() {
        int relationId = cursor.int32("a relation id");
        RelationName name = new RelationName(cursor.text("a schema name"), cursor.text("a relation name"));
        ReplicaIdentity identity = replicaIdentity();
        int count = columnCount(COLUMN_BYTES_MIN, "a number of columns that fits the message");
        List<Column> columns = new ArrayList<>(count);
        for (int column = 0; column < count; column++) {
            boolean partOfIdentity = flags(1, "column flags 0 or 1") == 1;
            columns.add(new Column(
                    cursor.text("a column name"),
                    cursor.int32("a type OID"),
                    cursor.int32("a type modifier"),
                    partOfIdentity));
        }
        return new Relation(relationId, name, identity, List.copyOf(columns));
    }

    /** {@code pg_class.relreplident}. */
    private ReplicaIdentity replicaIdentity() {
        int at = cursor.position();
        return switch (cursor.int8("a replica identity")) {
            case 'd' -> ReplicaIdentity.DEFAULT;
            case 'n' -> ReplicaIdentity.NOTHING;
            case 'f' -> ReplicaIdentity.FULL;
            case 'i' -> ReplicaIdentity.INDEX;
            default -> throw cursor.malformed(at, "a replica identity 'd', 'n', 'f' or 'i'");
        };
    }

    private PgOutputMessage.Type type() {
        return new PgOutputMessage.Type(
                cursor.int32("a type OID"), cursor.text("a schema name"), cursor.text("a type name"));
    }

    private Truncate truncate() {
        int at = cursor.position();
        int count = cursor.int32("a number of relations");
        int flags = flags(TRUNCATE_CASCADE | TRUNCATE_RESTART_IDENTITY, "truncate flags 0 to 3");
        if (count < 0 || count > cursor.remaining() / Integer.BYTES)
            throw cursor.malformed(at, "a number of relations that fits the message");
        List<Integer> relationIds = new ArrayList<>(count);
        for (int relation = 0; relation < count; relation++) relationIds.add(cursor.int32("a relation id"));
        return new Truncate(
                List.copyOf(relationIds), (flags & TRUNCATE_CASCADE) != 0, (flags & TRUNCATE_RESTART_IDENTITY) != 0);
    }

    private Origin origin() {
        return new Origin(cursor.lsn("the origin's commit LSN"), cursor.text("an origin name"));
    }

    private LogicalMessage logicalMessage() {
        boolean transactional = flags(1, "message flags 0 or 1") == 1;
        Lsn lsn = cursor.lsn("the LSN of the message");
        String prefix = cursor.text("a message prefix");
        int contentBytes = cursor.length("the length of the content within the message");
        cursor.skip(contentBytes, "the content");
        return new LogicalMessage(transactional, lsn, prefix, contentBytes);
    }

    /** A bit that we do not know may change what the message means. */
    private int flags(int known, String expectation) {
        int at = cursor.position();
        int flags = cursor.int8(expectation);
        if ((flags & ~known) != 0) throw cursor.malformed(at, expectation);
        return flags;
    }
}
