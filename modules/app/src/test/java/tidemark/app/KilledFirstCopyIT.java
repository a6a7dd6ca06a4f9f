package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinSettings;

/**
 * The service is killed at a seeded moment of its first copy, while rows are written; rows that the broken copy has
 * sent are changed, deleted and given other keys before the next one. Both sides end equal.
 */
@Tag("crash")
class KilledFirstCopyIT {
    private static final int ROWS = 60_000;
    /** Some hundred batches that take three seconds or more, so that there is a copy to be killed in. */
    private static final Map<String, String> SMALL_BATCHES = Map.of("batch.max-rows", "500");

    private static final Duration BATCH_DELAY = Duration.ofMillis(20); // so that a copy outlasts COPY_MILLIS
    private static final int COPY_MILLIS = 2000;

    private final CrashSlice slice = CrashSlice.asked();
    private final SplittableRandom random = new SplittableRandom(slice.seed());

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
    void equalAfterTheServiceWasKilledInItsFirstCopy() throws IOException, InterruptedException {
        int kills = slice.of(20, 2);
        int whileCopying = 0;
        for (int kill = 1; kill <= kills; kill++) {
            if (killedWhileCopying(kill)) whileCopying++;
        }
        System.out.printf(
                "seed %d: %d kills, %d of them while copying, equal after each%n", slice.seed(), kills, whileCopying);
        assertThat(whileCopying).isPositive();
    }

    private boolean killedWhileCopying(int kill) throws IOException, InterruptedException {
        try (var shop = new Shop(postgres, feldera, Files.createDirectory(folder.resolve("shop" + kill)));
                CaseInstance service = shop.service("service", SMALL_BATCHES)) {
            postgres.execute(
                    shop.database,
                    "INSERT INTO users SELECT g, 'copied', NULL FROM generate_series(1000, %d) g"
                            .formatted(999 + ROWS));
            boolean copying;
            try (var load = new Load(shop, slice.seed() + kill)) {
                Shop.await("some load", () -> load.committed() > 20);
                shop.pipeline.ingressDelay(BATCH_DELAY);
                service.start();
                Shop.await("the copy", () -> isCopying(service) || service.isStreaming());
                LockSupport.parkNanos(
                        Duration.ofMillis(random.nextInt(COPY_MILLIS)).toNanos());
                copying = isCopying(service);
                service.send(CaseStep.Signal.KILL);
                postgres.execute(
                        shop.database,
                        "DELETE FROM users WHERE id >= 1000 AND id % 7 = " + kill % 7,
                        "UPDATE users SET id = -id WHERE id >= 1000 AND id % 11 = " + kill % 11,
                        "UPDATE users SET name = 'changed' WHERE id >= 1000 AND id % 5 = " + kill % 5);
                shop.pipeline.ingressDelay(Duration.ZERO);
                service.start();
                shop.awaitStreaming(service);
            }
            shop.awaitConfirmation();
            shop.awaitEqual();
            assertThat(service.stop(Duration.ofMinutes(2)))
                    .as(service.lastLog())
                    .isZero();
            return copying;
        }
    }

    private static boolean isCopying(CaseInstance service) {
        Optional<JsonObject> status = service.status();
        return status.filter(now -> now.getString("phase").equals("copying")).isPresent();
    }
}
