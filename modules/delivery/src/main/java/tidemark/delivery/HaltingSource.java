package tidemark.delivery;

import java.time.Duration;
import java.util.List;
import tidemark.decode.Lsn;
import tidemark.decode.PgOutputDecoder;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.RelationName;
import tidemark.replication.ChangeSource;
import tidemark.replication.SlotStatus;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceIdentity;
import tidemark.replication.SourceSession;
import tidemark.replication.TableEdition;
import tidemark.replication.TypeShape;

/**
 * A source whose stream ends at one position: it brings every transaction that ends at or before it and nothing of the
 * next one, and says once that it came so far. What drains then has delivered exactly what a snapshot at that position
 * shows.
 *
 * <p>A transaction ends past the position exactly when its commit record does not start before it, and BEGIN tells
 * where that is (delivery-rules.md R9). Nothing is sent in any other order.
 */
final class HaltingSource implements ChangeSource {
    private static final byte BEGIN = 'B';
    private static final byte COMMIT = 'C';

    private final ChangeSource source;
    private final Lsn at;
    private final Runnable reached;
    private volatile boolean halted;

    /** @param reached called on the session's thread, once */
    HaltingSource(ChangeSource source, Lsn at, Runnable reached) {
        this.source = source;
        this.at = at;
        this.reached = reached;
    }

    /** Whether everything up to the position has been brought. From any thread. */
    boolean isHalted() {
        return halted;
    }

    private void halt() {
        if (halted) return;
        halted = true;
        reached.run();
    }

    @Override
    public SourceSession open() {
        return new Session(source.open());
    }

    @Override
    public SlotStatus slot() {
        return source.slot();
    }

    @Override
    public Lsn walEnd() {
        return source.walEnd();
    }

    @Override
    public List<TableEdition> editions(List<RelationName> tables) {
        return source.editions(tables);
    }

    @Override
    public void close() {
        source.close();
    }

    private final class Session implements SourceSession {
        private final SourceSession session;
        private final PgOutputDecoder decoder = new PgOutputDecoder();
        private boolean insideTransaction;

        Session(SourceSession session) {
            this.session = session;
        }

        @Override
        public Received poll() {
            if (halted) return new Received.Nothing();
            Received next = session.poll();
            boolean beyond = switch (next) {
                case Received.Nothing _ -> false;
                case Received.WalMessage message -> beginsBeyond(message);
                // In the middle of a transaction one may tell of a position behind its end.
                case Received.Keepalive(Lsn walEnd) -> !insideTransaction && !at.isAfter(walEnd);
            };
            if (!beyond) return next;
            halt();
            return new Received.Keepalive(at);
        }

        private boolean beginsBeyond(Received.WalMessage message) {
            byte kind = message.buffer()[message.offset()];
            if (kind == COMMIT) insideTransaction = false;
            if (kind != BEGIN) return false;
            insideTransaction = true;
            return decoder.decode(message.buffer(), message.offset(), message.length())
                            instanceof PgOutputMessage.Begin begin
                    && !at.isAfter(begin.commitLsn());
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
}
