package tidemark.replication;

import java.time.Duration;

/**
 * Decides when a status reply goes out, when it asks for an answer (a ping), and when a silent server is given up.
 * Units are nanoseconds of the caller's clock.
 *
 * <p><b>Silence is only what was listened to.</b> Under back-pressure the caller stops polling for long; what the
 * server sent meanwhile waits in the socket, so the time says nothing about it. Between two heartbeats silence
 * therefore grows only if {@code poll()} looked in that time and found the socket empty, and then by at most one
 * interval, so that a frozen process does not wake up to a server it believes dead. Anything read ends the silence.
 *
 * <p>After one interval of silence a ping goes out, then one per interval. The limit is at least three intervals, so at
 * least two pings were unanswered when it is passed. Without pings a healthy idle server may be silent for half its
 * timeout.
 *
 * <p>Owned by the streaming thread. A crash loses nothing.
 */
final class StatusClock {
    enum Due {
        NOTHING,
        STATUS,
        PING,
        GIVE_UP
    }

    /** A position that moves with every small transaction is told ten times a second, not a thousand times. */
    static final Duration COALESCED = Duration.ofMillis(100);

    private static final Duration PATIENCE_WITHOUT_TIMEOUT = Duration.ofSeconds(60);

    private final long intervalNanos;
    private final long limitNanos;
    private boolean begun;
    private boolean heard;
    private boolean foundEmpty;
    private boolean replyRequested;
    private boolean confirmedMoved;
    private long lastHeartbeat;
    private long lastStatus;
    private long lastPing;
    private long silentNanos;

    /** @param walSenderTimeout the server's, 0 when it is switched off */
    StatusClock(Duration walSenderTimeout) {
        this.intervalNanos = StandbyStatus.interval(walSenderTimeout).toNanos();
        Duration patience = walSenderTimeout.isZero() ? PATIENCE_WITHOUT_TIMEOUT : walSenderTimeout;
        this.limitNanos = Math.max(patience.toNanos(), 3 * intervalNanos);
    }

    void heard() {
        heard = true;
    }

    void foundEmpty() {
        foundEmpty = true;
    }

    void replyRequested() {
        replyRequested = true;
    }

    void confirmedMoved() {
        confirmedMoved = true;
    }

    Duration interval() {
        return Duration.ofNanos(intervalNanos);
    }

    Duration silenceLimit() {
        return Duration.ofNanos(limitNanos);
    }

    /** What to do now. Says STATUS or PING only once: the caller sends it. */
    Due due(long nanos) {
        if (!begun) return first(nanos);
        listen(nanos);
        if (silentNanos > limitNanos) return Due.GIVE_UP;
        if (silentNanos >= intervalNanos && nanos - lastPing >= intervalNanos) return ping(nanos);
        long sinceStatus = nanos - lastStatus;
        boolean due = replyRequested
                || sinceStatus >= intervalNanos
                || (confirmedMoved && sinceStatus >= COALESCED.toNanos());
        return due ? status(nanos) : Due.NOTHING;
    }

    /**
     * The first reply goes out at once: a slot that fell back while nobody was connected must not stay back while idle.
     */
    private Due first(long nanos) {
        begun = true;
        lastHeartbeat = nanos;
        lastPing = nanos;
        return status(nanos);
    }

    private void listen(long nanos) {
        if (heard) silentNanos = 0;
        else if (foundEmpty) silentNanos += Math.min(nanos - lastHeartbeat, intervalNanos);
        heard = false;
        foundEmpty = false;
        lastHeartbeat = nanos;
    }

    private Due ping(long nanos) {
        lastPing = nanos;
        status(nanos);
        return Due.PING;
    }

    private Due status(long nanos) {
        lastStatus = nanos;
        replyRequested = false;
        confirmedMoved = false;
        return Due.STATUS;
    }
}
