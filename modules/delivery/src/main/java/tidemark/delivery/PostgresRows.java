package tidemark.delivery;

import java.util.Optional;
import tidemark.decode.Tuple;
import tidemark.delivery.ComparableForm.Wording;
import tidemark.replication.Snapshot;
import tidemark.replication.TableCopy;

/**
 * PostgreSQL's rows as they would be sent: copied under a snapshot in the order of Feldera's key, and through the same
 * encoder as every other row, so that what the value policy makes of a value is what Feldera must have.
 */
final class PostgresRows extends SortedRows {
    private static final byte[] NOTHING = {};
    private static final byte[] INSERT = RowBytes.ascii("\"insert\"");

    private final TableCopy copy;
    private final RowEncoder encoder;
    private final KeyHash keyHash;
    private final RowBytes encoded = new RowBytes(0);
    private final JsonCursor cursor = new JsonCursor();

    PostgresRows(ComparedTable table, Snapshot snapshot, RowPolicy policy) {
        super(table);
        this.encoder = table.plan().copyEncoder(policy);
        this.keyHash = table.keyHash();
        this.copy = snapshot.copy(table.plan().shape(), table.sourceOrder());
    }

    @Override
    boolean read(ComparedRow into) {
        Optional<Tuple> tuple = copy.next();
        if (tuple.isEmpty()) return false;
        encoded.clear();
        insert(tuple.get());
        cursor.read(encoded.array(), 0, encoded.length());
        try {
            cursor.expect('[');
            cursor.expect('{');
            if (!cursor.takeWord(INSERT)) throw new UnreadableValue("an insert");
            cursor.expect(':');
            into.read(cursor, Wording.INGRESS);
        } catch (UnreadableValue unreadable) {
            throw new InvariantViolation("%s: what was encoded cannot be read: %s"
                    .formatted(table.plan().label(), unreadable.what()));
        }
        return true;
    }

    private void insert(Tuple row) {
        try {
            encoder.insert(row, encoded);
        } catch (RowRefused refused) {
            throw Session.ofCopied(refused.ofRow(keyHash.of(row)));
        }
    }

    /** Appends the operation that puts the row there which was read last. */
    void putInsert(RowBytes body) {
        body.beginOperation(NOTHING);
        body.put(encoded.array(), 1, encoded.length() - 2);
    }

    @Override
    RuntimeException disordered(boolean sameKey) {
        return new RowRefused(
                sameKey
                        ? new Finding(
                                table.plan().label(),
                                "PostgreSQL has two rows under one key of Feldera's table",
                                "give Feldera's table a PRIMARY KEY that is unique in PostgreSQL")
                        : new Finding(
                                table.plan().label(),
                                "PostgreSQL does not sort it by Feldera's key as Feldera does, so it cannot be compared",
                                "report this with the types of the key and the encoding of the database"));
    }

    @Override
    public void close() {
        copy.close();
    }
}
