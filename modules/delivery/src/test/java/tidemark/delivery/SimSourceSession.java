package tidemark.delivery;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.replication.SlotStatus;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceIdentity;
import tidemark.replication.SourceSession;
import tidemark.replication.TableShape;
import tidemark.replication.TypeShape;

/** One client of {@link SimPostgres}, and its walsender. */
final class SimSourceSession implements SourceSession {
    private static final Duration STATUS_INTERVAL = Duration.ofSeconds(10);
    /** A position that moves is told so often (the contract of {@link SourceSession#heartbeat}). */
    private static final long COALESCED = 100 * SimTime.MILLI;

    /** @param step what it tells of, if of rows */
    private record Sent(Received received, Optional<SimWal.Step> step, Lsn commitLsn) {}

    private final SimPostgres server;
    private final SimWorld world;
    private final int pid;
    private boolean connected = true;
    /** What is still on its way to the server does not arrive. */
    private boolean deaf;

    private boolean started;
    private final ArrayDeque<Sent> sending = new ArrayDeque<>();
    private final Map<SimTable, Boolean> announced = new HashMap<>();
    private int next;
    private Lsn sent = Lsn.ZERO;
    private long keepaliveAt;
    private Lsn confirmed = Lsn.ZERO;
    private boolean moved;
    private long statusAt = Long.MIN_VALUE / 2;
    private long heardAt;
    private long beatAt;
    private int writesIntoNothing;
    /** What has been sent is still on its way. */
    private long stutterUntil;

    private long replies;

    SimSourceSession(SimPostgres server, int pid) {
        this.server = server;
        this.world = server.world;
        this.pid = pid;
        if (!world.isInErrand()) server.tell(SimPromises::begins); // else it is beside the stream
    }

    int pid() {
        return pid;
    }

    /** The server or the network ended it. */
    void severed() {
        connected = false;
        deaf = true;
    }

    boolean isConnected() {
        return connected;
    }

    void requireConnected(String attempted) {
        world.breathe();
        requireConnectedNow(attempted);
    }

    /** For what an errand asks: it is not on the connector's thread, and no time passes in it. */
    void requireConnectedNow(String attempted) {
        server.requireUp(attempted);
        if (!connected) throw SimPostgres.broken(attempted);
    }

    @Override
    public SourceIdentity identity() {
        return new SourceIdentity("7000", 1, "shop", "tidemark", 16);
    }

    @Override
    public SlotStatus slot() {
        world.spend(world.shortly());
        requireConnected("look at the slot");
        SlotStatus seen = server.look();
        world.passed(SimPoint.SLOT_LOOKED);
        return seen;
    }

    @Override
    public Publication publication() {
        world.spend(world.shortly());
        requireConnected("read the publication");
        List<TableShape> shapes = server.tables.stream().map(SimTable::shape).toList();
        return new Publication("tidemark", shapes, true, true, true, true, false);
    }

    @Override
    public TypeShape type(int oid, int modifier) {
        return TableFixture.builtIn(oid, modifier);
    }

    @Override
    public TypeShape typeNow(int oid, int modifier) {
        return type(oid, modifier);
    }

    @Override
    public List<TableShape.UniqueKey> uniqueKeysNow(int oid) {
        return server.tables.stream()
                .filter(table -> table.oid == oid)
                .flatMap(table -> table.shape().uniqueKeys().stream())
                .toList();
    }

    @Override
    public void awaitVisible(int xid) {}

    @Override
    public Snapshot createSlot() {
        return new SimSnapshot(server, this, createSlotWithoutSnapshot());
    }

    @Override
    public Lsn createSlotWithoutSnapshot() {
        requireConnected("create a slot");
        return server.createSlot(this);
    }

    @Override
    public Snapshot snapshotBesideSlot() {
        world.spend(world.shortly());
        requireConnected("take a snapshot");
        boolean besideStream = world.isInErrand();
        if (besideStream && !world.isCalm() && world.resyncs.nextInt(8) == 0)
            throw SimPostgres.broken("wait for others");
        if (!besideStream || !world.isCalm()) server.somethingElse();
        return new SimSnapshot(server, this, server.wal.end());
    }

    @Override
    public Optional<String> waitsFor() {
        return Optional.empty();
    }

    @Override
    public void dropSlot() {
        server.dropSlot();
    }

    @Override
    public Lsn start() {
        world.spend(world.shortly());
        requireConnected("start");
        Lsn from = server.hold(this);
        started = true;
        beatAt = world.time.now();
        server.tell(SimPromises::streams);
        sent = from;
        next = 0;
        // A transaction is sent unless its commit record starts before the position (PostgreSQL, snapbuild.c).
        while (next < server.wal.size() && from.isAfter(server.wal.get(next).commitLsn())) next++;
        keepaliveAt = world.time.now() + world.between(0, SimTime.SECOND);
        heardAt = world.time.now();
        world.time.in(SimPostgres.WALSENDER_TIMEOUT, this::giveUpIfSilent);
        world.say("PG stream begins pid=%d slot=%s", pid, from);
        world.passed(SimPoint.STREAM_BEGUN);
        if (server.isFlapping()) world.time.in(world.between(0, 5 * SimTime.MILLI), this::flap);
        world.spend(world.shortly());
        requireConnected("start");
        return server.confirmed();
    }

    private void flap() {
        severed();
        server.letGo(this);
    }

