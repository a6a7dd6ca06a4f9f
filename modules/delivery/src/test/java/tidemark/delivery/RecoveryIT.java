package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidemark.replication.TestPostgres;
import tidemark.standin.HttpFault;
import tidemark.standin.RequestPattern;

/** Either side goes away under load, several times each; both end equal. Prints how long each recovery took. */
@Tag("long")
class RecoveryIT {
    private static final int ROUNDS = 5;

    enum Fault {
        WALSENDER_KILLED,
        POSTGRES_RESTARTED,
        POSTGRES_KILLED,
        POSTGRES_BLACK_HOLE,
        FELDERA_BLACK_HOLE
    }

    @TempDir
    Path directory;

    private TestPostgres postgres;
    private Replica replica;
    private Proxies network;

    @BeforeEach
    void aStreamingReplica() {
        postgres = TestPostgres.start(Map.of("wal_sender_timeout", "2s"));
        replica = new Replica(postgres, directory);
        network = replica.proxied();
        replica.start();
        replica.awaitStreaming();
    }

    @AfterEach
    void close() {
        replica.close();
        postgres.close();
    }

    @ParameterizedTest
    @EnumSource
    void bothSidesAreEqualAfterEveryRound(Fault fault) {
        var random = new SplittableRandom(fault.name().hashCode());
        List<Long> millis = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            try (Writers writers = new Writers(replica, random.nextLong())) {
                writers.awaitSome();
                for (int more = random.nextInt(3); more > 0; more--) writers.awaitSome();
                strike(fault);
                long over = System.nanoTime();
                writers.awaitSome();
                replica.awaitConfirmed();
                millis.add(Duration.ofNanos(System.nanoTime() - over).toMillis());
            }
            replica.awaitEqual();
        }
        System.out.printf(
                "%s: %d rounds equal, %d sessions, ms from the end of the fault to the confirmation of what was written since: %s%n",
                fault, ROUNDS, replica.status().sessions(), millis);
        assertThat(replica.status().sessions()).isGreaterThan(ROUNDS);
    }

    /** A COPY has no time-out of its own; the stream's pings have not begun. */
    @Test
    void aServerThatVanishesInTheMiddleOfTheFirstCopyIsFoundOut() {
        try (var copying = new Replica(postgres, directory)) {
            Proxies between = copying.proxied();
            copying.sql("INSERT INTO users SELECT g, repeat('wide', 250), NULL FROM generate_series(1, 50000) g");
            copying.pipeline.holdCompletions();
            copying.start();
            TestPostgres.await("a full window", () -> copying.pipeline.ingressRequests("users") >= 5);
            between.postgres().blackHole();
            copying.pipeline.releaseCompletions();
            TestPostgres.await(
                    "the copy to be given up",
                    () -> copying.status().lastFailure().isPresent());
            assertThat(copying.status().lastFailure().orElseThrow())
                    .startsWith("PostgreSQL has been out of reach for 30 s: ");
            between.postgres().resume();
            copying.awaitEqual();
        }
    }

    private void strike(Fault fault) {
        switch (fault) {
            case WALSENDER_KILLED ->
                replica.sql("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = '"
                        + replica.slot + "'");
            case POSTGRES_RESTARTED -> {
                postgres.stop();
                postgres.startAgain();
            }
            case POSTGRES_KILLED -> {
                postgres.kill();
                postgres.startAgain();
            }
            case POSTGRES_BLACK_HOLE -> {
                network.postgres().blackHole();
                awaitFailure("silent for more than");
                network.postgres().resume();
            }
            case FELDERA_BLACK_HOLE -> {
                network.feldera().inject(RequestPattern.any(), new HttpFault.BlackHole());
                long sessions = replica.status().sessions();
                TestPostgres.await(
                        "the session to end",
                        () -> replica.status().phase().equals("backing-off")
                                || replica.status().sessions() > sessions);
                network.feldera().clear();
            }
        }
    }

    private void awaitFailure(String words) {
        TestPostgres.await(
                words,
                () -> replica.status()
                        .lastFailure()
                        .filter(why -> why.contains(words))
                        .isPresent());
    }
}
