package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.SlotStatus;
import tidemark.replication.TestPostgres;
import tidemark.sink.Destination;
import tidemark.sink.IngressReply;
import tidemark.sink.QueryRows;
import tidemark.sink.TableBody;

/** A slot whose WAL is removed before what it stands for was copied, as often as it is made. */
@Tag("slow")
class LostWhileCopyingIT {
    private static final Map<String, String> LITTLE_WAL =
            Map.of("max_slot_wal_keep_size", "1MB", "min_wal_size", "32MB", "max_wal_size", "32MB");

    @TempDir
    Path directory;

    /** And not the connections that were closed for it. */
    @Test
    void isTheReasonThatIsTold() {
        try (TestPostgres postgres = TestPostgres.start(LITTLE_WAL);
                Replica replica = new Replica(postgres, directory).with(Settings::soonTired);
                Listening log = new Listening()) {
            replica.sql(
                    "INSERT INTO users SELECT g, 'user ' || g, NULL FROM generate_series(1, 3000) g",
                    "CREATE TABLE noise (x text)");
            replica.through(feldera -> new LosingTheSlot(feldera, replica, log));
            replica.start();
            assertThat(replica.awaitExit()).isEqualTo(ExitCode.UNREACHABLE);
            String lost = "slot " + replica.slot + " was lost while its tables were copied (";
            assertThat(log.linesWith("WARNING ending session phase=copying", lost))
                    .hasSize(Patience.TRIES);
            assertThat(log.linesWith("WARNING session ended", lost, "remedy=\"raise max_slot_wal_keep_size"))
                    .hasSize(Patience.TRIES - 1);
            assertThat(log.linesWith("SEVERE giving up", "broken_off=3", lost, "remedy=\"raise max_slot_wal_keep_size"))
                    .hasSize(1);
        }
    }

    private static final class LosingTheSlot extends ForwardingDestination {
        private final Replica replica;
        private final Listening log;

        LosingTheSlot(Destination feldera, Replica replica, Listening log) {
            super(feldera);
            this.replica = replica;
            this.log = log;
        }

        @Override
        public IngressReply post(TableBody body) {
            if (body.length() > "[]".length()) lose();
            return super.post(body);
        }

        @Override
        public QueryRows query(String sql, QueryRows.Limits limits) {
            lose();
            return super.query(sql, limits);
        }

        private synchronized void lose() {
            if (!(replica.slotStatus() instanceof SlotStatus.Usable)) return;
            int told = ended(); // before it is lost: the server may be looked at any time
            while (replica.slotStatus() instanceof SlotStatus.Usable) {
                replica.sql(
                        "INSERT INTO noise SELECT repeat('w', 1000) FROM generate_series(1, 5000)",
                        "SELECT pg_switch_wal()",
                        "CHECKPOINT");
            }
            TestPostgres.await("the loss to be noticed", () -> ended() > told);
        }

        private int ended() {
            return log.linesWith("WARNING ending session").size();
        }
    }
}
