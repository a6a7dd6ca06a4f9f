package tidemark.delivery;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import tidemark.decode.Lsn;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.RelationName;
import tidemark.replication.ChangeSource;
import tidemark.replication.SlotStatus;
import tidemark.replication.SourceFailure;
import tidemark.replication.SourceSession;
import tidemark.replication.TableEdition;

/**
 * A PostgreSQL server with one slot (postgres.md): the confirmed position stands in memory and, older, on disk; the
 * walsender that holds the slot may outlive its client.
 */
final class SimPostgres implements ChangeSource {
    /** What {@code wal_sender_timeout} is by default. */
    static final long WALSENDER_TIMEOUT = 60 * SimTime.SECOND;

    /** Of the changes of a transaction. */
    private static final int TRUNCATES_ONE_IN = 10;

    private enum Slot {
        MISSING,
        HALF_MADE,
        USABLE
    }

    final SimWorld world;
    final SimWal wal = new SimWal();
    final List<SimTable> tables = new ArrayList<>();
    private final Set<Lsn> boundaries = new HashSet<>();
    /** Of so many tables, the first ones, rows are written. */
    private final int written;

    private Slot slot = Slot.MISSING;
    private boolean heldBack;
    private Lsn confirmed = Lsn.ZERO;
    private Lsn onDisk = Lsn.ZERO;
    private Optional<SimSourceSession> holder = Optional.empty();
    /** Ends the newest connection that copies. */
    private Optional<Runnable> reader = Optional.empty();

    private int pids = 100;
    private long downUntil;
    private long flappingUntil;
    private long versions;
    /** Of a hundred updates so many do not touch the large value. */
    private int leavesAlone = 50;

    private boolean truncates;

    private Optional<SimPromises> promises = Optional.empty();

    SimPostgres(SimWorld world, int tableCount) {
        this.world = world;
        this.written = tableCount;
        for (int i = 0; i < tableCount; i++) tables.add(SimTable.any(i, world));
        if (world.keyless.nextInt(4) == 0) tables.add(SimTable.keyless(tableCount, world));
    }

    /** Transactions have TRUNCATEs among their changes. */
    void truncatesNowAndThen() {
        truncates = true;
    }

    boolean isTruncating() {
        return truncates;
    }

    /** Whatever leaves a large value alone is refused before long. */
    void seldomLeavesAlone() {
        leavesAlone = 15;
    }

    /** Who watches what its sessions do. */
    void watchedBy(SimPromises watching) {
        promises = Optional.of(watching);
    }

    void tell(Consumer<SimPromises> what) {
        promises.ifPresent(what);
    }

    // ---- what others do to it

    /** One transaction of so many changes of rows. */
    void commit(int changes) {
        if (world.chance(0.6)) wal.skip(64L * changes); // else its rows were logged before somebody else's
        SimTable one = tables.get(world.dice.nextInt(written));
        boolean several = world.chance(0.5);
        List<SimWal.Step> done = new ArrayList<>();
        for (int i = 0; i < changes; i++) {
            SimTable table = several ? tables.get(world.dice.nextInt(written)) : one;
            if (truncates && world.truncates.nextInt(TRUNCATES_ONE_IN) == 0)
                emptied(wal.nextEnd()).ifPresent(done::add);
            if (table.deferrable && world.values.nextInt(3) == 0) done.addAll(meeting(table, wal.nextEnd()));
            else done.add(change(table, wal.nextEnd()));
        }
        committed(done);
    }

    private void committed(List<SimWal.Step> steps) {
        wal.commit(List.copyOf(steps));
        boundaries.add(wal.end());
        world.say("PG commit end=%s steps=%d", wal.end(), steps.size());
    }

    /** A transaction of its own, of the first table. */
    void insert(long key) {
        var row = new SimTable.Row("v" + ++versions, "b" + versions, SimTable.NULL);
        replace(Optional.empty(), Optional.of(new SimWal.Image(key, row)));
    }

    void touch(long key) {
        SimTable.Row row = tables.getFirst().row(key).orElseThrow();
        replace(
                Optional.of(new SimWal.Image(key, row)),
                Optional.of(new SimWal.Image(key, new SimTable.Row("v" + ++versions, row.big(), row.extra()))));
    }

    void changeKey(long from, long to) {
        SimTable.Row row = tables.getFirst().row(from).orElseThrow();
        replace(Optional.of(new SimWal.Image(from, row)), Optional.of(new SimWal.Image(to, row)));
    }

    void delete(long key) {
        SimTable.Row row = tables.getFirst().row(key).orElseThrow();
        replace(Optional.of(new SimWal.Image(key, row)), Optional.empty());
    }

