package tidemark.standin;

import java.io.InterruptedIOException;
import java.util.EnumSet;
import java.util.Set;

/** Which directions of all connections are open. Thread safe; wakes those who wait when anything changes. */
final class WireGate {
    private final Set<Direction> stalled = EnumSet.noneOf(Direction.class);
    private boolean hole;

    /** One connection as far as the gate is concerned; guarded by the gate. */
    final class Pass {
        private boolean lost = hole;
        private boolean ended;

        /** Waits until bytes may go this way; false when the connection was ended instead. */
        boolean await(Direction direction) throws InterruptedIOException {
            synchronized (WireGate.this) {
                try {
                    while (!ended && (lost || stalled.contains(direction))) WireGate.this.wait();
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("interrupted");
                }
                return !ended;
            }
        }

        boolean isLost() {
            synchronized (WireGate.this) {
                return lost;
            }
        }

        void lose() {
            synchronized (WireGate.this) {
                lost = true;
            }
        }

        void end() {
            synchronized (WireGate.this) {
                ended = true;
                WireGate.this.notifyAll();
            }
        }
    }

    synchronized Pass pass() {
        return new Pass();
    }

    synchronized void stall(Set<Direction> directions) {
        stalled.addAll(directions);
    }

    /** For passes from now on. */
    synchronized void blackHole() {
        hole = true;
    }

    synchronized void open() {
        stalled.clear();
        hole = false;
        notifyAll();
    }
}
