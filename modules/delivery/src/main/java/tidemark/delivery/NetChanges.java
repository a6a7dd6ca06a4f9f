package tidemark.delivery;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.PgOutputMessage.Absent;
import tidemark.decode.PgOutputMessage.FullRow;
import tidemark.decode.PgOutputMessage.OldImage;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.Tuple;
import tidemark.sink.FelderaName;

/**
 * Decides what a transaction amounts to in a table whose keys may meet: where two rows may have one key until the
 * transaction ends, a delete that comes after an insert need not be about the row that the insert put there
 * (docs/adr/0013). Keeps apart, per key, the row from before the transaction and the rows that came under the key
 * since; what is sent is the last of those that stays, or a delete, or nothing.
 *
 * <p>What it sends is a function of the transaction alone, not of batches or of Feldera. It is right or refused by
 * name: a transaction may outgrow the bounds, and then some of what is needed to decide is gone.
 *
 * <p>Bounds: {@link #HELD_BYTES} and one more row are held whole, and {@link #REMEMBERED_BYTES} of keys that were sent.
 * Each is what a batch has by default, and no setting: what is sent may not depend on how. Empty between transactions.
 * Owned by the delivery loop; a crash loses it, and the transaction is read again from its beginning.
 */
final class NetChanges {
    static final long HELD_BYTES = 16 << 20;
    private static final long REMEMBERED_BYTES = 16 << 20;
    /** Of a key, beside its own bytes and those of its rows: a map's entry, the place, its list, a row, a digest. */
    static final int PLACE_BYTES = 250;

    /** A row of this transaction that is under a key. */
    private sealed interface Row {
        /** @param insert the operation that puts it there */
        record Held(byte[] insert) implements Row {}

        /** @param number of the sending under this key: what was sent later has replaced it */
        record Sent(Digest digest, int number) implements Row {}
    }

    private record Digest(long high, long low) {
        static Digest of(byte[] insert) {
            try {
                ByteBuffer hash =
                        ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(insert));
                return new Digest(hash.getLong(), hash.getLong());
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        }
    }

    /** One key, whatever its spellings. */
    private static final class Place {
        /** The operation that removes its row, as the key was spelt first. */
        final byte[] delete;
        /** In the order in which they came. */
        final List<Row> rows = new ArrayList<>(1);
        /** Nothing that this transaction did under the key before is unknown. */
        final boolean certain;
        /** There was a row before the transaction, and it went. */
        boolean originalWent;

        int sent;

        Place(byte[] delete, boolean certain) {
            this.delete = delete;
            this.certain = certain;
        }

        /** Once the row before went, and one other came, the key is as before a transaction: it has one row. */
        boolean isBalanced() {
            return rows.isEmpty() || (rows.size() == 1 && originalWent);
        }

        /** With its name, its delete, and the rows that are not sent, or were not sent last. */
        long heldBytes(ByteBuffer name) {
            long bytes = (long) PLACE_BYTES + name.capacity() + delete.length;
            for (Row row : rows) bytes += row instanceof Row.Held(byte[] insert) ? insert.length : 0;
            return bytes;
        }
    }

    private final TablePlan plan;
    private final Optional<KeyForm> keyForm;
    private final long mostHeldBytes;
    private final long mostRememberedBytes;
    private final RowBytes scratch = new RowBytes(0);
    /**
     * The key longest untouched comes first: who comes under a key mostly follows soon upon who went, or goes before.
     */
    private final LinkedHashMap<ByteBuffer, Place> held = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<ByteBuffer, Place> remembered = new HashMap<>();
    private final ArrayDeque<byte[]> due = new ArrayDeque<>();
    private List<PgOutputMessage.Column> shape = List.of();
    private long heldBytes;
    private long rememberedBytes;
    private boolean forgetful;

    NetChanges(TablePlan plan) {
        this(plan, HELD_BYTES, REMEMBERED_BYTES);
    }

    NetChanges(TablePlan plan, long mostHeldBytes, long mostRememberedBytes) {
        this.plan = plan;
        this.keyForm = KeyForm.of(plan.feldera());
        this.mostHeldBytes = mostHeldBytes;
        this.mostRememberedBytes = mostRememberedBytes;
    }

