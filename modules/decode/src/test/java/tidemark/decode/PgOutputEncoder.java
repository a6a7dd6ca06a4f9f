package tidemark.decode;

import tidemark.decode.PgOutputMessage.Absent;
import tidemark.decode.PgOutputMessage.Begin;
import tidemark.decode.PgOutputMessage.Commit;
import tidemark.decode.PgOutputMessage.Delete;
import tidemark.decode.PgOutputMessage.FullRow;
import tidemark.decode.PgOutputMessage.Insert;
import tidemark.decode.PgOutputMessage.LogicalMessage;
import tidemark.decode.PgOutputMessage.OldImage;
import tidemark.decode.PgOutputMessage.Origin;
import tidemark.decode.PgOutputMessage.Relation;
import tidemark.decode.PgOutputMessage.Truncate;
import tidemark.decode.PgOutputMessage.Update;

/**
 * Messages to bytes, as the server's proto.c writes them. No two messages have the same bytes, so equal bytes mean
 * equal messages, tuples included; only the content of a logical message, which is not kept, is written as zeros.
 */
final class PgOutputEncoder {
    private PgOutputEncoder() {}

    static byte[] encode(PgOutputMessage message) {
        return switch (message) {
            case Begin(Lsn commitLsn, long micros, int xid) ->
                MessageBytes.of('B').lsn(commitLsn).int64(micros).int32(xid).toArray();
            case Commit(Lsn commitLsn, Lsn endLsn, long micros) ->
                MessageBytes.of('C')
                        .int8(0)
                        .lsn(commitLsn)
                        .lsn(endLsn)
                        .int64(micros)
                        .toArray();
            case Relation relation -> relation(relation);
            case PgOutputMessage.Type(int oid, String schema, String name) ->
                MessageBytes.of('Y').int32(oid).text(schema).text(name).toArray();
            case Insert(int id, Tuple row) ->
                tuple(MessageBytes.of('I').int32(id), 'N', row).toArray();
            case Update(int id, OldImage before, Tuple after) ->
                tuple(oldImage(MessageBytes.of('U').int32(id), before), 'N', after)
                        .toArray();
            case Delete(int id, OldImage before) ->
                oldImage(MessageBytes.of('D').int32(id), before).toArray();
            case Truncate truncate -> truncate(truncate);
            case Origin(Lsn lsn, String name) ->
                MessageBytes.of('O').lsn(lsn).text(name).toArray();
            case LogicalMessage(boolean transactional, Lsn lsn, String prefix, int contentBytes) ->
                MessageBytes.of('M')
                        .int8(transactional ? 1 : 0)
                        .lsn(lsn)
                        .text(prefix)
                        .int32(contentBytes)
                        .raw(new byte[contentBytes])
                        .toArray();
        };
    }

    private static byte[] relation(Relation relation) {
        MessageBytes bytes = MessageBytes.of('R')
                .int32(relation.relationId())
                .text(relation.name().schema())
                .text(relation.name().table())
                .int8(
                        switch (relation.identity()) {
                            case DEFAULT -> 'd';
                            case NOTHING -> 'n';
                            case FULL -> 'f';
                            case INDEX -> 'i';
                        })
                .int16(relation.columns().size());
        relation.columns()
                .forEach(column -> bytes.int8(column.partOfIdentity() ? 1 : 0)
                        .text(column.name())
                        .int32(column.typeOid())
                        .int32(column.typeModifier()));
        return bytes.toArray();
    }

    private static byte[] truncate(Truncate truncate) {
        MessageBytes bytes = MessageBytes.of('T')
                .int32(truncate.relationIds().size())
                .int8((truncate.cascade() ? 1 : 0) + (truncate.restartIdentity() ? 2 : 0));
        truncate.relationIds().forEach(bytes::int32);
        return bytes.toArray();
    }

    private static MessageBytes oldImage(MessageBytes bytes, OldImage before) {
        return switch (before) {
            case Absent() -> bytes;
            case PgOutputMessage.Key(Tuple columns) -> tuple(bytes, 'K', columns);
            case FullRow(Tuple columns) -> tuple(bytes, 'O', columns);
        };
    }

    private static MessageBytes tuple(MessageBytes bytes, char marker, Tuple tuple) {
        bytes.int8(marker).int16(tuple.size());
        for (int column = 0; column < tuple.size(); column++) {
            switch (tuple.kind(column)) {
                case NULL -> bytes.int8('n');
                case UNCHANGED_TOAST -> bytes.int8('u');
                case TEXT ->
                    bytes.int8('t')
                            .int32(tuple.length(column))
                            .raw(tuple.buffer(), tuple.start(column), tuple.length(column));
            }
        }
        return bytes;
    }
}
