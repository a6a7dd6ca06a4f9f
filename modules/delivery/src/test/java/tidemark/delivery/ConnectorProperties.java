package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;

/**
 * Random writes, and random deaths of everything they pass through; when all is well again, both sides are equal.
 *
 * <p>The seed decides what is done in which order; how much of it fits into the time, the machine. Nothing is expected
 * by a certain time but the end, which is waited for as long as for any other condition.
 */
class ConnectorProperties {
    /** Then nothing more is broken; the whole matrix (./dev it) attacks for longer. */
    private static final long ATTACK_NANOS =
            Duration.ofSeconds(Integer.getInteger("tidemark.attack-seconds", 8)).toNanos();

    @TempDir
    Path directory;

    @Test
    void bothSidesAreEqualWhateverDiedMeanwhile() {
        long seed = Long.getLong("tidemark.seed", System.nanoTime());
        System.out.println("ConnectorProperties seed: -Dtidemark.seed=" + seed);
        var random = new SplittableRandom(seed);
        try (Replica replica = new Replica(TestPostgres.shared(), directory)) {
            var attack = new Attack(replica, random);
            attack.write();
            replica.start();
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < ATTACK_NANOS) attack.strike();
            replica.pipeline.stepDelay(Duration.ZERO);
            attack.write();
            replica.awaitEqual();
            assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        } catch (AssertionError broken) {
            throw new AssertionError("-Dtidemark.seed=" + seed, broken);
        }
    }

    /** Leaves everything running when it returns, so that a stop always has somebody to drain to. */
    private record Attack(Replica replica, SplittableRandom random) {
        void strike() {
            write();
            switch (random.nextInt(9)) {
                case 0 -> {
                    assertThat(replica.stop()).isIn(ExitCode.DRAINED, ExitCode.TEMPORARY);
                    write();
                    replica.start();
                }
                case 1, 2 -> {
                    replica.abandon();
                    write();
                    replica.start();
                }
                case 3 -> replica.pipeline.restartEmpty();
                case 4 -> {
                    replica.pipeline.pause();
                    write();
                    replica.pipeline.resume();
                }
                case 5 -> {
                    replica.pipeline.pause();
                    write();
                    replica.pipeline.restartEmpty();
                }
                case 6 ->
                    replica.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND backend_type = 'walsender'");
                case 7 -> {
                    replica.pipeline.holdCompletions();
                    write();
                    replica.pipeline.releaseCompletions();
                }
                default -> replica.pipeline.stepDelay(Duration.ofMillis(random.nextInt(60)));
            }
        }

        void write() {
            for (int left = 1 + random.nextInt(12); left > 0; left--) replica.sql(transaction());
        }

        private String transaction() {
            long id = random.nextLong(300);
            return switch (random.nextInt(8)) {
                case 0 -> "DELETE FROM users WHERE id = " + id;
                case 1 ->
                    "UPDATE users SET id = id + 1000 WHERE id = %1$d AND NOT EXISTS (SELECT FROM users WHERE id = %1$d + 1000)"
                            .formatted(id);
                case 2 ->
                    "UPDATE users SET id = id - 1000 WHERE id = %1$d + 1000 AND NOT EXISTS (SELECT FROM users WHERE id = %1$d)"
                            .formatted(id);
                case 3 ->
                    "BEGIN; DELETE FROM items WHERE id = %1$d; INSERT INTO items VALUES (%1$d, %2$d, 'item'); DELETE FROM users WHERE id = %1$d; COMMIT"
                            .formatted(id, random.nextInt());
                case 4 ->
                    "INSERT INTO items SELECT g, %1$d, 'many' FROM generate_series(1000, %2$d) g ON CONFLICT (id) DO UPDATE SET owner = %1$d"
                            .formatted(random.nextInt(), 1000 + random.nextInt(2500));
                case 5 -> "DELETE FROM items WHERE id %% 7 = %d".formatted(random.nextInt(7));
                default ->
                    "INSERT INTO users VALUES (%1$d, '%2$d', NULL) ON CONFLICT (id) DO UPDATE SET name = '%2$d'"
                            .formatted(id, random.nextInt());
            };
        }
    }
}