    /** Rows of one transaction are compared with each other: they must have the same columns. */
    void learn(List<PgOutputMessage.Column> columns) {
        if (!columns.equals(shape)) requireNoRows();
        shape = List.copyOf(columns);
    }

    /** From here on rows are written anew, and are not to be compared with those before. */
    void requireNoRows() {
        boolean open = !held.isEmpty() || !remembered.isEmpty() || forgetful;
        if (!open) return;
        throw new RowRefused(new Finding(
                plan.label(),
                "%s, and the table or a type of it is altered in a transaction that changed rows of it before"
                        .formatted(mayMeet()),
                "alter it in a transaction of its own, or make the key NOT DEFERRABLE; " + Remedy.READ_AGAIN));
    }

    /** Which changes to come will be refused, whatever their values. */
    Optional<Finding> refusesChanges(ReplicaIdentity logged) {
        if (logged == ReplicaIdentity.FULL) return Optional.empty();
        return Optional.of(new Finding(
                plan.label(),
                mayMeet() + ": the first update or delete of it stops the connector, inserts arrive",
                "ALTER TABLE %s REPLICA IDENTITY FULL".formatted(SqlName.of(plan.postgres()))));
    }

    private String mayMeet() {
        return "two rows may have the same Feldera key %s for a while, as PostgreSQL does not check it row by row"
                .formatted(plan.feldera().primaryKey());
    }

    void insert(Tuple row, RowEncoder encoder) {
        OldImage none = new Absent();
        comes(key(row, none, encoder), whole(row, none, encoder));
        makeRoom();
    }

    void delete(OldImage before, RowEncoder encoder) {
        Tuple old = old(before, "delete");
        goes(key(old, before, encoder), whole(old, before, encoder));
        makeRoom();
    }

    void update(OldImage before, Tuple after, RowEncoder encoder) {
        Tuple old = old(before, "update");
        byte[] from = key(old, before, encoder);
        byte[] gone = whole(old, before, encoder);
        byte[] to = key(after, before, encoder);
        byte[] come = whole(after, before, encoder);
        goes(from, gone);
        comes(to, come);
        makeRoom();
    }

    FelderaName feldera() {
        return plan.feldera().name();
    }

    /** The next operation to be sent; nothing may be read before all of them are. */
    Optional<byte[]> next() {
        return Optional.ofNullable(due.poll());
    }

    boolean owes() {
        return !due.isEmpty();
    }

    /** No key has a row any more, whatever was under it: nothing of the transaction is unknown from here on. */
    void truncate() {
        held.clear();
        due.clear();
        heldBytes = 0;
        forget();
    }

    private void forget() {
        remembered.clear();
        rememberedBytes = 0;
        forgetful = false;
    }

    /** The transaction is whole. */
    void end() {
        settleUntil(0, _ -> true);
        for (Place place : remembered.values()) requireOneRow(place);
        forget();
    }

    /** A key's old image does not tell two rows under one key from each other. */
    private Tuple old(OldImage before, String operation) {
        if (before instanceof FullRow(Tuple columns)) return columns;
        throw new RowRefused(new Finding(
                plan.label(),
                "%s, and the %s does not say which of them it is about".formatted(mayMeet(), operation),
                RowRefused.fullIdentity(plan, Remedy.READ_AGAIN)));
    }

    private byte[] key(Tuple row, OldImage before, RowEncoder encoder) {
        scratch.clear();
        encoder.remove(row, before, scratch);
        return written();
    }

    private byte[] whole(Tuple row, OldImage before, RowEncoder encoder) {
        scratch.clear();
        encoder.replace(row, before, scratch);
        return written();
    }

    /** The one operation between the brackets. */
    private byte[] written() {
        return Arrays.copyOfRange(scratch.array(), 1, scratch.length() - 1);
    }

    private void comes(byte[] key, byte[] insert) {
        place(key).rows.add(new Row.Held(insert));
        heldBytes += insert.length;
    }

