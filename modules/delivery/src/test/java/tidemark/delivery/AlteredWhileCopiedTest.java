package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidemark.replication.PostgresSource;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceSession;
import tidemark.replication.TableCopy;
import tidemark.replication.TableShape;
import tidemark.replication.TestPostgres;

/** What the snapshot does not show any more, or COPY prints otherwise, is copied by the session after. */
class AlteredWhileCopiedTest {
    @TempDir
    Path directory;

    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(TestPostgres.shared(), directory);
        replica.sql(
                "INSERT INTO users SELECT g, 'user ' || g, NULL FROM generate_series(1, 5) g",
                "INSERT INTO items VALUES (1, 1, 'item')");
    }

    @AfterEach
    void close() {
        replica.pipeline.releaseCompletions();
        replica.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ALTER TABLE users ALTER name TYPE text USING name || ''", "TRUNCATE users"})
    void aTableThatIsWrittenAnewBetweenTheSnapshotAndItsCopyIsNotCopiedAsEmpty(String anew) {
        var first = new AtomicBoolean(true);
        replica.reading(source -> new FineParts(source, () -> {
            if (first.getAndSet(false)) {
                replica.sql(anew, "INSERT INTO users VALUES (6, 'after the snapshot', NULL)");
            }
        }));
        replica.start();
        replica.awaitStreaming();
        replica.sql("UPDATE users SET name = 'streamed' WHERE id = 6");
        replica.awaitEqual();
        assertThat(replica.status().sessions()).isEqualTo(2);
    }

    @Test
    void whatIsReadInOrderIsNotReadAsEmptyEither() {
        var settings = replica.postgres.settings(replica.database, replica.slot, "pub");
        try (var source = new PostgresSource(settings, InstantSource.system());
                SourceSession session = source.open();
                Snapshot snapshot = session.snapshotBesideSlot()) {
            List<TableShape> tables = session.publication().tables();
            var looked = source.editions(tables.stream().map(TableShape::name).toList());
            var unaltered = new UnalteredSnapshot(snapshot, source, looked);
            replica.sql("ALTER TABLE users ALTER name TYPE text USING name || ''");
            for (TableShape table : tables) {
                if (!table.name().table().equals("users")) {
                    try (TableCopy copy = unaltered.copy(table)) {
                        assertThat(copy.next()).isPresent();
                    }
                    continue;
                }
                assertThatExceptionOfType(SessionOver.class)
                        .isThrownBy(() -> unaltered.copy(table))
                        .satisfies(over -> assertThat(over.failure()).isInstanceOf(Failure.Transient.class));
                replica.sql("SET lock_timeout = '5s'", "TRUNCATE users");
            }
        }
    }

    /** Nor is it taken for a failure that needs a person: the next session looks again. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE users DROP COLUMN name",
                "ALTER TABLE users RENAME COLUMN name TO title",
                "DROP TABLE users",
                "ALTER TABLE users RENAME TO people"
            })
    void whatIsGoneSinceTheSnapshotWasAltered(String gone) {
        var settings = replica.postgres.settings(replica.database, replica.slot, "pub");
        try (var source = new PostgresSource(settings, InstantSource.system());
                SourceSession session = source.open();
                Snapshot snapshot = session.snapshotBesideSlot()) {
            List<TableShape> tables = session.publication().tables();
            TableShape users = tables.stream()
                    .filter(table -> table.name().table().equals("users"))
                    .findFirst()
                    .orElseThrow();
            var looked = source.editions(tables.stream().map(TableShape::name).toList());
            var unaltered = new UnalteredSnapshot(snapshot, source, looked);
            replica.sql(gone);
            List<ThrowingCallable> ways = List.of(
                    () -> unaltered.copy(users),
                    () -> unaltered.share(tables, 2, 1),
                    () -> takenAndCopied(unaltered, users));
            for (ThrowingCallable way : ways) {
                assertThatExceptionOfType(SessionOver.class)
                        .isThrownBy(way)
                        .satisfies(over -> assertThat(over.failure()).isInstanceOf(Failure.Transient.class))
                        .withMessageContaining("users was altered");
            }
        }
    }

    private static void takenAndCopied(Snapshot snapshot, TableShape table) {
        try (Snapshot taken = snapshot.taken(table);
                TableCopy copy = taken.copy(table)) {
            assertThat(copy.next()).isPresent();
        }
    }

    @Test
    void aCompositeThatGetsAFieldIsCopiedWithIt() {
        try (var composite = new Replica(
                        TestPostgres.shared(),
                        directory,
                        "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, v ROW(a INT, b INT))",
                        "t",
                        "CREATE TYPE pair AS (a int)",
                        "CREATE TABLE t (id int PRIMARY KEY, v pair)",
                        "CREATE PUBLICATION pub FOR TABLE t",
                        "INSERT INTO t SELECT g, ROW(g)::pair FROM generate_series(1, 20000) g")
                .inFineParts()) {
            composite.pipeline.holdCompletions();
            composite.start();
            TestPostgres.await(
                    "a full window in the middle of the copy", () -> composite.pipeline.ingressRequests("t") >= 5);
            composite.sql("ALTER TYPE pair ADD ATTRIBUTE b int");
            composite.pipeline.releaseCompletions();
            composite.awaitStreaming();
            composite.sql("DELETE FROM t WHERE id < 20000", "INSERT INTO t VALUES (20001, (1, 2))");
            composite.awaitRows("t", "20000|{\"a\":20000,\"b\":null}", "20001|{\"a\":1,\"b\":2}");
            assertThat(composite.status().sessions()).isEqualTo(2);
        }
    }

    /** COPY looks its type up again when it opens the store of a large value. */
    @Test
    void aCompositeThatGetsAFieldIsMergedWithIt() {
        try (var composite = new Replica(
                        TestPostgres.shared(),
                        directory,
                        "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, large VARCHAR, v ROW(a INT, b INT))",
                        "t",
                        "CREATE TYPE pair AS (a int)",
                        "CREATE TABLE t (id int PRIMARY KEY, large text, v pair)",
                        "ALTER TABLE t ALTER large SET STORAGE EXTERNAL",
                        "CREATE PUBLICATION pub FOR TABLE t",
                        "INSERT INTO t VALUES (0, 'first', ROW(0)::pair)")
                .with(settings -> Settings.inBatchesOf(100, settings))) {
            composite.start();
            composite.awaitStreaming();
            assertThat(composite.stop()).isEqualTo(ExitCode.DRAINED);
            composite.sql(
                    "SELECT pg_drop_replication_slot('%s')".formatted(composite.slot),
                    "INSERT INTO t SELECT g, repeat(md5(g::text), 128), ROW(g)::pair FROM generate_series(1, 6000) g");
            long before = composite.pipeline.ingressRequests("t");
            composite.pipeline.ingressDelay(Duration.ofMillis(50));
            composite.start();
            TestPostgres.await("the merge", () -> composite.pipeline.ingressRequests("t") >= before + 4);
            composite.pipeline.holdCompletions();
            composite.sql("ALTER TYPE pair ADD ATTRIBUTE b int");
            composite.pipeline.ingressDelay(Duration.ZERO);
            composite.pipeline.releaseCompletions();
            composite.awaitStreaming();
            composite.sql("DELETE FROM t WHERE id < 6000", "UPDATE t SET large = 'last'");
            composite.awaitRows("t", "6000|last|{\"a\":6000,\"b\":null}");
            assertThat(composite.status().sessions()).isEqualTo(2);
        }
    }
}