    private void giveUpIfSilent() {
        if (!server.isHeldBy(this)) return;
        long silent = world.time.now() - heardAt;
        if (silent < SimPostgres.WALSENDER_TIMEOUT) {
            world.time.at(heardAt + SimPostgres.WALSENDER_TIMEOUT, this::giveUpIfSilent);
            return;
        }
        world.say("PG walsender %d timed out", pid);
        flap();
    }

    @Override
    public boolean holdsSlot() {
        requireConnectedNow("ask who holds the slot");
        return server.isHeldBy(this);
    }

    @Override
    public Duration statusInterval() {
        return STATUS_INTERVAL;
    }

    @Override
    public Received poll() {
        world.passed(SimPoint.MESSAGE_READ);
        world.breathe();
        if (sending.isEmpty()) {
            requireConnected("read the stream"); // what is in the socket can be read from a dead one, too
            load();
        }
        if (!sending.isEmpty() && world.time.now() >= stutterUntil) stutterUntil = world.time.now() + world.stutter();
        if (sending.isEmpty() || world.time.now() < stutterUntil) {
            world.waitFor(Math.max(world.grain, SimTime.MILLI));
            requireConnected("read the stream");
            return new Received.Nothing();
        }
        Sent first = sending.remove();
        first.step().ifPresent(step -> server.tell(promises -> promises.reads(step, first.commitLsn())));
        world.time.runUntil(world.time.now() + 5_000);
        return first.received();
    }

    /** What the walsender sends next: a transaction with what belongs to it, or a keepalive. */
    private void load() {
        if (next < server.wal.size()) {
            SimWal.Transaction transaction = server.wal.get(next++);
            if (world.chance(0.2)) keepalive(sent);
            send(SimWal.begin(transaction));
            for (SimWal.Step step : transaction.steps()) load(transaction, step);
            if (world.chance(0.1)) keepaliveInside(transaction);
            send(SimWal.committed(transaction));
            sent = transaction.endLsn();
            return;
        }
        if (world.time.now() < keepaliveAt) return;
        sent = server.wal.end();
        keepaliveAt = world.time.now() + world.between(100 * SimTime.MILLI, 8 * SimTime.SECOND);
        keepalive(sent);
    }

    /** A RELATION need not precede a TRUNCATE. */
    private void load(SimWal.Transaction transaction, SimWal.Step step) {
        byte[] message = switch (step) {
            case SimWal.Change change -> {
                announce(change.table(), change.withExtra());
                if (world.chance(0.04)) keepaliveInside(transaction);
                yield SimWal.change(change);
            }
            case SimWal.Emptied emptied -> SimWal.truncate(emptied);
        };
        sending.add(new Sent(
                new Received.WalMessage(sent, message, 0, message.length), Optional.of(step), transaction.commitLsn()));
    }

    /** The server's own position may be before, at or past the end of what the client has not yet read whole. */
    private void keepaliveInside(SimWal.Transaction transaction) {
        keepalive(
                switch (world.dice.nextInt(3)) {
                    case 0 -> sent;
                    case 1 -> transaction.endLsn();
                    default -> Lsn.later(transaction.endLsn(), server.wal.end());
                });
    }

    private void keepalive(Lsn walEnd) {
        sending.add(new Sent(new Received.Keepalive(walEnd), Optional.empty(), Lsn.ZERO));
    }

    private void announce(SimTable table, boolean withExtra) {
        Boolean known = announced.put(table, withExtra);
        if (known == null || known != withExtra) send(SimWal.relation(table, withExtra));
    }

    private void send(byte[] message) {
        sending.add(new Sent(new Received.WalMessage(sent, message, 0, message.length), Optional.empty(), Lsn.ZERO));
    }

    @Override
    public void positions(Lsn received, Lsn confirmedNow) {
        if (confirmed.isAfter(confirmedNow)) throw new IllegalArgumentException("confirmed would go back");
        if (!confirmedNow.isAfter(confirmed)) return;
        confirmed = confirmedNow;
        moved = true;
        world.say("confirms %s", confirmed);
        server.tell(promises -> promises.confirms(confirmed));
    }

    @Override
    public void heartbeat(long nanos) {
        world.breathe();
        if (!connected && ++writesIntoNothing > 1) throw SimPostgres.broken("send a status reply");
        if (!started) return;
        long before = beatAt;
        server.tell(promises -> promises.beats(before, nanos));
        beatAt = nanos;
        long since = nanos - statusAt;
        if (since < STATUS_INTERVAL.toNanos() && !(moved && since >= COALESCED)) return;
        statusAt = nanos;
        moved = false;
        replies++;
        Lsn told = confirmed;
        world.time.in(world.shortly(), () -> arrived(told));
        world.passed(SimPoint.STATUS_SENT);
        world.breathe();
    }

    private void arrived(Lsn told) {
        if (deaf) return;
        heardAt = world.time.now();
        server.confirm(this, told);
    }

    @Override
    public long statusReplies() {
        return replies;
    }

    @Override
    public void finish() {
        requireConnected("finish");
        Lsn told = confirmed;
        if (!world.mischief(0.1)) arrived(told);
        close();
    }

    /** The socket is closed; the walsender usually notices soon, and sometimes by its time-out only. */
    @Override
    public void close() {
        if (!connected) return;
        connected = false;
        deaf = world.mischief(0.5);
        if (!started) return;
        long notice = world.mischief(0.15)
                ? world.between(SimTime.SECOND, SimPostgres.WALSENDER_TIMEOUT)
                : world.between(0, 50 * SimTime.MILLI);
        world.time.in(notice, () -> server.letGo(this));
    }
}
