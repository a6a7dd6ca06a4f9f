package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

/** {@code tidemark verify} as it is shipped, of tables that do not fit into its heap. */
@Tag("long")
class LargeVerifyIT {
    private static final String OPTIONS = "-XX:+UseSerialGC -Xms64m -Xmx64m";
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Pattern HELD = Pattern.compile("stream goes on table=\\S+ held_ms=([0-9,]+)");

    private record Ended(int code, String output, long peakMegabytes, Duration took) {}

    @TempDir
    Path folder;

    private TestPostgres postgres;
    private FelderaStandin feldera;

    @BeforeEach
    void start() {
        postgres = TestPostgres.start(Map.of());
        feldera = FelderaStandin.start(StandinSettings.defaults().withApiServerLimit(Duration.ofSeconds(30)));
    }

    @AfterEach
    void stop() {
        feldera.close();
        postgres.close();
    }

    /** One row missing, one extra and one different are found and mended, and nothing else is sent. */
    @Test
    void threeRowsOfAMillionAreFoundAndMendedBesideWritersAndWithoutAService()
            throws IOException, InterruptedException, SQLException {
        try (var shop = new Shop(postgres, feldera, Files.createDirectory(folder.resolve("million")))) {
            Map<String, String> more = Map.of(
                    "batch.max-rows", "10000",
                    "feldera.request-limit", "PT1S",
                    "server.port", Integer.toString(FreePort.any()));
            Map<String, String> environment = shop.environment(OPTIONS, more);
            fill(shop, 1_000_000);
            var stranger = new StrangeRows(feldera.url(), shop.database);
            double copy = secondsOfCopy(shop);
            try (CaseInstance service = shop.service("service", OPTIONS, more)) {
                service.start();
                shop.awaitStreaming(service);
                Ended beside = run(environment, "verify", "items");
                assertThat(beside.code()).as(beside.output()).isZero();
                System.out.printf(
                        "verify of 1,000,000 rows beside a service, nobody writes: %d ms, COPY alone %.0f ms; stream held %s ms%n",
                        beside.took().toMillis(), copy * 1000, held(service));
                plant(stranger);
                try (var writers = new Writers(shop, 4)) {
                    Ended found = run(environment, "verify", "items");
                    assertThat(found.output()).contains("1 missing, 1 extra, 1 different");
                    assertThat(found.code()).as(found.output()).isEqualTo(1);
                    assertThat(found.output()).contains("missing id=17", "different id=500 in label", "extra id=-1");
                    System.out.printf(
                            "verify of 1,000,000 rows beside a service and writers: %d ms, COPY alone %.0f ms; stream held %s ms; service of -Xmx64m: %d MB resident%n",
                            found.took().toMillis(), copy * 1000, held(service), service.peakMemoryMegabytes());
                    assertThat(writers.committed()).isPositive();
                }
                // what is written to the table between its last change that was streamed and the snapshot counts, too
                try (var writers = new Writers(shop, 1)) {
                    Ended mended = run(environment, "verify", "--repair", "items");
                    assertThat(mended.code()).as(mended.output()).isZero();
                    assertThat(mended.output()).contains("1 missing, 1 extra, 1 different", "mended by 3 operations");
                    assertThat(writers.committed()).isPositive();
                }
                shop.awaitConfirmation();
                shop.awaitEqual();
                assertThat(run(environment, "verify").code()).isZero();
                // then in the place of a stopped one
                assertThat(service.stop(PATIENCE)).isZero();
            }
            plant(stranger);
            long sent = stranger.operationsOfTheService("items");
            Ended mended = run(environment, "verify", "--repair");
            assertThat(mended.code()).as(mended.output()).isZero();
            assertThat(mended.output()).contains("1 missing, 1 extra, 1 different", "mended by 3 operations");
            assertThat(stranger.operationsOfTheService("items") - sent).isEqualTo(3);
            shop.awaitEqual();
            Ended equal = run(environment, "verify", "items");
            assertThat(equal.code()).isZero();
            System.out.printf(
                    "verify of 1,000,000 rows without a service, nobody writes: %d ms, COPY alone %.0f ms%n",
                    equal.took().toMillis(), secondsOfCopy(shop) * 1000);
        }
    }

    @Test
    void twentyTimesAsManyRowsTakeNoMoreMemory() throws IOException, InterruptedException {
        long few = peakOf(100_000);
        long many = peakOf(2_000_000);
        System.out.printf(
                "peak memory of verify, -Xmx64m: 100,000 rows %d MB, 2,000,000 rows %d MB resident%n", few, many);
        assertThat((double) many).isLessThan(1.15 * few);
    }

