package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinSettings;

/**
 * Memory is a function of the bounds and the widest row, never of the transaction (design §1.4), in a heap of 128 MB.
 */
@Tag("long")
class MemoryIT {
    private static final Pattern USED_HEAP = Pattern.compile("(?m)^memory_usedHeap_bytes\\S* ([0-9.E+]+)$");
    private static final double MEGABYTE = 1 << 20;

    /** Of the process, as Linux counts it, and of the heap, as the service's metrics showed it. */
    private record Peak(long residentMegabytes, double heapMegabytes) {}

    @TempDir
    Path folder;

    private TestPostgres postgres;
    private FelderaStandin feldera;

    @BeforeEach
    void start() {
        postgres = TestPostgres.start(Map.of());
        feldera = FelderaStandin.start(StandinSettings.defaults().withApiServerLimit(Shop.REQUEST_LIMIT));
    }

    @AfterEach
    void stop() {
        feldera.close();
        postgres.close();
    }

    @Test
    void aTransactionTenTimesAsLargeTakesNoMoreOfIt() throws IOException, ExecutionException, InterruptedException {
        Peak million = peakOf(1_000_000);
        Peak tenMillion = peakOf(10_000_000);
        System.out.printf("peak memory, -Xmx128m: 1,000,000 rows %s, 10,000,000 rows %s%n", million, tenMillion);
        assertThat((double) tenMillion.residentMegabytes())
                .isLessThan(1.1 * million.residentMegabytes())
                .isGreaterThan(0.9 * million.residentMegabytes());
    }

    private Peak peakOf(int rows) throws IOException, ExecutionException, InterruptedException {
        try (var clock = Executors.newSingleThreadScheduledExecutor();
                var shop = new Shop(postgres, feldera, Files.createDirectory(folder.resolve("rows" + rows)));
                CaseInstance service = service(shop)) {
            service.start();
            shop.awaitStreaming(service);
            warmUp(shop);
            postgres.execute(
                    shop.database,
                    "INSERT INTO items SELECT g, g, 'one of very many' FROM generate_series(1, %d) g".formatted(rows));
            String end = postgres.query(shop.database, "SELECT pg_current_wal_lsn()");
            double heap = 0;
            // Asked as fast as it answers, the service would be measured at answering: compiled code, and garbage.
            while (shop.confirmedFlushMinus(end) < 0) {
                heap = Math.max(
                        heap,
                        clock.schedule(() -> heapMegabytes(service), 1, TimeUnit.SECONDS)
                                .get());
            }
            shop.awaitEqual();
            return new Peak(service.peakMemoryMegabytes(), heap);
        }
    }

    /**
     * Many small transactions before the large one: what the JVM compiles, and the garbage that it lets lie until it
     * needs the room, grow with the minutes that it runs, whatever it is sent, and the larger transaction takes longer.
     */
    private void warmUp(Shop shop) {
        postgres.execute(shop.database, """
                DO $$ BEGIN
                    FOR i IN 0..2999 LOOP
                        INSERT INTO users SELECT i * 1000 + g, 'one of many', NULL FROM generate_series(1, 1000) g;
                        COMMIT;
                    END LOOP;
                END $$""");
        shop.awaitConfirmation();
    }

    private static double heapMegabytes(CaseInstance service) {
        Matcher found = USED_HEAP.matcher(service.metrics().orElse(""));
        return found.find() ? Double.parseDouble(found.group(1)) / MEGABYTE : 0;
    }

    @Test
    void aValueOf20MegabytesPassesThroughTheSameHeap() throws IOException {
        try (var shop = new Shop(postgres, feldera, Files.createDirectory(folder.resolve("wide")));
                CaseInstance service = service(shop)) {
            service.start();
            shop.awaitStreaming(service);
            postgres.execute(
                    shop.database,
                    "INSERT INTO users VALUES (1, repeat('wide', 5 * 1024 * 1024), NULL), (2, 'narrow', NULL)");
            shop.awaitEqual();
            System.out.printf(
                    "peak memory of a value of 20 MB, -Xmx128m: %d MB resident%n", service.peakMemoryMegabytes());
        }
    }

    /** What Feldera answers passes through it row by row, and so do the retractions: there is not room for them all. */
    @Test
    void aTruncateOfAMillionRowsPassesThroughHalfOfIt() throws IOException {
        int rows = 1_000_000;
        try (var shop = new Shop(postgres, feldera, Files.createDirectory(folder.resolve("truncate")));
                CaseInstance service = service(shop, 64)) {
            postgres.execute(
                    shop.database,
                    "INSERT INTO items SELECT g, g, 'one of very many' FROM generate_series(1, %d) g".formatted(rows));
            service.start();
            shop.awaitStreaming(service);
            long begun = System.nanoTime();
            postgres.execute(
                    shop.database,
                    "BEGIN; UPDATE items SET owner = 0 WHERE id <= 100; TRUNCATE items; INSERT INTO items VALUES (1, 1, '1'); COMMIT");
            shop.awaitConfirmation();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            shop.awaitEqual();
            System.out.printf(
                    "TRUNCATE of %,d rows, -Xmx64m: %d ms, peak %d MB resident%n",
                    rows, millis, service.peakMemoryMegabytes());
            assertThat(service.log()).contains("truncated table=public.items rows=" + rows);
        }
    }

    private static CaseInstance service(Shop shop) {
        return service(shop, 128);
    }

    private static CaseInstance service(Shop shop, int heapMegabytes) {
        String options = "-XX:+UseSerialGC -Xms%1$dm -Xmx%1$dm".formatted(heapMegabytes);
        return shop.service("service", options, Map.of("batch.max-rows", "10000"));
    }
}
