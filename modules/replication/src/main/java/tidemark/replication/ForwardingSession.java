package tidemark.replication;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;

/** Another session, but for what a subclass does differently. Its threads are that one's. */
public abstract class ForwardingSession implements SourceSession {
    private final SourceSession session;

    /** @param session asked for everything */
    protected ForwardingSession(SourceSession session) {
        this.session = session;
    }

    @Override
    public SourceIdentity identity() {
        return session.identity();
    }

    @Override
    public SlotStatus slot() {
        return session.slot();
    }

    @Override
    public Publication publication() {
        return session.publication();
    }

    @Override
    public TypeShape type(int oid, int modifier) {
        return session.type(oid, modifier);
    }

    @Override
    public TypeShape typeNow(int oid, int modifier) {
        return session.typeNow(oid, modifier);
    }

    @Override
    public List<TableShape.UniqueKey> uniqueKeysNow(int oid) {
        return session.uniqueKeysNow(oid);
    }

    @Override
    public void awaitVisible(int xid) {
        session.awaitVisible(xid);
    }

    @Override
    public Snapshot createSlot() {
        return session.createSlot();
    }

    @Override
    public Lsn createSlotWithoutSnapshot() {
        return session.createSlotWithoutSnapshot();
    }

    @Override
    public Snapshot snapshotBesideSlot() {
        return session.snapshotBesideSlot();
    }

    @Override
    public Optional<String> waitsFor() {
        return session.waitsFor();
    }

    @Override
    public void dropSlot() {
        session.dropSlot();
    }

    @Override
    public Lsn start() {
        return session.start();
    }

    @Override
    public boolean holdsSlot() {
        return session.holdsSlot();
    }

    @Override
    public Duration statusInterval() {
        return session.statusInterval();
    }

    @Override
    public Received poll() {
        return session.poll();
    }

    @Override
    public void positions(Lsn received, Lsn confirmed) {
        session.positions(received, confirmed);
    }

    @Override
    public void heartbeat(long nanos) {
        session.heartbeat(nanos);
    }

    @Override
    public long statusReplies() {
        return session.statusReplies();
    }

    @Override
    public void finish() {
        session.finish();
    }

    @Override
    public void close() {
        session.close();
    }
}
