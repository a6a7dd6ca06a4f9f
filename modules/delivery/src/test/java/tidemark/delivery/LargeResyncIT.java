package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.decode.RelationName;
import tidemark.replication.TestPostgres;

/** How long the other tables pause while one of a million rows is read again. Prints it. */
@Tag("long")
class LargeResyncIT {
    private static final int ROWS = 1_000_000;
    private static final long LIMIT = Duration.ofMinutes(8).toNanos();

    @TempDir
    Path directory;

    @Test
    void theOtherTablesPauseOnce() {
        try (TestPostgres postgres = TestPostgres.start(Map.of());
                Replica replica = new Replica(postgres, directory)) {
            replica.sql("INSERT INTO users SELECT g, 'user ' || g, NULL FROM generate_series(1, %d) g".formatted(ROWS));
            replica.with(settings -> Settings.keyless(settings, 10_000));
            replica.start();
            long deadline = System.nanoTime() + LIMIT;
            while (!replica.status().phase().equals("streaming") && System.nanoTime() < deadline) Thread.onSpinWait();
            replica.post("users", "{\"delete\":{\"id\":777}}");
            replica.post("users", "{\"insert\":{\"id\":-5,\"name\":\"stranger\",\"at\":null}}");
            try (Writers writers = new Writers(replica, 1)) {
                writers.awaitSome();
                long usual = longestPause(
                        replica,
                        Optional.empty(),
                        System.nanoTime() + Duration.ofSeconds(10).toNanos());
                long begun = System.nanoTime();
                assertThat(replica.resync(new RelationName("public", "users"))).isEqualTo(new ResyncReply.Accepted());
                long pause = longestPause(replica, Optional.of("done"), begun + LIMIT);
                System.out.printf(
                        "resync of %,d rows: %.1f s; longest pause of the other table %d ms, without a resync %d ms; %s%n",
                        ROWS,
                        (System.nanoTime() - begun) / 1e9,
                        pause / 1_000_000,
                        usual / 1_000_000,
                        users(replica).resync().orElseThrow());
            }
            replica.awaitConfirmed();
            assertThat(replica.rows("users").size())
                    .isEqualTo(
                            Integer.parseInt(replica.postgres.query(replica.database, "SELECT count(*) FROM users")));
        }
    }

    private static ConnectorStatus.Table users(Replica replica) {
        return replica.status().tables().getFirst();
    }

    /** Between two accepted bodies of the other table, until the state is reached or the time is over. */
    private static long longestPause(Replica replica, Optional<String> state, long deadline) {
        long longest = 0;
        long since = System.nanoTime();
        long seen = replica.status().tables().getLast().batches();
        while (System.nanoTime() < deadline) {
            long now = System.nanoTime();
            long batches = replica.status().tables().getLast().batches();
            longest = Math.max(longest, now - since);
            if (batches != seen) since = now;
            seen = batches;
            boolean reached = users(replica)
                    .resync()
                    .filter(resync -> state.filter(resync.state()::equals).isPresent())
                    .isPresent();
            if (reached) return longest;
            LockSupport.parkNanos(1_000_000);
        }
        return longest;
    }
}
