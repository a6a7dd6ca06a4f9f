package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinSettings;

/**
 * The service, PostgreSQL, the pipeline and the slot are killed at seeded moments while rows are written; both sides
 * end equal, without a person or after one did what was asked for.
 */
@Tag("crash")
class KilledUnderLoadIT {
    private final CrashSlice slice = CrashSlice.asked();
    private final SplittableRandom random = new SplittableRandom(slice.seed());

    @TempDir
    Path folder;

    private TestPostgres postgres;
    private FelderaStandin feldera;
    private Shop shop;
    private CaseInstance service;
    private long began;

    @BeforeEach
    void start() throws IOException {
        began = System.nanoTime();
        postgres = TestPostgres.start(Map.of());
        feldera = FelderaStandin.start(StandinSettings.defaults().withApiServerLimit(Shop.REQUEST_LIMIT));
        shop = new Shop(postgres, feldera, Files.createDirectory(folder.resolve("shop")));
        service = shop.service("service", Map.of());
    }

    @AfterEach
    void stop(TestInfo test) {
        service.close();
        shop.close();
        feldera.close();
        postgres.close();
        System.out.printf(
                "%s: seed %d, %d s%n",
                test.getDisplayName(),
                slice.seed(),
                Duration.ofNanos(System.nanoTime() - began).toSeconds());
    }

    @Test
    void equalAfterTheServiceWasKilledAgainAndAgain() throws InterruptedException {
        int kills = slice.of(50, 4);
        int whileStreaming = 0;
        long committed;
        try (var load = new Load(shop, slice.seed())) {
            for (int kill = 1; kill <= kills; kill++) {
                service.start();
                // One in five dies before it streams: while it starts, waits, looks or copies.
                if (random.nextInt(5) > 0) shop.awaitStreaming(service);
                pass(2500);
                if (service.isStreaming()) whileStreaming++;
                service.send(CaseStep.Signal.KILL);
            }
            committed = load.committed();
        }
        service.start();
        shop.awaitStreaming(service);
        awaitEqual();
        assertThat(service.stop(Duration.ofMinutes(2))).as(service.lastLog()).isZero();
        System.out.printf(
                "%d kills, %d of them while streaming, %d transactions, equal%n", kills, whileStreaming, committed);
        assertThat(whileStreaming).isPositive();
    }

    @Test
    void equalAfterPostgresWasKilledUnderLoad() throws InterruptedException {
        serverGoesAway(() -> postgres.kill());
    }

    @Test
    void equalAfterPostgresWasRestartedUnderLoad() throws InterruptedException {
        serverGoesAway(() -> postgres.stop());
    }

    @Test
    void equalAfterThePipelineWasKilledAndCameBackEmptyUnderLoad() throws InterruptedException {
        underLoad(this::emptyPipeline);
    }

    @Test
    void equalAfterTheSlotWasDroppedUnderLoad() throws InterruptedException {
        underLoad(this::dropSlot);
    }

    @Test
    void stopsByNameWhenThePipelineCameBackEmptyAndAPersonIsToDecide() throws InterruptedException {
        leftToAPerson(this::emptyPipeline, "the pipeline came back empty");
    }

    @Test
    void stopsByNameWhenTheSlotWasDroppedAndAPersonIsToDecide() throws InterruptedException {
        leftToAPerson(this::dropSlot, "slot " + shop.database + " is gone");
    }

    private void emptyPipeline() {
        String before = shop.pipeline.incarnation();
        shop.pipeline.kill();
        pass(1500);
        shop.pipeline.start();
        Shop.await("another life", () -> !shop.pipeline.incarnation().equals(before));
    }

    /** Whoever does it has to be quicker than the service, which takes the slot again at once. */
    private void dropSlot() {
        postgres.execute(shop.database, """
                DO $$ BEGIN
                    LOOP
                        BEGIN
                            PERFORM pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = '%1$s';
                            PERFORM pg_drop_replication_slot('%1$s');
                            EXIT;
                        EXCEPTION WHEN object_in_use THEN NULL;
                        END;
                    END LOOP;
                END $$""".formatted(shop.database));
    }

    /** With {@code snapshot.on-state-loss=stop}; the remedy is then the default, once. */
    private void leftToAPerson(Runnable blow, String words) throws InterruptedException {
        try (CaseInstance stopping = shop.service("stopping", Map.of("snapshot.on-state-loss", "stop"));
                var load = new Load(shop, slice.seed())) {
            stopping.start();
            shop.awaitStreaming(stopping);
            Shop.await("some transactions", () -> load.committed() > 100);
            blow.run();
            Shop.await("its end", () -> stopping.ended().isPresent());
            assertThat(stopping.ended()).as(stopping.lastLog()).hasValue(78);
            assertThat(stopping.lastErrors()).contains(words, "Start once with snapshot.on-state-loss=resnapshot");
        }
        service.start();
        shop.awaitStreaming(service);
        awaitEqual();
        assertThat(service.stop(Duration.ofMinutes(2))).as(service.lastLog()).isZero();
    }

    private void serverGoesAway(Runnable how) throws InterruptedException {
        underLoad(() -> {
            how.run();
            pass(1500);
            postgres.startAgain();
            Shop.await("PostgreSQL", () -> postgres.accepts(shop.database));
        });
    }

    /** The service stays: it must come to terms with it by itself. */
    private void underLoad(Runnable blow) throws InterruptedException {
        int blows = slice.of(3, 1);
        service.start();
        shop.awaitStreaming(service);
        for (int round = 1; round <= blows; round++) {
            try (var load = new Load(shop, slice.seed() + round)) {
                pass(3000);
                long committed = load.committed();
                blow.run();
                Shop.await("more transactions", () -> load.committed() > committed + 200);
            }
            awaitEqual();
        }
        assertThat(service.stop(Duration.ofMinutes(2))).as(service.lastLog()).isZero();
        System.out.printf("%d blows, equal after each%n", blows);
    }

    private void awaitEqual() {
        try {
            shop.awaitConfirmation();
            shop.awaitEqual();
        } catch (AssertionError unequal) {
            throw new AssertionError(unequal.getMessage() + service.lastLog(), unequal);
        }
    }

    /** Lets at most so much time pass, by the seed. */
    private void pass(int atMostMillis) {
        LockSupport.parkNanos(
                Duration.ofMillis(1 + random.nextInt(atMostMillis)).toNanos());
    }
}
