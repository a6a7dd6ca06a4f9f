package tidemark.delivery;

import tidemark.decode.Lsn;
import tidemark.replication.ChangeSource;
import tidemark.replication.ForwardingSession;
import tidemark.replication.ForwardingSource;
import tidemark.replication.SourceSession;

/**
 * A source whose stream ends at one position: it brings every transaction that ends at or before it and nothing of the
 * next one ({@link StreamHalt}), and says once that it came so far. What drains then has delivered exactly what a
 * snapshot at that position shows.
 */
final class HaltingSource extends ForwardingSource {
    private final Lsn at;
    private final Runnable reached;
    private volatile boolean halted;

    /** @param reached called on the session's thread, once */
    HaltingSource(ChangeSource source, Lsn at, Runnable reached) {
        super(source);
        this.at = at;
        this.reached = reached;
    }

    /** Whether everything up to the position has been brought. From any thread. */
    boolean isHalted() {
        return halted;
    }

    @Override
    public SourceSession open() {
        return new Session(super.open());
    }

    private final class Session extends ForwardingSession {
        private final StreamHalt halt = new StreamHalt();

        Session(SourceSession session) {
            super(session);
            halt.upTo(at);
        }

        @Override
        public Received poll() {
            if (halted) return new Received.Nothing();
            Received next = halt.poll(super::poll);
            if (halt.stands()) {
                halted = true;
                reached.run();
            }
            return next;
        }
    }
}
