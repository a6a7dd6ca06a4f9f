package tidemark.decode;

import java.util.List;

/**
 * One message as pgoutput (protocol 1, text) framed it. Ids are unresolved and column values stay where they are: in
 * the buffer the message was read from.
 *
 * <p>Relation and type ids are OIDs, unsigned 32 bit in an {@code int}: compare them for equality only, and print them
 * unsigned, as {@code toString} does here. They mean something within one session only. Times are microseconds since
 * 2000-01-01 UTC, PostgreSQL's epoch.
 *
 * <p>Valid only until the next read: whoever wants to keep a value copies its bytes. Owned by the reading thread.
 *
 * <p>Source: PostgreSQL documentation, "Logical Replication Message Formats".
 */
public sealed interface PgOutputMessage {
    /** Opens a transaction. Decoding starts at commit, so the commit position is already known. */
    record Begin(Lsn commitLsn, long commitTimeMicros, int xid) implements PgOutputMessage {
        @Override
        public String toString() {
            return "Begin[commitLsn=%s, commitTimeMicros=%d, xid=%s]"
                    .formatted(commitLsn, commitTimeMicros, Integer.toUnsignedString(xid));
        }
    }

    /** Closes a transaction. {@code endLsn} is the only position ever confirmed on its behalf. */
    record Commit(Lsn commitLsn, Lsn endLsn, long commitTimeMicros) implements PgOutputMessage {}

    /**
     * The shape of a table at this point of WAL: column {@code n} of its tuples is {@code columns.get(n)}. Sent before
     * the first change of a table in a session and after every change of its shape.
     */
    record Relation(int relationId, RelationName name, ReplicaIdentity identity, List<Column> columns)
            implements PgOutputMessage {
        @Override
        public String toString() {
            return "Relation[relationId=%s, name=%s, identity=%s, columns=%s]"
                    .formatted(Integer.toUnsignedString(relationId), name, identity, columns);
        }
    }

    /**
     * {@code partOfIdentity} is PostgreSQL's key flag: under FULL every column has it. A type modifier of -1 is none.
     */
    record Column(String name, int typeOid, int typeModifier, boolean partOfIdentity) {
        @Override
        public String toString() {
            return "Column[name=%s, typeOid=%s, typeModifier=%d, partOfIdentity=%b]"
                    .formatted(name, Integer.toUnsignedString(typeOid), typeModifier, partOfIdentity);
        }
    }

    /** {@code pg_class.relreplident}. */
    enum ReplicaIdentity {
        DEFAULT,
        NOTHING,
        FULL,
        INDEX
    }

    /** Announces a type that is not built in. The schema is empty for {@code pg_catalog}. */
    record Type(int typeOid, String schema, String name) implements PgOutputMessage {
        @Override
        public String toString() {
            return "Type[typeOid=%s, schema=%s, name=%s]".formatted(Integer.toUnsignedString(typeOid), schema, name);
        }
    }

    /**
     * A row that is new, at least to this publication: a row filter turns an UPDATE that moves a row into it into an
     * INSERT (PostgreSQL 15 and later), whose unchanged TOASTed values may then be missing:
     * {@link Tuple.ColumnKind#UNCHANGED_TOAST}.
     */
    record Insert(int relationId, Tuple row) implements PgOutputMessage {
        @Override
        public String toString() {
            return "Insert[relationId=%s, row=%s]".formatted(Integer.toUnsignedString(relationId), row);
        }
    }

    /** {@code before}, if logged, and {@code after} have the same number of columns. */
    record Update(int relationId, OldImage before, Tuple after) implements PgOutputMessage {
        @Override
        public String toString() {
            return "Update[relationId=%s, before=%s, after=%s]"
                    .formatted(Integer.toUnsignedString(relationId), before, after);
        }
    }

    record Delete(int relationId, LoggedImage before) implements PgOutputMessage {
        @Override
        public String toString() {
            return "Delete[relationId=%s, before=%s]".formatted(Integer.toUnsignedString(relationId), before);
        }
    }

    /** One message for all tables that one TRUNCATE emptied, CASCADE included; may arrive before any RELATION. */
    record Truncate(List<Integer> relationIds, boolean cascade, boolean restartIdentity) implements PgOutputMessage {
        @Override
        public String toString() {
            return "Truncate[relationIds=%s, cascade=%b, restartIdentity=%b]"
                    .formatted(
                            relationIds.stream().map(Integer::toUnsignedString).toList(), cascade, restartIdentity);
        }
    }

    /** Where the transaction was first committed, if it was itself replicated. */
    record Origin(Lsn commitLsn, String name) implements PgOutputMessage {}

    /** A logical message ({@code pg_logical_emit_message}); its content is not kept. */
    record LogicalMessage(boolean transactional, Lsn lsn, String prefix, int contentBytes) implements PgOutputMessage {}

    /**
     * What the replica identity let the server log about the row as it was. Decided by the message, never by column
     * flags. Never holds an UNCHANGED_TOAST: old values are logged whole.
     */
    sealed interface OldImage {}

    /** No old image: the identity did not change. */
    record Absent() implements OldImage {}

    sealed interface LoggedImage extends OldImage {
        Tuple columns();
    }

    /** Identity columns only; the other slots are placeholders, not nulls. */
    record Key(Tuple columns) implements LoggedImage {}

    /** All columns as they were (REPLICA IDENTITY FULL). */
    record FullRow(Tuple columns) implements LoggedImage {}
}
