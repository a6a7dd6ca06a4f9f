package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import tidemark.replication.TestPostgres;

/** One table is read again beside the stream, while much else happens. */
class ResyncIT extends ResyncCase {
    /** The one without a key gets every row once. */
    @Test
    void everyTableGetsEveryChangeOnceWhileOneAfterTheOtherIsReadAgain() {
        start();
        spoil();
        try (var writers = writers()) {
            for (String table : new String[] {"users", "bare", "parts"}) accepted(table);
            for (String table : new String[] {"users", "bare", "parts"}) await(table, "done");
            assertThat(writers.failure()).isEmpty();
        }
        awaitSame();
        assertThat(replica.status().sessions()).isEqualTo(4);
        replica.awaitConfirmed();
    }

    @Test
    void truncatedAndAlteredInTheMiddle() {
        start();
        replica.sql("INSERT INTO users SELECT g, 'u', NULL FROM generate_series(1001, 1600) g");
        awaitSame();
        lose(1001, 1200);
        replica.pipeline.ingressDelay(Duration.ofMillis(50));
        try (var writers = writers()) {
            accepted("users");
            TestPostgres.await(
                    "differences", () -> resync("users").orElseThrow().missing() > 60);
            replica.sql(
                    "TRUNCATE users", "ALTER TABLE users ADD COLUMN more text", "INSERT INTO users VALUES (2001, 'x')");
            replica.pipeline.ingressDelay(Duration.ZERO);
            await("users", "done");
            assertThat(writers.failure()).isEmpty();
        }
        replica.sql("ALTER TABLE users DROP COLUMN more");
        awaitSame();
    }

    /** Killed, or stopped: it is merged before the next session streams. */
    @Test
    void leftInTheMiddleItIsMergedByTheNextSession() {
        start();
        for (boolean killed : new boolean[] {false, true}) {
            lose(1, 100);
            replica.pipeline.ingressDelay(Duration.ofMillis(100));
            accepted("users");
            TestPostgres.await(
                    "differences", () -> resync("users").orElseThrow().missing() > 20);
            replica.sql("INSERT INTO users VALUES (%d, 'meanwhile', NULL)".formatted(killed ? 301 : 300));
            replica.sql("INSERT INTO bare VALUES (7, 'meanwhile')");
            if (killed) replica.abandon();
            else assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
            replica.pipeline.ingressDelay(Duration.ZERO);
            start();
            TestPostgres.await("users", () -> replica.target("users").equals(replica.source("users")));
            replica.awaitConfirmed();
        }
    }

    @Test
    void aPipelineThatComesBackEmptyMeanwhileIsFilled() {
        start();
        replica.pipeline.ingressDelay(Duration.ofMillis(50));
        lose(1, 100);
        accepted("users");
        TestPostgres.await("differences", () -> resync("users").orElseThrow().missing() > 20);
        replica.pipeline.restartEmpty();
        replica.pipeline.ingressDelay(Duration.ZERO);
        awaitSame();
        await("users", "interrupted");
        replica.awaitConfirmed();
    }
}
