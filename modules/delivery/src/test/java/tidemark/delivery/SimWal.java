package tidemark.delivery;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;

/**
 * Write-ahead log as a walsender sees it: transactions of the published tables in the order of their commits, and how
 * pgoutput spells them (PostgreSQL documentation, "Logical Replication Message Formats").
 */
final class SimWal {
    /** What one transaction did, in its order. */
    sealed interface Step permits Change, Emptied {}

    /** These tables are truncated by one statement. */
    record Emptied(List<SimTable> tables) implements Step {}

    /** What one transaction did to one row; {@code withExtra}: the shape of the table then. */
    record Change(SimTable table, boolean withExtra, Optional<Image> before, Optional<Image> after) implements Step {
        boolean movesKey() {
            return before.isPresent()
                    && after.isPresent()
                    && before.get().key() != after.get().key();
        }

        /** An update that does not send its large value. */
        boolean leavesBig() {
            return before.isPresent()
                    && after.isPresent()
                    && before.get().row().big().equals(after.get().row().big());
        }

        /** What it counts for in Feldera. */
        int operations() {
            return movesKey() ? 2 : 1;
        }
    }

    record Image(long key, SimTable.Row row) {}

    record Transaction(Lsn commitLsn, Lsn endLsn, List<Step> steps) {}

    private static final int COMMIT_BYTES = 48;
    private static final Lsn BEGINNING = new Lsn(0x16_0000_1000L);

    private final List<Transaction> transactions = new ArrayList<>();
    private Lsn end = BEGINNING;

    Lsn end() {
        return end;
    }

    int size() {
        return transactions.size();
    }

    Transaction get(int index) {
        return transactions.get(index);
    }

    /** Where the last published transaction ends. */
    Lsn lastEnd() {
        return transactions.isEmpty() ? BEGINNING : transactions.getLast().endLsn();
    }

    /** WAL that this publication has nothing of. */
    void skip(long bytes) {
        end = new Lsn(end.value() + bytes);
    }

    /** Where a transaction ends whose commit record comes next. */
    Lsn nextEnd() {
        return new Lsn(end.value() + COMMIT_BYTES);
    }

    /** Its rows were logged before: only its commit record comes next. */
    void commit(List<Step> steps) {
        transactions.add(new Transaction(end, nextEnd(), steps));
        end = nextEnd();
    }

    static byte[] begin(Transaction transaction) {
        return new Message('B')
                .int64(transaction.commitLsn().value())
                .int64(0)
                .int32(7)
                .bytes();
    }

    static byte[] committed(Transaction transaction) {
        return new Message('C')
                .int8(0)
                .int64(transaction.commitLsn().value())
                .int64(transaction.endLsn().value())
                .int64(0)
                .bytes();
    }

    static byte[] relation(SimTable table, boolean withExtra) {
        boolean full = table.identity == ReplicaIdentity.FULL;
        Message message = new Message('R')
                .int32(table.oid)
                .name(table.postgres.schema())
                .name(table.postgres.table())
                .int8(full ? 'f' : 'd')
                .int16(withExtra ? SimTable.WITH_EXTRA : SimTable.WITH_EXTRA - 1)
                .column(true, "id", 20)
                .column(full, "v", SimTable.TEXT)
                .column(full, "big", SimTable.TEXT);
        return (withExtra ? message.column(full, "extra", SimTable.TEXT) : message).bytes();
    }

    static byte[] truncate(Emptied emptied) {
        Message message = new Message('T').int32(emptied.tables().size()).int8(0);
        emptied.tables().forEach(table -> message.int32(table.oid));
        return message.bytes();
    }

    static byte[] change(Change change) {
        if (change.before().isEmpty()) {
            return new Message('I')
                    .int32(change.table().oid)
                    .tuple('N', change, change.after().orElseThrow(), false)
                    .bytes();
        }
        Message message = new Message(change.after().isPresent() ? 'U' : 'D').int32(change.table().oid);
        if (change.table().identity == ReplicaIdentity.FULL)
            message.tuple('O', change, change.before().get(), false);
        else if (change.movesKey() || change.after().isEmpty())
            message.tuple('K', change, change.before().get(), true);
        change.after().ifPresent(after -> message.tuple('N', change, after, false));
        return message.bytes();
    }

    private static final class Message {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream(64);

        Message(char kind) {
            out.write(kind);
        }

        Message int8(int value) {
            out.write(value);
            return this;
        }

        Message int16(int value) {
            return int8(value >> 8).int8(value);
        }

        Message int32(int value) {
            return int16(value >> 16).int16(value);
        }

        Message int64(long value) {
            return int32((int) (value >> 32)).int32((int) value);
        }

        Message name(String text) {
            out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
            return int8(0);
        }

        Message column(boolean key, String name, int type) {
            return int8(key ? 1 : 0).name(name).int32(type).int32(-1);
        }

        Message tuple(char kind, Change change, Image image, boolean keyOnly) {
            int8(kind).int16(change.withExtra() ? SimTable.WITH_EXTRA : SimTable.WITH_EXTRA - 1);
            value(Long.toString(image.key()));
            value(keyOnly ? SimTable.NULL : image.row().v());
            if (kind == 'N' && change.leavesBig()) int8('u');
            else value(keyOnly ? SimTable.NULL : image.row().big());
            return change.withExtra()
                    ? value(keyOnly ? SimTable.NULL : image.row().extra())
                    : this;
        }

        private Message value(String text) {
            if (text.equals(SimTable.NULL)) return int8('n');
            byte[] value = text.getBytes(StandardCharsets.US_ASCII);
            int8('t').int32(value.length);
            out.writeBytes(value);
            return this;
        }

        byte[] bytes() {
            return out.toByteArray();
        }
    }
}