    /** Which of two equal rows goes makes no difference. One that did not come in this transaction was there before. */
    private void goes(byte[] key, byte[] insert) {
        Place place = place(key);
        if (takeAway(place, insert)) return;
        if (place.originalWent && place.certain) throw sameKey();
        place.originalWent = true;
    }

    private boolean takeAway(Place place, byte[] insert) {
        for (int i = place.rows.size() - 1; i >= 0; i--) {
            boolean same = switch (place.rows.get(i)) {
                case Row.Held(byte[] other) -> Arrays.equals(other, insert);
                case Row.Sent(Digest digest, int _) -> digest.equals(Digest.of(insert));
            };
            if (!same) continue;
            if (place.rows.remove(i) instanceof Row.Held(byte[] gone)) heldBytes -= gone.length;
            return true;
        }
        return false;
    }

    private Place place(byte[] key) {
        ByteBuffer name = ByteBuffer.wrap(keyForm.map(form -> form.of(key)).orElse(key));
        Place known = held.get(name);
        if (known != null) return known;
        Place place = remembered.remove(name);
        if (place == null) place = new Place(key, !forgetful);
        else rememberedBytes -= place.heldBytes(name);
        held.put(name, place);
        heldBytes += place.heldBytes(name);
        return place;
    }

    /**
     * Half of what is held goes: first the keys that are as before a transaction, of which nothing need be known any
     * more, then those that were not touched for longest.
     */
    private void makeRoom() {
        if (heldBytes < mostHeldBytes) return;
        settleUntil(mostHeldBytes / 2, Place::isBalanced);
        settleUntil(mostHeldBytes / 2, _ -> true);
        if (rememberedBytes <= mostRememberedBytes) return;
        remembered.clear();
        rememberedBytes = 0;
        forgetful = true;
    }

    private void settleUntil(long bytes, Predicate<Place> ripe) {
        Iterator<Map.Entry<ByteBuffer, Place>> eldest = held.entrySet().iterator();
        while (heldBytes > bytes && eldest.hasNext()) {
            Map.Entry<ByteBuffer, Place> entry = eldest.next();
            Place place = entry.getValue();
            if (!ripe.test(place)) continue;
            eldest.remove();
            heldBytes -= place.heldBytes(entry.getKey());
            if (place.rows.isEmpty()) settleEmpty(place);
            else settle(place);
            if (place.isBalanced()) continue;
            remembered.put(entry.getKey(), place);
            rememberedBytes += place.heldBytes(entry.getKey());
        }
    }

    private void settleEmpty(Place place) {
        if (!place.originalWent && place.sent == 0) return; // as if nothing had happened
        if (!place.originalWent) throw refused("a row left a key again after it was sent, and another may be under it");
        if (!place.certain) throw refused("a row left a key that another one may have come to before");
        due.add(place.delete);
    }

    private void settle(Place place) {
        switch (place.rows.getLast()) {
            case Row.Held(byte[] insert) -> {
                due.add(insert);
                place.sent++;
                if (!place.isBalanced()) {
                    place.rows.removeLast();
                    place.rows.add(new Row.Sent(Digest.of(insert), place.sent));
                }
            }
            case Row.Sent(Digest _, int number) -> {
                if (number < place.sent) throw refused("a row that was sent is under its key again");
            }
        }
    }

    private void requireOneRow(Place place) {
        if (place.rows.size() > 1) throw sameKey();
    }

    private RowRefused sameKey() {
        return new RowRefused(new Finding(
                plan.label(),
                "two of its rows have the same Feldera key %s, which can hold one"
                        .formatted(plan.feldera().primaryKey()),
                "declare a PRIMARY KEY in the Feldera program that is unique in PostgreSQL; " + Remedy.READ_AGAIN));
    }

    private RowRefused refused(String what) {
        return new RowRefused(new Finding(
                plan.label(),
                "%s, and in a transaction that is too large to be held %s".formatted(mayMeet(), what),
                "change fewer rows in one transaction, or make the key NOT DEFERRABLE; " + Remedy.READ_AGAIN));
    }
}
