package tidemark.replication;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import tidemark.decode.Lsn;

/**
 * What a consumer tells the server: everything below {@code received} was written, everything below {@code confirmed}
 * may be forgotten. Only the latter moves the slot.
 *
 * <p>Source: PostgreSQL documentation, "Streaming Replication Protocol", "Standby status update".
 */
record StandbyStatus(Lsn received, Lsn confirmed, Instant at, boolean replyRequested) {
    static final int BYTES = 1 + 4 * Long.BYTES + 1;

    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

    byte[] encoded() {
        return ByteBuffer.allocate(BYTES)
                .put((byte) 'r')
                .putLong(received.value())
                .putLong(confirmed.value()) // flushed
                .putLong(confirmed.value()) // applied
                .putLong(ChronoUnit.MICROS.between(EPOCH, at))
                .put((byte) (replyRequested ? 1 : 0))
                .array();
    }

    /**
     * A third of the server's patience, so that two replies may be late; within 500 ms and 10 s. 0 switches patience
     * off.
     */
    static Duration interval(Duration walSenderTimeout) {
        if (walSenderTimeout.isZero()) return Duration.ofSeconds(10);
        long millis = Math.clamp(walSenderTimeout.toMillis() / 3, 500, 10_000);
        return Duration.ofMillis(millis);
    }
}
