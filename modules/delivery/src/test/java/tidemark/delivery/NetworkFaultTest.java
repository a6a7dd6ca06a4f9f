package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.decode.Lsn;
import tidemark.replication.TestPostgres;
import tidemark.standin.HttpFault;
import tidemark.standin.Injection;
import tidemark.standin.RequestPattern;

/** Both servers are well and the network is not; both sides end equal. */
class NetworkFaultTest {
    private static TestPostgres postgres;

    @TempDir
    Path directory;

    private Replica replica;
    private Proxies network;

    @BeforeAll
    static void anImpatientServer() {
        postgres = TestPostgres.start(Map.of("wal_sender_timeout", "6s"));
    }

    @BeforeEach
    void aStreamingReplica() {
        replica = new Replica(postgres, directory);
        network = replica.proxied();
        replica.start();
        replica.awaitStreaming();
    }

    @AfterEach
    void close() {
        replica.close();
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    /** The rows are there and nobody knows: they may not be confirmed, nor sent again before it is quiet. */
    @Test
    void replaysAfterTheQuietTimeWhenAReplyIsLost() {
        Injection lost = network.feldera().injectOnce(RequestPattern.ingress("users"), new HttpFault.LostReply());
        replica.sql("INSERT INTO users SELECT g, 'first', NULL FROM generate_series(1, 100) g");
        Lsn first = replica.walEnd();
        TestPostgres.await("the quiet time", () -> replica.status().phase().equals("quieting"));
        assertThat(lost.hits()).isEqualTo(1);
        assertThat(replica.target("users")).isEqualTo(replica.source("users"));
        assertThat(first.isAfter(replica.confirmedFlush())).isTrue();
        replica.sql("UPDATE users SET name = 'newer' WHERE id < 50", "DELETE FROM users WHERE id = 7");
        Lsn end = replica.walEnd();
        TestPostgres.await("confirmation", () -> !end.isAfter(replica.confirmedFlush()));
        replica.awaitEqual();
        assertThat(replica.status().sessions()).isEqualTo(2);
        assertThat(network.feldera().counts("ingress/users").maxInFlight()).isEqualTo(1);
    }

    /** Neither side hears that the other is gone: only its own patience ends a session. */
    @Test
    void aSessionWhoseWireIsABlackHoleEndsWhenSilentForTooLongAndANewOneBeginsWhenItIsLifted() {
        replica.sql("INSERT INTO users SELECT g, 'first', NULL FROM generate_series(1, 100) g");
        replica.awaitEqual();
        network.postgres().blackHole();
        replica.sql("UPDATE users SET name = 'newer' WHERE id < 50", "DELETE FROM users WHERE id = 7");
        TestPostgres.await(
                "the silence to be too long",
                () -> replica.status()
                        .lastFailure()
                        .filter(why -> why.contains("silent for more than"))
                        .isPresent());
        assertThat(replica.target("users")).contains("7|first|null").hasSize(100);
        network.postgres().resume();
        replica.awaitEqual();
        assertThat(replica.status().sessions()).isGreaterThanOrEqualTo(2);
    }
}
