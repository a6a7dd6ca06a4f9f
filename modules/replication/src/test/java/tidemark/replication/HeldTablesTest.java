package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidemark.replication.SourceFailure.Kind;

/** Who shares tables holds them, before the first row is read: under the snapshot, what is written anew has no rows. */
class HeldTablesTest {
    private static final long PART_BYTES = 16_384;

    private final TestPostgres postgres = TestPostgres.shared();
    private String database;
    private PostgresSource source;

    @BeforeEach
    void aDatabase() {
        database = postgres.newDatabase();
        postgres.execute(
                database,
                "CREATE TABLE t (id int PRIMARY KEY, v text)",
                "CREATE PUBLICATION p FOR ALL TABLES WITH (publish_via_partition_root = true)");
        source = new PostgresSource(postgres.settings(database, "held_" + database, "p"), InstantSource.system());
    }

    @AfterEach
    void dropSlots() {
        source.close();
        postgres.dropSlots(database);
    }

    /** Though it is not cut, or one of its partitions is, and no row of it was read yet. */
    @Test
    void nobodyWritesATableAnewThatIsStillToBeRead() {
        postgres.execute(
                database,
                "CREATE TABLE root (id int PRIMARY KEY, v text) PARTITION BY RANGE (id)",
                "CREATE TABLE leaf PARTITION OF root FOR VALUES FROM (MINVALUE) TO (MAXVALUE)",
                "CREATE TABLE small (id int PRIMARY KEY, v text)",
                "INSERT INTO small VALUES (1, 'row')");
        try (SourceSession session = source.open();
                Snapshot snapshot = session.createSlot();
                SharedCopy shared = snapshot.share(session.publication().tables(), 2, PART_BYTES)) {
            shared.readers().getFirst().close();
            for (String table : List.of("leaf", "small")) {
                assertThatThrownBy(() -> postgres.execute(database, "SET lock_timeout = '50ms'", "TRUNCATE " + table))
                        .as(table)
                        .hasStackTraceContaining("lock timeout");
            }
            assertThat(shared.readers()).hasSize(2);
        }
    }

    /** It would wait for the readers before it, and they for it. */
    @Test
    void aReaderDoesNotWaitLongBehindWhoeverWaitsForAnother() {
        postgres.execute(database, "CREATE TABLE other (id int)");
        try (SourceSession session = source.open();
                Snapshot snapshot = session.createSlot()) {
            List<TableShape> tables = session.publication().tables();
            List<TableShape> t = tables.stream()
                    .filter(table -> table.name().table().equals("t"))
                    .toList();
            List<TableShape> rest =
                    tables.stream().filter(table -> !t.contains(table)).toList();
            try (SharedCopy first = snapshot.share(t, 1, PART_BYTES);
                    SharedCopy second = snapshot.share(rest, 1, PART_BYTES)) {
                var altering = CompletableFuture.runAsync(() -> postgres.execute(database, "TRUNCATE t"));
                TestPostgres.await(
                        "somebody who waits for the first",
                        () -> postgres.query(database, "SELECT count(*) FROM pg_locks WHERE NOT granted")
                                .equals("1"));
                var behind = (SnapshotReader) second.readers().getFirst();
                assertThatThrownBy(() -> behind.hold(t, Duration.ofMillis(100)))
                        .isInstanceOfSatisfying(
                                SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.TRANSIENT));
                first.readers().forEach(PartReader::close);
                altering.join();
            }
        }
    }
}
