package tidemark.delivery;

import tidemark.decode.Lsn;
import tidemark.decode.PgOutputDecoder;
import tidemark.decode.PgOutputMessage;
import tidemark.replication.ChangeSource;
import tidemark.replication.ForwardingSession;
import tidemark.replication.ForwardingSource;
import tidemark.replication.SourceSession;

/**
 * A source whose stream ends at one position: it brings every transaction that ends at or before it and nothing of the
 * next one, and says once that it came so far. What drains then has delivered exactly what a snapshot at that position
 * shows.
 *
 * <p>A transaction ends past the position exactly when its commit record does not start before it, and BEGIN tells
 * where that is (delivery-rules.md R9). Nothing is sent in any other order.
 */
final class HaltingSource extends ForwardingSource {
    private static final byte BEGIN = 'B';
    private static final byte COMMIT = 'C';

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

    private void halt() {
        if (halted) return;
        halted = true;
        reached.run();
    }

    @Override
    public SourceSession open() {
        return new Session(super.open());
    }

    private final class Session extends ForwardingSession {
        private final PgOutputDecoder decoder = new PgOutputDecoder();
        private boolean insideTransaction;

        Session(SourceSession session) {
            super(session);
        }

        @Override
        public Received poll() {
            if (halted) return new Received.Nothing();
            Received next = super.poll();
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
    }
}
