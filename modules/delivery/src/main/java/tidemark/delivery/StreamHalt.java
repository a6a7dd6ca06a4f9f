package tidemark.delivery;

import java.util.Optional;
import java.util.function.Supplier;
import tidemark.decode.Lsn;
import tidemark.decode.PgOutputDecoder;
import tidemark.decode.PgOutputMessage;
import tidemark.replication.SourceSession.Received;

/**
 * Where the reading of one stream stands still: between two transactions, at once or at one position. Before it stands
 * at a position, every transaction that ends at or before it was read, and nothing of the next one.
 *
 * <p>A transaction ends past the position exactly when its commit record does not start before it, and BEGIN tells
 * where that is (delivery-rules.md R9). What was read too far is given out when reading goes on: nothing is lost, and
 * nothing comes in another order. Every message of the stream goes through {@link #poll}. Owned by the reading thread.
 */
final class StreamHalt {
    private static final byte BEGIN = 'B';
    private static final byte COMMIT = 'C';

    private sealed interface State {
        record Flowing() implements State {}

        /** To the end of the open transaction, if one is open. */
        record ToBoundary() implements State {}

        record UpTo(Lsn at) implements State {}

        record Standing() implements State {}
    }

    private final PgOutputDecoder decoder = new PgOutputDecoder();
    private boolean insideTransaction;
    private Optional<Received> kept = Optional.empty();
    private State state = new State.Flowing();

    /** Reads nothing more once no transaction is open. */
    void atBoundary() {
        state = insideTransaction ? new State.ToBoundary() : new State.Standing();
    }

    /** Reads up to there and then nothing more; {@code at} is not before what was read. */
    void upTo(Lsn at) {
        state = new State.UpTo(at);
    }

    void release() {
        state = new State.Flowing();
    }

    /** Nothing more is read. */
    boolean stands() {
        return state instanceof State.Standing;
    }

    /** The next message; where it comes to stand at a position, a keepalive of just that. */
    Received poll(Supplier<Received> stream) {
        if (stands()) return new Received.Nothing();
        Received next = kept.orElseGet(stream);
        kept = Optional.empty();
        if (state instanceof State.UpTo(Lsn at) && liesBeyond(next, at)) {
            kept = Optional.of(next);
            state = new State.Standing();
            return new Received.Keepalive(at);
        }
        if (next instanceof Received.WalMessage message) follow(message);
        return next;
    }

    private void follow(Received.WalMessage message) {
        switch (message.buffer()[message.offset()]) {
            case BEGIN -> insideTransaction = true;
            case COMMIT -> {
                insideTransaction = false;
                if (state instanceof State.ToBoundary) state = new State.Standing();
            }
            default -> {} // within a transaction, or about none
        }
    }

    private boolean liesBeyond(Received next, Lsn at) {
        return switch (next) {
            case Received.Nothing _ -> false;
            case Received.WalMessage message ->
                message.buffer()[message.offset()] == BEGIN
                        && decoder.decode(message.buffer(), message.offset(), message.length())
                                instanceof PgOutputMessage.Begin begin
                        && !at.isAfter(begin.commitLsn());
            // In the middle of a transaction one may tell of a position behind its end.
            case Received.Keepalive(Lsn walEnd) -> !insideTransaction && !at.isAfter(walEnd);
        };
    }
}