    private long peakOf(int rows) throws IOException, InterruptedException {
        try (var shop = new Shop(postgres, feldera, Files.createDirectory(folder.resolve("rows" + rows)))) {
            Map<String, String> more = Map.of("batch.max-rows", "10000");
            fill(shop, rows);
            try (CaseInstance service = shop.service("service", OPTIONS, more)) {
                service.start();
                shop.awaitStreaming(service);
                assertThat(service.stop(PATIENCE)).isZero();
            }
            Ended ended = run(shop.environment(OPTIONS, more), "verify", "items");
            assertThat(ended.code()).as(ended.output()).isZero();
            return ended.peakMegabytes();
        }
    }

    private static void fill(Shop shop, int rows) {
        shop.server.execute(
                shop.database,
                "INSERT INTO items SELECT g, g, 'one of very many' FROM generate_series(1, %d) g".formatted(rows),
                "INSERT INTO users SELECT g, 'user number ' || g, '2026-01-01' FROM generate_series(1, 1000) g",
                "VACUUM (ANALYZE) items");
    }

    private static void plant(StrangeRows stranger) {
        stranger.post("items", "{\"delete\":{\"id\":17}}");
        stranger.post("items", "{\"insert\":{\"id\":-1,\"owner\":1,\"label\":null}}");
        stranger.post("items", "{\"update\":{\"id\":500,\"label\":\"planted\"}}");
    }

    private Ended run(Map<String, String> environment, String... words) throws InterruptedException {
        long begun = System.nanoTime();
        try (Tidemark command = Tidemark.start(folder, folder.resolve("command.out"), environment, words)) {
            long peak = command.peakMemoryMegabytesAtItsEnd();
            return new Ended(
                    command.exitCode(PATIENCE), command.output(), peak, Duration.ofNanos(System.nanoTime() - begun));
        }
    }

    /** Milliseconds, as the service logged them for its last comparison. */
    private static String held(CaseInstance service) {
        Matcher held = HELD.matcher(service.log());
        String last = "unknown";
        while (held.find()) last = held.group(1);
        return last;
    }

    /** Of the table alone, as fast as it can be thrown away. */
    private double secondsOfCopy(Shop shop) throws SQLException {
        try (Connection connection = postgres.connect(shop.database)) {
            long begun = System.nanoTime();
            CopyOut copy = connection.unwrap(PGConnection.class).getCopyAPI().copyOut("COPY items TO STDOUT");
            long rows = 0;
            while (copy.readFromCopy() != null) rows++;
            assertThat(rows).isPositive();
            return (System.nanoTime() - begun) / 1e9;
        }
    }

    /** On this table and on another; not on the rows that are planted. */
    private static final class Writers implements AutoCloseable {
        private final Shop shop;
        private final int kinds;
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final AtomicLong committed = new AtomicLong();
        private final Thread thread;

        /** @param kinds of transactions: the first of them is on the other table alone */
        Writers(Shop shop, int kinds) {
            this.shop = shop;
            this.kinds = kinds;
            this.thread = Thread.ofPlatform().name("writer").start(this::write);
        }

        long committed() {
            return committed.get();
        }

        private void write() {
            var random = new SplittableRandom(1);
            try (Connection connection = shop.server.connect(shop.database);
                    Statement sql = connection.createStatement()) {
                for (int turn = 0; !stopped.get(); turn++) {
                    int item = 1000 + random.nextInt(900_000);
                    int fresh = (1 + kinds) * 10_000_000 + turn; // nobody else's
                    sql.execute(
                            switch (random.nextInt(kinds)) {
                                case 0 -> "INSERT INTO users VALUES (%d, 'new', now())".formatted(fresh);
                                case 1 -> "UPDATE items SET label = 'moved %d' WHERE id = %d".formatted(turn, item);
                                case 2 -> "DELETE FROM items WHERE id = %d".formatted(item);
                                default ->
                                    "INSERT INTO items VALUES (%d, 1, 'new'); UPDATE items SET owner = %d WHERE id = %d"
                                            .formatted(fresh, turn, item);
                            });
                    committed.incrementAndGet();
                }
            } catch (SQLException e) {
                throw new IllegalStateException("a writer failed", e);
            }
        }

        @Override
        public void close() {
            stopped.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
