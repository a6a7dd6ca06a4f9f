package tidemark.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counts the bytes that this thread allocates: the same on every machine, unlike time. */
class DecodeAllocationTest {
    private static final int ROWS = 20_000;
    /** An Insert or Update record: object header, relation id, two references. */
    private static final long RECORD_BYTES = 32;
    /** What the test itself and the class loading around it may cost. */
    private static final long SLACK_BYTES = 200_000;

    /** A new decoder and an exception with its stack; three arrays for a tuple of the most columns would be 20 kB. */
    private static final long REFUSAL_BYTES = 10_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final PgOutputDecoder decoder = new PgOutputDecoder();

    @Test
    void aRowOfTheStreamCostsOneSmallRecord() {
        byte[] update = update();
        long allocated = allocatedBy(() -> decoder.decode(update, 0, update.length));
        assertThat(allocated).isLessThan(ROWS * RECORD_BYTES + SLACK_BYTES);
    }

    @Test
    void aRowOfACopyCostsNothing() {
        byte[] plain = "1\tAlice\t\\N\t2026-01-01 00:00:00+00\tt\t2.50\n".getBytes(StandardCharsets.UTF_8);
        byte[] escaped = "1\tAl\\tice\t\\N\t2026-01-01 00:00:00+00\tt\tC:\\\\\n".getBytes(StandardCharsets.UTF_8);
        CopyTextRow row = new CopyTextRow(6);
        long allocated = allocatedBy(() -> {
            row.read(plain);
            row.read(escaped);
        });
        assertThat(allocated).isLessThan(SLACK_BYTES);
    }

    /**
     * A count or length is believed only as far as there are bytes: the refusal costs an exception, not what was
     * claimed.
     */
    @Test
    void whatIsOnlyClaimedIsNotAllocated() {
        List<byte[]> claims = List.of(
                MessageBytes.of('T').int32(Integer.MAX_VALUE).int8(0).toArray(),
                MessageBytes.of('I')
                        .int32(1)
                        .int8('N')
                        .int16(1)
                        .int8('t')
                        .int32(Integer.MAX_VALUE)
                        .toArray(),
                MessageBytes.of('I')
                        .int32(1)
                        .int8('N')
                        .int16(ReusedTuple.COLUMNS_MAX)
                        .toArray());
        long allocated = allocatedBy(() -> claims.forEach(this::refuse));
        assertThat(allocated / ROWS / claims.size()).isLessThan(REFUSAL_BYTES);
    }

    private void refuse(byte[] claim) {
        try {
            throw new AssertionError(new PgOutputDecoder().decode(claim, 0, claim.length));
        } catch (MalformedMessage expected) {
            assert expected.offset() > 0;
        }
    }

    private long allocatedBy(Runnable row) {
        row.run();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int round = 0; round < ROWS; round++) row.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static byte[] update() {
        MessageBytes bytes = MessageBytes.of('U').int32(1);
        for (char marker : new char[] {'O', 'N'}) {
            bytes.int8(marker).int16(6);
            bytes.int8('t').value("1").int8('t').value("Alice").int8('n');
            bytes.int8('t')
                    .value("2026-01-01 00:00:00+00")
                    .int8('t')
                    .value("t")
                    .int8('t')
                    .value("2.50");
        }
        return bytes.toArray();
    }
}
