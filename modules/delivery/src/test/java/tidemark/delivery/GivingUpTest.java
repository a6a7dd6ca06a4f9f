package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;
import tidemark.sink.Destination;
import tidemark.sink.IngressReply;
import tidemark.sink.Problem;
import tidemark.sink.QueryRows;
import tidemark.sink.SinkFailure;
import tidemark.sink.TableBody;

/**
 * What begins again from its beginning each time is not tried for ever, although its rows move; what is whole stays.
 */
class GivingUpTest {
    @TempDir
    Path directory;

    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(TestPostgres.shared(), directory).with(Settings::soonTired);
        replica.sql(
                "INSERT INTO users SELECT g, 'user ' || g, NULL FROM generate_series(1, 20000) g",
                "INSERT INTO items VALUES (1, 1, 'item')");
    }

    @AfterEach
    void close() {
        replica.pipeline.releaseCompletions();
        replica.close();
    }

    /** In each session a row is mended, and the tables become whole, for nothing. */
    @Test
    void aSlotThatGoesDuringEachMerge() {
        settled();
        replica.postgres.dropSlots(replica.database);
        replica.through(this::losingTheSlot);
        try (var log = new Listening()) {
            replica.start();
            assertThat(replica.awaitExit()).isEqualTo(ExitCode.UNREACHABLE);
            assertThat(log.linesWith("SEVERE giving up", "broken_off=", replica.slot, "ind out who drop"))
                    .hasSize(1);
        }
    }

    private Destination losingTheSlot(Destination feldera) {
        return new ForwardingDestination(feldera) {
            @Override
            public QueryRows query(String sql, QueryRows.Limits limits) {
                replica.sql(
                        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '%s'"
                                .formatted(replica.slot),
                        "UPDATE users SET name = name || '.' WHERE id = 1");
                return super.query(sql, limits);
            }
        };
    }

    private void settled() {
        replica.start();
        replica.awaitEqual();
        replica.awaitStreaming();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
    }

    @Test
    void aTruncateWhoseQueryFailsForGood() {
        settled();
        replica.through(GivingUpTest::unanswering);
        replica.start();
        replica.awaitStreaming();
        replica.sql("BEGIN; UPDATE users SET name = 'sent before' WHERE id < 3000; TRUNCATE items; COMMIT");
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.UNREACHABLE);
    }

    private static Destination unanswering(Destination feldera) {
        return new ForwardingDestination(feldera) {
            @Override
            public QueryRows query(String sql, QueryRows.Limits limits) {
                throw failure("/query");
            }
        };
    }

    private static SinkFailure failure(String attempted) {
        return new SinkFailure(new Problem(attempted, 200, "", "short of something", SinkFailure.Kind.TRANSIENT));
    }

    /** Parts of it are complete each time, and each time for nothing. */
    @Test
    void aTransactionLargerThanABatchThatNeverComesToItsEnd() {
        settled();
        replica.through(GivingUpTest::refusingTheFifth);
        replica.start();
        replica.awaitStreaming();
        replica.sql("INSERT INTO items SELECT g, g, 'one of many' FROM generate_series(2, 6000) g");
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.UNREACHABLE);
    }

    /** Of each session. */
    private static Destination refusingTheFifth(Destination feldera) {
        var posts = new AtomicInteger();
        return new ForwardingDestination(feldera) {
            @Override
            public IngressReply post(TableBody body) {
                if (body.length() == "[]".length()) posts.set(0);
                return posts.incrementAndGet() <= 5
                        ? super.post(body)
                        : new IngressReply.NotNow(failure("/ingress").problem());
            }
        };
    }

    /** Once another one breaks off. */
    @Test
    void aTableThatIsWholeIsNotReadAgain() {
        replica.with(settings -> Settings.copyingWith(1, settings));
        replica.through(this::refusingItemsOnce);
        try (var log = new Listening()) {
            replica.start();
            replica.awaitEqual();
            assertThat(log.linesWith("INFO kept table=public.users lsn=", "count=20000"))
                    .hasSize(1);
        }
        assertThat(replica.status().sessions()).isEqualTo(2);
        assertThat(replica.operations("users")).isEqualTo(20_000);
        replica.sql("UPDATE users SET name = 'streamed' WHERE id < 9", "DELETE FROM users WHERE id > 9");
        replica.awaitEqual();
    }

    private Destination refusingItemsOnce(Destination feldera) {
        var refused = new AtomicBoolean();
        return new ForwardingDestination(feldera) {
            @Override
            public IngressReply post(TableBody body) {
                boolean first = body.table().text().equals("items")
                        && body.length() > "[]".length()
                        && !refused.getAndSet(true);
                if (!first) return super.post(body);
                TestPostgres.await("users to be whole on disk", GivingUpTest.this::isAnyCopied);
                TestPostgres.await(
                        "that to be shown",
                        () -> replica.status().tables().stream()
                                .map(ConnectorStatus.Table::state)
                                .toList()
                                .equals(List.of("copied", "copying")));
                return new IngressReply.NotNow(failure("/ingress").problem());
            }
        };
    }

    private boolean isAnyCopied() {
        try {
            return Files.readString(directory.resolve(replica.database + ".json"))
                    .contains("COPIED");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