    private void replace(Optional<SimWal.Image> before, Optional<SimWal.Image> after) {
        SimTable table = tables.getFirst();
        before.ifPresent(image -> table.remove(image.key(), wal.nextEnd()));
        after.ifPresent(image -> table.put(image.key(), image.row(), wal.nextEnd()));
        committed(List.of(new SimWal.Change(table, table.hasExtra(), before, after)));
    }

    /** Two changes of rows that for a while may have one key, or of one row that comes and goes. */
    private List<SimWal.Change> meeting(SimTable table, Lsn end) {
        long one = world.values.nextLong(1, 8);
        long other = world.values.nextLong(1, 8);
        if (one == other || table.row(one).isEmpty()) return List.of(change(table, end));
        var moved = new SimWal.Image(one, table.row(one).get());
        Optional<SimWal.Image> met = table.row(other).map(row -> new SimWal.Image(other, row));
        var there = new SimWal.Image(other, moved.row());
        var back = new SimWal.Image(one, met.orElse(moved).row());
        if (met.isPresent()) table.put(other, there.row(), end);
        table.put(one, back.row(), end);
        boolean extra = table.hasExtra();
        return List.of(
                new SimWal.Change(table, extra, Optional.of(moved), Optional.of(there)),
                new SimWal.Change(table, extra, Optional.of(met.orElse(there)), Optional.of(back)));
    }

    /** Where a row has to be sent whole, as its key changed, its large value changes, too. */
    private String big(SimTable table, Optional<SimWal.Image> before, long to) {
        boolean mayStay = before.isPresent() && (before.get().key() == to || table.identity == ReplicaIdentity.FULL);
        if (mayStay && world.values.nextInt(100) < leavesAlone)
            return before.get().row().big();
        String another = "b" + world.values.nextInt(3);
        return before.filter(image -> image.row().big().equals(another)).isPresent() ? another + "'" : another;
    }

    private SimWal.Change change(SimTable table, Lsn end) {
        long key = world.dice.nextLong(1, 8);
        Optional<SimWal.Image> before = table.row(key).map(row -> new SimWal.Image(key, row));
        if (before.isPresent() && world.chance(0.25)) {
            table.remove(key, end);
            return new SimWal.Change(table, table.hasExtra(), before, Optional.empty());
        }
        long to = before.isPresent() && world.chance(0.25) ? world.dice.nextLong(1, 8) : key;
        if (to != key && table.row(to).isPresent()) to = key;
        String extra = table.hasExtra() && world.chance(0.7) ? "x" + versions : SimTable.NULL;
        versions++;
        String v = table.deferrable ? "v" + world.values.nextInt(2) : "v" + versions;
        var row = new SimTable.Row(v, big(table, before, to), extra);
        if (to != key) table.remove(key, end);
        table.put(to, row, end);
        return new SimWal.Change(table, table.hasExtra(), before, Optional.of(new SimWal.Image(to, row)));
    }

    /** A transaction of its own. */
    void truncate() {
        emptied(wal.nextEnd()).ifPresent(emptied -> committed(List.of(emptied)));
    }

    /** One table, or, as by CASCADE, several; none while one of them is held: it would wait. */
    private Optional<SimWal.Emptied> emptied(Lsn end) {
        List<SimTable> emptied = new ArrayList<>(tables.subList(0, written));
        while (emptied.size() > 1 && world.truncates.nextInt(3) > 0) {
            emptied.remove(world.truncates.nextInt(emptied.size()));
        }
        if (emptied.stream().anyMatch(SimTable::isHeld)) return Optional.empty();
        for (SimTable table : emptied) {
            table.isWrittenAnew(end);
            List.copyOf(table.rows().keySet()).forEach(key -> table.remove(key, end));
            world.say("PG truncate %s", table.postgres);
        }
        return Optional.of(new SimWal.Emptied(List.copyOf(emptied)));
    }

    void addColumn() {
        SimTable table = tables.get(world.dice.nextInt(written));
        table.addExtra();
        somethingElse();
        world.say("PG alter %s add extra", table.postgres);
    }

    /** Other tables' and databases' WAL. */
    void somethingElse() {
        wal.skip(8 * world.between(1, 40));
        boundaries.add(wal.end());
    }

    /** A checkpoint may write the slot. */
    void persistSlot() {
        onDisk = confirmed;
    }

    void restart(long downFor) {
        world.say("PG restart, slot %s falls back to %s", confirmed, onDisk);
        confirmed = onDisk;
        sever();
        downUntil = world.time.now() + downFor;
    }

    void sever() {
        holder.ifPresent(session -> {
            world.say("PG walsender %d killed", session.pid());
            session.severed();
        });
        holder = Optional.empty();
        reader.ifPresent(Runnable::run);
    }

