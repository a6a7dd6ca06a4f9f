package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.SlotStatus;
import tidemark.replication.TestPostgres;

/** A slot that has no position, as a creation leaves it that was killed. */
@Tag("slow")
class HalfMadeSlotIT {
    /** Of the slot's file: a magic number and the checksum of all that follows. */
    private static final int CHECKSUM_AT = 4;

    private static final int CHECKED_FROM = 8;

    @TempDir
    Path directory;

    @Test
    void thatNobodyMakesIsDroppedAndMadeAnew() throws IOException {
        try (TestPostgres postgres = TestPostgres.start(Map.of());
                Replica replica = new Replica(postgres, directory)) {
            replica.sql(
                    "INSERT INTO users VALUES (1, 'one', NULL)",
                    "SELECT pg_create_logical_replication_slot('%s', 'pgoutput')".formatted(replica.slot));
            long confirmed = replica.confirmedFlush().value();
            postgres.stop();
            forgetPosition(postgres.dataDirectory().resolve("pg_replslot/" + replica.slot + "/state"), confirmed);
            postgres.startAgain();
            assertThat(replica.slotStatus()).isInstanceOf(SlotStatus.HalfMade.class);
            replica.with(Settings::stopping);
            replica.start();
            replica.awaitEqual();
            replica.awaitStreaming();
            assertThat(replica.slotStatus()).isInstanceOf(SlotStatus.Usable.class);
        }
    }

    private static void forgetPosition(Path slotFile, long confirmed) throws IOException {
        ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(slotFile)).order(ByteOrder.nativeOrder());
        int forgotten = 0;
        for (int at = CHECKED_FROM; at <= content.capacity() - Long.BYTES; at += Long.BYTES) {
            if (content.getLong(at) != confirmed) continue;
            content.putLong(at, 0);
            forgotten++;
        }
        // 14 has the position of two_phase, too, which nobody asked for.
        assertThat(forgotten).as("confirmed_flush_lsn in the slot's file").isBetween(1, 2);
        var checksum = new CRC32C();
        checksum.update(content.slice(CHECKED_FROM, content.capacity() - CHECKED_FROM));
        content.putInt(CHECKSUM_AT, (int) checksum.getValue());
        Files.write(slotFile, content.array());
    }
}
