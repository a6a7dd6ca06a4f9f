package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;
import tidemark.sink.Completion;
import tidemark.sink.CompletionToken;
import tidemark.sink.FelderaClient;
import tidemark.sink.FelderaName;
import tidemark.sink.IngressReply;
import tidemark.sink.TableBody;

/** How a session begins, between a real PostgreSQL and the stand-in: both, and what all of its tests do. */
abstract class StartTableCase {
    final TestPostgres postgres = TestPostgres.shared();

    @TempDir
    Path directory;

    Replica replica;
    Listening log;

    @BeforeEach
    void listen() {
        log = new Listening();
        replica = new Replica(postgres, directory);
        replica.sql("INSERT INTO users VALUES (1, 'one', NULL)", "INSERT INTO items VALUES (1, 1, 'first')");
    }

    @AfterEach
    void close() {
        replica.pipeline.releaseCompletions();
        replica.close();
        log.close();
    }

    void settled() {
        replica.start();
        replica.awaitEqual();
        replica.awaitStreaming();
        stopped();
    }

    void settledWithoutCopy() {
        replica.start();
        replica.awaitStreaming();
        stopped();
        assertThat(replica.rows("users")).isEmpty();
    }

    void stopped() {
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
    }

    /** With {@code snapshot.on-state-loss=stop}; else all of it is read again, and what was left is mended. */
    void refusedOrMended(String... words) {
        refused(words);
        replica.with(settings -> settings);
        mended();
    }

    void mended() {
        replica.sql("INSERT INTO users VALUES (7, 'seven', NULL)");
        replica.start();
        replica.awaitEqual();
        replica.sql("UPDATE users SET name = 'streamed'");
        replica.awaitEqual();
    }

    void refused(String... words) {
        replica.with(Settings::stopping);
        refusedAsItIs(words);
    }

    /** By name, once, with nothing sent, and slot and state file as they were. */
    void refusedAsItIs(String... words) {
        Kept before = kept();
        int stopped = log.linesWith("SEVERE stopping exit=78").size();
        replica.start();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(log.linesWith(words)).as(String.join(" … ", words)).anyMatch(line -> line.startsWith("SEVERE"));
        assertThat(log.linesWith("SEVERE stopping exit=78")).hasSize(stopped + 1);
        assertThat(kept()).isEqualTo(before);
    }

    /** What a start that is refused leaves alone. */
    private record Kept(String slot, long users, long items, String state) {}

    private Kept kept() {
        String slot = postgres.query(
                replica.database,
                "SELECT coalesce(string_agg(concat_ws(' ', slot_type, plugin, database, confirmed_flush_lsn), ','), 'none')"
                        + " FROM pg_replication_slots WHERE slot_name = '%s'".formatted(replica.slot));
        return new Kept(slot, replica.operations("users"), replica.operations("items"), state());
    }

    Path stateFile() {
        return replica.settings().stateFile();
    }

    /** Empty if there is none. */
    String state() {
        try {
            return Files.exists(stateFile()) ? Files.readString(stateFile(), StandardCharsets.ISO_8859_1) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void writeState(String text) {
        try {
            Files.writeString(stateFile(), text, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void dropSlot() {
        replica.sql("SELECT pg_drop_replication_slot('%s')".formatted(replica.slot));
    }

    /** Over what was written until now. */
    void moveSlot() {
        TestPostgres.await("nobody to use the slot", () -> slots("active_pid IS NULL") == 1);
        replica.sql("SELECT pg_replication_slot_advance('%s', pg_current_wal_lsn())".formatted(replica.slot));
    }

    int slots(String condition) {
        return Integer.parseInt(postgres.query(
                replica.database,
                "SELECT count(*) FROM pg_replication_slots WHERE slot_name = '%s' AND %s"
                        .formatted(replica.slot, condition)));
    }

    /** Of the only table: rows in Feldera, and none of them on the way. */
    void abandonMidCopy() {
        replica.routes("users");
        replica.sql("INSERT INTO users SELECT g, 'user ' || g, NULL FROM generate_series(1000, 20000) g");
        replica.pipeline.holdCompletions();
        replica.start();
        TestPostgres.await(
                "a full window in the middle of the copy", () -> replica.pipeline.ingressRequests("users") >= 5);
        replica.sever();
        replica.pipeline.releaseCompletions(); // it notices at the next row
        replica.awaitSevered();
        assertThat(state()).contains("PENDING").doesNotContain("COPIED");
    }

    /**
     * Through the endpoint that is ours, and until it is visible: of us in another life, or of somebody with our
     * parameters.
     */
    void postThroughOurEndpoint(String table, String operation) {
        byte[] bytes = ("[" + operation + "]").getBytes(StandardCharsets.UTF_8);
        try (FelderaClient client = replica.reachedClient()) {
            IngressReply reply = client.post(new TableBody(new FelderaName(table, false), bytes, bytes.length));
            CompletionToken token = ((IngressReply.Accepted) reply).token();
            TestPostgres.await(operation, () -> client.completion(token) instanceof Completion.Complete);
        }
    }

    List<String> merged(String table) {
        return log.linesWith("WARNING merging table=public." + table);
    }
}