    /** A connection that copies, and how it ends. */
    void reads(Runnable end) {
        reader = Optional.of(end);
    }

    /** Until then every stream dies as soon as it has begun. */
    void flapUntil(long nanos) {
        flappingUntil = nanos;
        sever();
    }

    boolean isFlapping() {
        return world.time.now() < flappingUntil;
    }

    /** Returns whether it is now ahead of where we left it. */
    boolean moveSlot() {
        if (slot != Slot.USABLE || !wal.end().isAfter(confirmed)) return false;
        sever();
        confirmed = wal.end();
        onDisk = confirmed;
        world.say("PG slot advanced to %s by somebody else", confirmed);
        return true;
    }

    // ---- what sessions see of it

    void requireUp(String attempted) {
        if (world.time.now() < downUntil) throw broken(attempted);
    }

    static SourceFailure broken(String attempted) {
        return new SourceFailure(SourceFailure.Kind.TRANSIENT, attempted + ": the connection is gone", "wait");
    }

    @Override
    public SourceSession open() {
        world.spend(world.shortly());
        requireUp("open");
        world.passed(SimPoint.SESSION_OPENED);
        return new SimSourceSession(this, ++pids);
    }

    @Override
    public SlotStatus slot() {
        world.spend(world.shortly());
        return look();
    }

    SlotStatus look() {
        requireUp("look at the slot");
        return switch (slot) {
            case MISSING -> new SlotStatus.Missing();
            case HALF_MADE -> new SlotStatus.HalfMade();
            case USABLE ->
                new SlotStatus.Usable(
                        confirmed,
                        onDisk,
                        holder.map(session -> OptionalInt.of(session.pid())).orElse(OptionalInt.empty()));
        };
    }

    @Override
    public Lsn walEnd() {
        world.spend(world.shortly());
        requireUp("ask the end of WAL");
        return wal.end();
    }

    @Override
    public List<TableEdition> editions(List<RelationName> names) {
        requireUp("look at the catalog");
        return tables.stream()
                .filter(table -> names.contains(table.postgres))
                .map(SimTable::edition)
                .toList();
    }

    @Override
    public void close() {}

    /**
     * Half made while it waits for older transactions, and for ever if whoever made it dies meanwhile; no more there
     * when patience with them is over.
     */
    Lsn createSlot(SimSourceSession by) {
        if (slot == Slot.USABLE) throw new SourceFailure(SourceFailure.Kind.PERMANENT, "create a slot twice", "none");
        slot = Slot.HALF_MADE;
        boolean waits = world.mischief(0.1);
        world.spend(waits ? world.between(SimTime.SECOND, 20 * SimTime.SECOND) : world.shortly());
        by.requireConnected("create a slot");
        if (heldBack || (waits && world.mischief(0.3))) {
            slot = Slot.MISSING;
            throw new SourceFailure(SourceFailure.Kind.TRANSIENT, "create a slot: waited for too long", "none");
        }
        slot = Slot.USABLE;
        somethingElse();
        confirmed = wal.end();
        onDisk = confirmed;
        boundaries.add(confirmed);
        world.say("PG slot created at %s", confirmed);
        world.passed(SimPoint.SLOT_MADE);
        world.breathe();
        return confirmed;
    }

    /** Whether a transaction is open that no slot outwaits. */
    void holdBackSlots(boolean open) {
        heldBack = open;
    }

    void dropSlot() {
        slot = Slot.MISSING;
    }

    boolean isHeldBy(SimSourceSession session) {
        return holder.filter(current -> current == session).isPresent();
    }

    /** Where the slot stands once it is the session's. */
    Lsn hold(SimSourceSession session) {
        if (slot != Slot.USABLE) throw new SourceFailure(SourceFailure.Kind.SLOT_LOST, "start: no slot", "none");
        if (holder.isPresent()) {
            throw new SourceFailure(
                    SourceFailure.Kind.SLOT_BUSY,
                    "start: held by " + holder.get().pid(),
                    "wait");
        }
        holder = Optional.of(session);
        return confirmed;
    }

    void letGo(SimSourceSession session) {
        if (isHeldBy(session)) holder = Optional.empty();
    }

    /** A status reply arrived. */
    void confirm(SimSourceSession by, Lsn flushed) {
        if (!isHeldBy(by) || !flushed.isAfter(confirmed)) return;
        confirmed = flushed;
        world.say("PG confirmed_flush %s", confirmed);
        world.passed(SimPoint.STATUS_STORED);
    }

    Lsn confirmed() {
        return confirmed;
    }

    boolean hasSlot() {
        return slot == Slot.USABLE;
    }

    /** Whether a transaction ends there, or everything below was all there was at some time. */
    boolean isBoundary(Lsn position) {
        return boundaries.contains(position);
    }
}
