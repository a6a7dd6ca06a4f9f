package tidemark.delivery;

import java.util.Optional;
import tidemark.replication.WalRoom;

/**
 * Whether the slot can be held while a table is read again: what it holds back beyond {@code max_slot_wal_keep_size}
 * PostgreSQL removes, and all tables are lost with it. Pure.
 */
final class WalGuard {
    /** What is held back is read once more at the end, while more is written: it begins with half of the room left. */
    private static final int TO_BEGIN = 2;

    /** To come back is to read the other three quarters, which the stream does faster than they were written. */
    private static final int TO_GO_ON = 4;

    private WalGuard() {}

    static Optional<SessionOver> tooLittleToBegin(Optional<WalRoom> room) {
        return room.filter(of -> of.leftBytes() < of.limitBytes() / TO_BEGIN).map(WalGuard::tooLittle);
    }

    static Optional<SessionOver> tooLittleToGoOn(Optional<WalRoom> room) {
        return room.filter(of -> of.leftBytes() < of.limitBytes() / TO_GO_ON).map(WalGuard::tooLittle);
    }

    private static SessionOver tooLittle(WalRoom room) {
        return new SessionOver(Failure.peer(
                "the slot may hold back %d bytes of WAL more (max_slot_wal_keep_size is %d), and is lost after that"
                        .formatted(Math.max(0, room.leftBytes()), room.limitBytes()),
                "Raise max_slot_wal_keep_size, or ask again when the lag is small and little is written."));
    }
}
