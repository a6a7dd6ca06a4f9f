package tidemark.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.replication.ChangeSource;
import tidemark.replication.SlotStatus;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceIdentity;
import tidemark.replication.SourceSession;
import tidemark.replication.TableEdition;
import tidemark.replication.TypeShape;

/**
 * Notes when the first session begins to stream, before it does: the server decodes from then on, while the connector
 * still looks at its slot. Otherwise the source that it was given.
 */
final class ClockedSource implements ChangeSource {
    /** @param cpu of this process until then */
    record Moment(Instant at, Duration cpu) {
        static Moment now() {
            return new Moment(Instant.now(), Figures.cpuOfThisProcess());
        }
    }

    private final ChangeSource source;
    private volatile Optional<Moment> started = Optional.empty();

    ClockedSource(ChangeSource source) {
        this.source = source;
    }

    /** From any thread. */
    Optional<Moment> started() {
        return started;
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

        Session(SourceSession session) {
            this.session = session;
        }

        @Override
        public Lsn start() {
            if (started.isEmpty()) started = Optional.of(Moment.now());
            return session.start();
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
}
