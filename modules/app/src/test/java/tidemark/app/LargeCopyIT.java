package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;
import tidemark.replication.TestPostgres;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinSettings;

/**
 * A first copy of 5,000,000 rows in two tables, beside writers, and with a transaction open across the slot's making.
 */
@Tag("long")
class LargeCopyIT {
    private static final int USERS = 4_000_000;
    private static final int ITEMS = 1_000_000;

    @TempDir
    Path folder;

    private TestPostgres postgres;
    private FelderaStandin feldera;

    @BeforeEach
    void start() {
        postgres = TestPostgres.start(Map.of());
        feldera = FelderaStandin.start(StandinSettings.defaults());
    }

    @AfterEach
    void stop() {
        feldera.close();
        postgres.close();
    }

    @Test
    void bothSidesAreEqualAfterACopyOfFiveMillionRowsBesideWriters() throws IOException, SQLException {
        try (var shop = new Shop(postgres, feldera, Files.createDirectory(folder.resolve("large")));
                CaseInstance service = service(shop)) {
            fill(shop);
            double bare = rowsPerSecondOfCopy(shop);
            long seconds;
            try (Connection open = postgres.connect(shop.database);
                    Statement statement = open.createStatement();
                    var writers = new Writers(shop)) {
                // given a transaction that PostgreSQL waits for before it makes the slot
                open.setAutoCommit(false);
                statement.execute("UPDATE users SET id = -id WHERE id % 100000 = 7");
                service.start();
                TestPostgres.await("the slot to be made", () -> slots(shop).equals("1"));
                statement.execute("DELETE FROM items WHERE id % 100000 = 7");
                open.commit();
                // when everything is copied while others write
                TestPostgres.await("the snapshot", () -> copies(shop) > 0);
                long begun = System.nanoTime();
                while (!service.isStreaming()) {
                    long before = copiedRows(service);
                    TestPostgres.await(
                            "a copy that goes on", () -> service.isStreaming() || copiedRows(service) > before);
                }
                seconds = Math.max(1, (System.nanoTime() - begun) / 1_000_000_000);
                System.out.printf("transactions of writers while it was copied: %,d%n", writers.committed());
                assertThat(writers.committed()).isPositive();
            }
            // then nothing is missing and nothing too much
            shop.awaitConfirmation();
            shop.awaitEqual();
            double copied = (double) (USERS + ITEMS) / seconds;
            System.out.printf(
                    "copied %,d rows in %d s beside writers: %,.0f rows/s, COPY TO STDOUT alone %,.0f rows/s, ratio %.2f; -Xmx128m, peak %d MB resident%n",
                    USERS + ITEMS, seconds, copied, bare, copied / bare, service.peakMemoryMegabytes());
            assertThat(service.peakMemoryMegabytes()).isLessThan(330);
        }
    }

    private static CaseInstance service(Shop shop) {
        return shop.service(
                "service",
                "-XX:+UseSerialGC -Xms128m -Xmx128m",
                Map.of("batch.max-rows", "10000", "feldera.request-limit", "PT30S"));
    }

    private static void fill(Shop shop) {
        shop.server.execute(
                shop.database,
                "INSERT INTO users SELECT g, 'user number ' || g, '2026-01-01' FROM generate_series(1, %d) g"
                        .formatted(USERS),
                "INSERT INTO items SELECT g, g, 'one of very many' FROM generate_series(1, %d) g".formatted(ITEMS),
                "VACUUM (ANALYZE) users",
                "VACUUM (ANALYZE) items");
    }

    /** Of both tables, one after the other, as fast as they can be thrown away. */
    private double rowsPerSecondOfCopy(Shop shop) throws SQLException {
        try (Connection connection = postgres.connect(shop.database)) {
            long begun = System.nanoTime();
            long rows = 0;
            for (String table : new String[] {"users", "items"}) {
                CopyOut copy = connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyOut("COPY %s TO STDOUT".formatted(table));
                while (copy.readFromCopy() != null) rows++;
            }
            return rows * 1e9 / (System.nanoTime() - begun);
        }
    }

    private static long copiedRows(CaseInstance service) {
        return service.status().stream()
                .flatMap(status -> status.getJsonArray("tables").stream())
                .mapToLong(table ->
                        table.asJsonObject().getJsonNumber("copiedRows").longValue())
                .sum();
    }

    private static String slots(Shop shop) {
        return shop.server.query(
                shop.database,
                "SELECT count(*) FROM pg_replication_slots WHERE slot_name = '%s'".formatted(shop.database));
    }

    private static int copies(Shop shop) {
        return Integer.parseInt(shop.server.query(
                shop.database,
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY%'"));
    }

    /** Two of them: inserts, updates that move rows, deletes, and changes of keys, all over both tables. */
    private static final class Writers implements AutoCloseable {
        private final Shop shop;
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final AtomicLong committed = new AtomicLong();
        private final Thread[] threads = new Thread[2];

        Writers(Shop shop) {
            this.shop = shop;
            for (int i = 0; i < threads.length; i++) {
                var random = new SplittableRandom(i);
                int number = i;
                threads[i] = Thread.ofPlatform().name("writer-" + i).start(() -> write(number, random));
            }
        }

        long committed() {
            return committed.get();
        }

        private void write(int number, SplittableRandom random) {
            try (Connection connection = shop.server.connect(shop.database);
                    Statement sql = connection.createStatement()) {
                for (int turn = 0; !stopped.get(); turn++) {
                    sql.execute(transaction(number, turn, random));
                    committed.incrementAndGet();
                }
            } catch (SQLException e) {
                throw new IllegalStateException("a writer failed", e);
            }
        }

        /** Each writer has the keys of its own parity, so none waits for the other, and new keys are nobody else's. */
        private static String transaction(int number, int turn, SplittableRandom random) {
            long user = 2L * random.nextInt(USERS / 2) + number;
            long item = 2L * random.nextInt(ITEMS / 2) + number;
            long fresh = 10_000_000L + 2L * turn + number;
            return switch (random.nextInt(6)) {
                case 0 -> "INSERT INTO users VALUES (%d, 'new', now())".formatted(fresh);
                case 1 ->
                    "UPDATE users SET name = repeat('moved', 10) WHERE id BETWEEN %d AND %d AND id %% 2 = %d"
                            .formatted(user, user + 40, number);
                case 2 -> "DELETE FROM users WHERE id = %d".formatted(user);
                case 3 -> "UPDATE users SET id = %d WHERE id = %d".formatted(fresh, user);
                case 4 -> "UPDATE items SET id = %d, label = 'moved' WHERE id = %d".formatted(fresh, item);
                default -> "DELETE FROM items WHERE id = %d".formatted(item);
            };
        }

        @Override
        public void close() {
            stopped.set(true);
            try {
                for (Thread thread : threads) thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
