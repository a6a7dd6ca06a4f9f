package tidemark.decode;

import java.util.List;

/**
 * One message as pgoutput (protocol 1, text) framed it. Ids are unresolved and column values stay where they are: in the
 * buffer the message was read from.
 *
 * <p>Valid only until the next read: whoever wants to keep a value copies its bytes. Owned by the reading thread.
 *
 * <p>Source: PostgreSQL documentation, "Logical Replication Message Formats".
 */
public sealed interface PgOutputMessage {
    /** Opens a transaction. Decoding starts at commit, so the commit position is already known. */
    record Begin(Lsn commitLsn, long commitTimeMicros, int xid) implements PgOutputMessage {}

    /** Closes a transaction. {@code endLsn} is the only position ever confirmed on its behalf. */
    record Commit(Lsn commitLsn, Lsn endLsn, long commitTimeMicros) implements PgOutputMessage {}

    /** The shape of a table at this point of WAL; ids are OIDs (unsigned 32 bit) and mean something within one session only. */
    record Relation(int relationId, RelationName name, ReplicaIdentity identity, List<Column> columns)
            implements PgOutputMessage {}

    /** {@code partOfIdentity} is PostgreSQL's key flag: under FULL every column has it. */
    record Column(String name, int typeOid, int typeModifier, boolean partOfIdentity) {}

    enum ReplicaIdentity {
        DEFAULT,
        NOTHING,
        FULL,
        INDEX
    }

    /** Announces a type that is not built in. */
    record Type(int typeOid, String schema, String name) implements PgOutputMessage {}

    record Insert(int relationId, Tuple row) implements PgOutputMessage {}

    record Update(int relationId, OldImage before, Tuple after) implements PgOutputMessage {}

    record Delete(int relationId, LoggedImage before) implements PgOutputMessage {}

    /** One message for all tables that one TRUNCATE emptied, CASCADE included; may arrive before any RELATION. */
    record Truncate(List<Integer> relationIds, boolean cascade, boolean restartIdentity) implements PgOutputMessage {}

    /** Where the transaction was first committed, if it was itself replicated. */
    record Origin(Lsn commitLsn, String name) implements PgOutputMessage {}

    /** A logical message ({@code pg_logical_emit_message}); its content is not kept. */
    record LogicalMessage(boolean transactional, Lsn lsn, String prefix, int contentBytes) implements PgOutputMessage {}

    /** What the replica identity let the server log about the row as it was. Decided by the message, never by column flags. */
    sealed interface OldImage {}

    /** No old image: the identity did not change. */
    record Absent() implements OldImage {}

    sealed interface LoggedImage extends OldImage {
        Tuple columns();
    }

    /** Identity columns only; the other slots are placeholders, not nulls. */
    record Key(Tuple columns) implements LoggedImage {}

    record FullRow(Tuple columns) implements LoggedImage {}
}
