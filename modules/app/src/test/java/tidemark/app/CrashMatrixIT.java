package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tidemark.delivery.CrashPoint;
import tidemark.delivery.ExitCode;
import tidemark.replication.TestPostgres;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinSettings;

/**
 * Every crash point, in each of the first three batches, under each workload: the service as it is shipped ends with
 * 70, rows are changed while it is away, the connector goes on from what it left, and both sides are equal.
 *
 * <p>After {@code after-confirm-before-persist} PostgreSQL is killed as well, so that its slot falls back behind what
 * was confirmed. Two cells run at a time, on one PostgreSQL; that one has it for itself.
 */
@Tag("crash")
class CrashMatrixIT {
    private static final ReadWriteLock SERVER_STAYS = new ReentrantReadWriteLock();
    private static final Queue<String> REPORT = new ConcurrentLinkedQueue<>();
    private static final long BEGAN = System.nanoTime();

    @TempDir
    static Path folder;

    private static TestPostgres postgres;
    private static FelderaStandin feldera;
    private static ExecutorService two;

    @BeforeAll
    static void start() {
        postgres = TestPostgres.start(Map.of("max_replication_slots", "200"));
        feldera = FelderaStandin.start(StandinSettings.defaults().withApiServerLimit(Shop.REQUEST_LIMIT));
        two = Executors.newFixedThreadPool(2);
    }

    @AfterAll
    static void stop() throws IOException {
        two.shutdownNow();
        feldera.close();
        postgres.close();
        String text = "%s%n%d cells in %d s, seed %d%n"
                .formatted(
                        String.join(System.lineSeparator(), REPORT),
                        REPORT.size(),
                        Duration.ofNanos(System.nanoTime() - BEGAN).toSeconds(),
                        CrashSlice.asked().seed());
        System.out.println(text);
        Files.writeString(Path.of("target", "crash-matrix.txt"), text);
    }

    @TestFactory
    Stream<DynamicTest> equalAfterACrashAt() {
        return CrashCell.chosen().stream()
                .map(cell -> Map.entry(cell, CompletableFuture.runAsync(() -> run(cell), two)))
                .toList() // all of them are under way before the first is waited for
                .stream()
                .map(under -> dynamicTest(
                        under.getKey().name(), () -> under.getValue().get()));
    }

    private static void run(CrashCell cell) {
        boolean alone = cell.point() == CrashPoint.AFTER_CONFIRM_BEFORE_PERSIST;
        Lock lock = alone ? SERVER_STAYS.writeLock() : SERVER_STAYS.readLock();
        lock.lock();
        try (var shop = new Shop(postgres, feldera, Files.createDirectory(folder.resolve(cell.name())))) {
            long began = System.nanoTime();
            String fellBack = crash(cell, shop);
            startAgain(shop);
            REPORT.add("%-50s exit 70, equal, %5.1f s%s"
                    .formatted(
                            cell.name(),
                            Duration.ofNanos(System.nanoTime() - began).toMillis() / 1000.0,
                            fellBack));
        } catch (IOException | AssertionError failure) {
            REPORT.add("%-50s FAILED".formatted(cell.name()));
            throw new AssertionError(cell.name() + ": " + failure.getMessage(), failure);
        } finally {
            lock.unlock();
        }
    }

    /** Returns what to remark. */
    private static String crash(CrashCell cell, Shop shop) {
        var random = new SplittableRandom(CrashSlice.asked().seed());
        var settings = Map.of(
                "crash.at", cell.point().word(),
                "crash.after-batches", Integer.toString(cell.afterBatches()),
                "batch.linger-ms", "0");
        try (var service = shop.service("crashing", settings);
                Connection connection = postgres.connect(shop.database)) {
            if (cell.isInTheCopy()) {
                postgres.execute(
                        shop.database,
                        "INSERT INTO users SELECT -g, 'before', now() FROM generate_series(1, 300) g",
                        "INSERT INTO items SELECT -g, g, 'before' FROM generate_series(1, 100) g");
                cell.workload().write(connection, random);
                service.start();
            } else {
                service.start();
                shop.awaitStreaming(service);
                cell.workload().write(connection, random);
                if (cell.isInATruncate()) postgres.execute(shop.database, CrashWorkload.truncate());
                if (cell.isInAResync()) resync(shop, service);
            }
            Shop.await("the crash", () -> service.ended().isPresent());
            assertThat(service.ended()).as(service.log()).contains(70);
            assertThat(service.log())
                    .contains(
                            "WARNING",
                            "crash.at=" + cell.point().word(),
                            "crashing at=" + cell.point().word());
        } catch (SQLException failure) {
            throw new IllegalStateException("cannot close a connection", failure);
        }
        String remark = cell.point() == CrashPoint.AFTER_CONFIRM_BEFORE_PERSIST ? killServer(shop) : "";
        postgres.execute(shop.database, CrashWorkload.meanwhile());
        return remark;
    }

    /** Of a table of which Feldera has lost more than three batches of rows. */
    private static void resync(Shop shop, CaseInstance service) {
        postgres.execute(shop.database, CrashWorkload.more());
        shop.awaitEqual();
        new StrangeRows(feldera.url(), shop.database).post("users", CrashWorkload.lost());
        Shop.await(
                "the resync to be taken",
                () -> service.ended().isPresent()
                        || service.resync("public.users").equals(Optional.of(202)));
    }

    private static String killServer(Shop shop) {
        Shop.await("its walsender to end", shop::slotIsFree);
        String confirmed = shop.confirmedFlush();
        postgres.kill();
        postgres.startAgain();
        Shop.await("PostgreSQL", () -> postgres.accepts(shop.database));
        long change = shop.confirmedFlushMinus(confirmed);
        assertThat(change).isNotPositive();
        return ", the slot fell back by %d bytes".formatted(-change);
    }

    private static void startAgain(Shop shop) {
        try (var connector = shop.connectorHere()) {
            Shop.await("streaming", connector::isStreaming);
            shop.awaitEqual();
            assertThat(connector.stop(Duration.ofMinutes(2))).isEqualTo(ExitCode.DRAINED);
        }
    }

    /** A matrix that has lost a point or a workload would pass as well. */
    @Test
    void theWholeMatrixHasEveryCell() {
        List<CrashCell> cells = CrashCell.chosen();
        assertThat(cells).doesNotHaveDuplicates();
        if (CrashSlice.asked().whole()) assertThat(cells).hasSize(CrashPoint.values().length * 3 * 3);
    }
}
