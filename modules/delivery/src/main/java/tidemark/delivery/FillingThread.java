package tidemark.delivery;

import java.util.Optional;

/**
 * Lets a {@link BodySource} be closed while another thread fills a body from it: an interrupt ends whatever that thread
 * waits for, and it is that thread which then lets go of what it reads.
 */
final class FillingThread {
    /** Guarded by this, as is {@link #closed}. */
    private Optional<Thread> filler = Optional.empty();

    private boolean closed;

    synchronized void begins() {
        if (closed) throw new IllegalStateException("closed before it began");
        filler = Optional.of(Thread.currentThread());
    }

    /** @param letGo closes what is read, if it was closed meanwhile */
    synchronized void ends(Runnable letGo) {
        filler = Optional.empty();
        if (closed) letGo.run();
    }

    /** By any thread. */
    synchronized void close(Runnable letGo) {
        closed = true;
        if (filler.isPresent()) filler.get().interrupt();
        else letGo.run();
    }
}
