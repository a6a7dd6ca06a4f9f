package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
}
