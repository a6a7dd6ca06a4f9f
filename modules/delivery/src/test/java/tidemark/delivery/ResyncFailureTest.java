package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import tidemark.decode.RelationName;
import tidemark.replication.ForwardingSession;
import tidemark.replication.ForwardingSource;
import tidemark.replication.SourceSession;
import tidemark.replication.TestPostgres;

/** A table that cannot be read again, and the others that do not notice. */
class ResyncFailureTest extends ResyncCase {
    private CancelReply cancel(RelationName table) {
        return replica.connector().cancelResync(table);
    }

    private String why(String table) {
        return resync(table).flatMap(ConnectorStatus.Resync::why).orElseThrow();
    }

    /** A row that was sent with a null when the policy was another one, behind two bodies of differences. */
    private void unsendable() {
        start();
        replica.sql(
                "INSERT INTO users VALUES (50, 'forever', 'infinity') ON CONFLICT (id) DO UPDATE SET at = excluded.at");
        replica.awaitConfirmed();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.with(settings -> Settings.failing(Settings.keyless(settings, 20)));
    }

    @Test
    void aRowThatCannotBeSentFailsBeforeTheFirstDifferenceIs() {
        unsendable();
        start();
        lose(1, 40);
        long before = replica.operations("users");
        accepted("users");
        await("users", "failed");
        assertThat(why("users"))
                .contains("public.users", "column at", "key_md5=c0c7c76d") // of 50
                .doesNotContain("infinity'", "forever");
        replica.sql("INSERT INTO users VALUES (500, 'meanwhile', NULL)", "INSERT INTO items VALUES (500, 1, 'x')");
        TestPostgres.await("the stream", () -> replica.operations("users") == before + 1);
        replica.awaitConfirmed();
        assertThat(replica.status().lastFailure()).isEmpty();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        start();
    }

    @Test
    void whatIsCancelledBeforeADifferenceWasSentStreamsOnFromWhereItWas() throws SQLException {
        start();
        assertThat(cancel(named("nobody"))).isEqualTo(new CancelReply.UnknownTable());
        assertThat(cancel(named("users"))).isEqualTo(new CancelReply.NotUnderWay());
        try (Connection other = replica.postgres.connect(replica.database);
                Statement open = other.createStatement()) {
            open.execute("BEGIN; INSERT INTO items VALUES (900, 1, 'long')");
            accepted("users");
            accepted("items");
            await("users", "merging");
            replica.sql("INSERT INTO users VALUES (500, 'meanwhile', NULL)");
            assertThat(cancel(named("items"))).isEqualTo(new CancelReply.Cancelled());
            assertThat(why("items")).isEqualTo("it was cancelled");
            assertThat(cancel(named("users"))).isEqualTo(new CancelReply.Cancelled());
            await("users", "failed");
            assertThat(why("users")).isEqualTo("it was cancelled");
            TestPostgres.await("users", () -> replica.target("users").equals(replica.source("users")));
            open.execute("COMMIT");
        }
        awaitSame();
        assertThat(replica.status().lastFailure()).isEmpty();
    }

    /** The one without a key gets no row twice, whatever of it was sent behind the last mark. */
    @Test
    void whatIsCancelledAndStoppedBeforeTheSessionEndsGoesOnWhereItWas() throws SQLException {
        start();
        replica.pipeline.holdCompletions();
        replica.sql("INSERT INTO bare VALUES (7, 'sent and in no mark')");
        TestPostgres.await("its rows", () -> replica.status().batchesInFlight() > 0);
        try (Connection other = replica.postgres.connect(replica.database);
                Statement open = other.createStatement();
                var log = new Listening()) {
            open.execute("BEGIN; INSERT INTO items VALUES (900, 1, 'long')");
            accepted("bare");
            await("bare", "merging");
            assertThat(cancel(named("bare"))).isEqualTo(new CancelReply.Cancelled());
            TestPostgres.await(
                    "the cancel to be heard",
                    () -> !log.linesWith("resync failed", "public.bare").isEmpty());
            replica.connector().stop();
            replica.pipeline.releaseCompletions();
            assertThat(replica.awaitExit()).isEqualTo(ExitCode.DRAINED);
            open.execute("COMMIT");
        }
        start();
        replica.sql("INSERT INTO bare VALUES (8, 'later')");
        awaitSame();
    }

    @Test
    void whatWasChangedCannotBeCancelled() {
        start();
        lose(1, 100);
        replica.pipeline.ingressDelay(Duration.ofMillis(300));
        accepted("users");
        TestPostgres.await("differences", () -> resync("users").orElseThrow().missing() > 20);
        TestPostgres.await("too late", () -> cancel(named("users")).equals(new CancelReply.TooLate()));
        replica.pipeline.ingressDelay(Duration.ZERO);
        await("users", "done");
        awaitSame();
    }

    /** Whoever sees the phase may ask for anything. */
    @Test
    void itIsStreamingOnceEverythingCanBeAskedFor() {
        var early = new AtomicBoolean();
        replica.reading(real -> new ForwardingSource(real) {
            @Override
            public SourceSession open() {
                return new ForwardingSession(super.open()) {
                    @Override
                    public Duration statusInterval() { // asked while the stream is put together
                        if (replica.status().phase().equals("streaming")) early.set(true);
                        return super.statusInterval();
                    }
                };
            }
        });
        start();
        accepted("users");
        assertThat(early).isFalse();
        await("users", "done");
    }
}
