package tidemark.replication;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import tidemark.decode.Lsn;
import tidemark.replication.SourceFailure.Kind;
import tidemark.replication.SourceSession.Received;

/**
 * Reads one CopyData of a replication stream. Unknown kinds stop the session: skipping bytes is losing data.
 *
 * <p>Source: PostgreSQL documentation, "Streaming Replication Protocol": XLogData is 'w', start, WAL head, clock, then
 * the plugin's bytes; the primary's keepalive is 'k', position, clock, reply requested.
 */
final class WalFrame {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int XLOG_DATA_HEADER_BYTES = 1 + 3 * Long.BYTES;
    private static final int KEEPALIVE_BYTES = 1 + 2 * Long.BYTES + 1;

    private WalFrame() {}

    static Received read(byte[] frame) {
        byte kind = frame.length == 0 ? 0 : frame[0];
        if (kind == 'w' && frame.length >= XLOG_DATA_HEADER_BYTES) {
            int length = frame.length - XLOG_DATA_HEADER_BYTES;
            return new Received.WalMessage(lsn(frame, 1), frame, XLOG_DATA_HEADER_BYTES, length);
        }
        if (kind == 'k' && frame.length == KEEPALIVE_BYTES) return new Received.Keepalive(lsn(frame, 1));
        throw new SourceFailure(
                Kind.PROTOCOL,
                "read the stream: a frame of kind %d and %d bytes".formatted(kind, frame.length),
                "report it with the server's version; nothing was confirmed past it");
    }

    /** Only of a keepalive that {@link #read} accepted. */
    static boolean requestsReply(byte[] keepalive) {
        return keepalive[KEEPALIVE_BYTES - 1] != 0;
    }

    private static Lsn lsn(byte[] frame, int at) {
        return new Lsn((long) LONG.get(frame, at));
    }
}
