package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidemark.replication.SlotStatus;
import tidemark.replication.TestPostgres;

/** A Feldera table without key has a row as often as it was sent: what a copy left must not be copied over. */
@Tag("slow")
class KeylessCopyIT {
    private static final int ROWS = 20_000;

    @TempDir
    Path directory;

    private final Listening log = new Listening();
    private final List<Replica> replicas = new ArrayList<>();

    /** @param columns of Feldera's table {@code t}, and how it is stored */
    private Replica replica(String columns) {
        var replica = new Replica(
                        TestPostgres.shared(),
                        directory,
                        "CREATE TABLE t " + columns + ";",
                        "t",
                        "CREATE TABLE t (id int PRIMARY KEY, name text, j jsonb)",
                        "ALTER TABLE t REPLICA IDENTITY FULL",
                        "CREATE PUBLICATION pub FOR TABLE t WITH (publish = 'insert, update, delete')",
                        "INSERT INTO t SELECT g, 'row ' || g, NULL FROM generate_series(1, %d) g".formatted(ROWS))
                .with(KeylessCopyIT::withoutTruncate);
        replicas.add(replica);
        return replica;
    }

    private static DeliverySettings withoutTruncate(DeliverySettings settings) {
        return Settings.partial(Settings.keyless(settings));
    }

    @AfterEach
    void close() {
        replicas.forEach(replica -> replica.pipeline.releaseCompletions());
        replicas.forEach(Replica::close);
        log.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCopyThatBrokeIsMergedAndHasNoRowTwice(boolean withStop) {
        var replica = replica("(id INT, name VARCHAR) WITH ('materialized' = 'true')");
        if (withStop) replica.with(settings -> Settings.stopping(withoutTruncate(settings)));
        abandonMidCopy(replica);
        replica.sql("DELETE FROM t WHERE id < 500", "UPDATE t SET id = -id WHERE id < 700");
        replica.start();
        TestPostgres.await("as many rows", () -> replica.rows("t").size() == ROWS - 499);
        replica.sql("UPDATE t SET name = 'streamed' WHERE id = 20000", "DELETE FROM t WHERE id < 19999");
        replica.awaitRows("t", "19999|row 19999", "20000|streamed");
    }

    /** Found out before anything is made anew or written: neither would help. */
    @ParameterizedTest
    @ValueSource(
            strings = {"(id INT, name VARCHAR)", "(id INT, name VARCHAR, j VARIANT) WITH ('materialized' = 'true')"})
    void aTableThatCannotBeMergedIsRefusedWithSlotAndStateAsTheyWere(String columns) throws IOException {
        var replica = replica(columns);
        replica.sql("UPDATE t SET j = to_jsonb(id)");
        replica.start();
        replica.awaitStreaming();
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        byte[] state = Files.readAllBytes(directory.resolve(replica.database + ".json"));
        replica.sql("SELECT pg_drop_replication_slot('%s')".formatted(replica.slot));
        refused(replica);
        assertThat(replica.slotStatus()).isInstanceOf(SlotStatus.Missing.class);
        assertThat(Files.readAllBytes(directory.resolve(replica.database + ".json")))
                .isEqualTo(state);
        replica.pipeline.restartEmpty();
        replica.start();
        replica.awaitStreaming();
        assertThat(replica.operations("t")).isEqualTo(ROWS);
    }

    @Test
    void aCopyThatBrokeAndCannotBeMergedIsRefusedAndNotCopiedOver() {
        var replica = replica("(id INT, name VARCHAR)");
        abandonMidCopy(replica);
        refused(replica);
    }

    private void refused(Replica replica) {
        replica.start();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(log.linesWith("SEVERE", "public.t -> t", "has to be merged", "restart the pipeline empty"))
                .hasSize(1);
    }

    private void abandonMidCopy(Replica replica) {
        replica.pipeline.holdCompletions();
        replica.start();
        TestPostgres.await("a full window in the middle of the copy", () -> replica.pipeline.ingressRequests("t") >= 5);
        replica.sever();
        replica.pipeline.releaseCompletions(); // it notices at the next row
        replica.awaitSevered();
    }
}
