package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.ChangeSource;
import tidemark.replication.ForwardingSession;
import tidemark.replication.ForwardingSource;
import tidemark.replication.SourceSession;
import tidemark.replication.TestPostgres;
import tidemark.replication.TypeShape;

/**
 * A composite that is altered while its rows stream, or while nobody is looking: PostgreSQL prints as many fields as
 * the type had at that point of the WAL, without their names, and no RELATION tells of it.
 */
class CompositeChangeTest {
    @TempDir
    Path directory;

    private final Listening log = new Listening();
    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(
                TestPostgres.shared(),
                directory,
                "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, v ROW(a INT, b INT, c INT, d INT), w VARIANT)",
                "t",
                "CREATE TYPE triple AS (a int, b int, c int)",
                "CREATE TABLE t (id int PRIMARY KEY, v triple, w triple[])",
                "CREATE PUBLICATION pub FOR TABLE t",
                "INSERT INTO t VALUES (1, (1, 2, 3))");
        replica.start();
        replica.awaitStreaming();
    }

    @AfterEach
    void close() {
        log.close();
        replica.close();
    }

    private static String row(int id, String a, String b, String c, String d) {
        return "%d|{\"a\":%s,\"b\":%s,\"c\":%s,\"d\":%s}|null".formatted(id, a, b, c, d);
    }

    @Test
    void fieldsThatAreAddedArriveByName() {
        replica.sql("ALTER TYPE triple ADD ATTRIBUTE d int", "INSERT INTO t VALUES (2, (1, 2, 3, 4))");
        replica.awaitRows("t", row(1, "1", "2", "3", "null"), row(2, "1", "2", "3", "4"));
    }

    @Test
    void aFieldThatIsDroppedTakesNoOthersName() {
        replica.sql("ALTER TYPE triple DROP ATTRIBUTE b", "INSERT INTO t VALUES (2, (1, 3))");
        replica.awaitRows("t", row(1, "1", "2", "3", "null"), row(2, "1", "null", "3", "null"));
        replica.sql("INSERT INTO t VALUES (3, (5, 6), ARRAY[(7, 8)::triple])");
        replica.awaitRows(
                "t",
                row(1, "1", "2", "3", "null"),
                row(2, "1", "null", "3", "null"),
                "3|{\"a\":5,\"b\":null,\"c\":6,\"d\":null}|[{\"a\":7,\"c\":8}]");
    }

    @Test
    void aFieldThatIsDroppedFromElementsTakesNoOthersName() {
        replica.sql("ALTER TYPE triple DROP ATTRIBUTE a", "INSERT INTO t VALUES (2, NULL, ARRAY[(2, 3)::triple])");
        replica.awaitRows("t", row(1, "1", "2", "3", "null"), "2|null|[{\"b\":2,\"c\":3}]");
    }

    /** Rows from before and after an ADD, read by a catalog that has both: the first fields are what they were. */
    @Test
    void rowsFromBeforeFieldsWereAddedLackThem() {
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql(
                "INSERT INTO t VALUES (2, (1, 2, 3))",
                "ALTER TYPE triple ADD ATTRIBUTE d int",
                "INSERT INTO t VALUES (3, (1, 2, 3, 4))");
        replica.start();
        replica.awaitRows(
                "t", row(1, "1", "2", "3", "null"), row(2, "1", "2", "3", "null"), row(3, "1", "2", "3", "4"));
    }

    /** The loop waits for each answer: it must not for each transaction. The answer is newer than all of them. */
    @Test
    void aBacklogOfSmallTransactionsAsksOnce() {
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        String[] inserts = IntStream.range(2, 42)
                .mapToObj("INSERT INTO t VALUES (%d, (1, 2, 3), NULL)"::formatted)
                .toArray(String[]::new);
        replica.sql(inserts);
        replica.sql("ALTER TYPE triple ADD ATTRIBUTE d int", "INSERT INTO t VALUES (42, (1, 2, 3, 4), NULL)");
        var asked = new AtomicInteger();
        replica.reading(source -> new Counting(source, asked)).start();
        TestPostgres.await("all rows", () -> replica.rows("t").size() == 42);
        assertThat(replica.rows("t")).contains(row(41, "1", "2", "3", "null"), row(42, "1", "2", "3", "4"));
        assertThat(asked).as("the types of two columns, once").hasValue(2);
    }

    private static final class Counting extends ForwardingSource {
        private final AtomicInteger asked;

        Counting(ChangeSource source, AtomicInteger asked) {
            super(source);
            this.asked = asked;
        }

        @Override
        public SourceSession open() {
            return new ForwardingSession(super.open()) {
                @Override
                public TypeShape typeNow(int oid, int modifier) {
                    asked.incrementAndGet();
                    return super.typeNow(oid, modifier);
                }
            };
        }
    }

    /** Three fields of four, of which one was dropped since: nobody can tell which. */
    @Test
    void rowsFromBeforeADropAreNotGuessed() {
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql(
                "INSERT INTO t VALUES (2, (1, 2, 3))",
                "ALTER TYPE triple DROP ATTRIBUTE b",
                "ALTER TYPE triple ADD ATTRIBUTE d int",
                "ALTER TYPE triple ADD ATTRIBUTE e int");
        replica.start();
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.DATA);
        assertThat(log.linesWith("SEVERE", "public.t -> t column v", "fields")).isNotEmpty();
        assertThat(replica.rows("t")).hasSize(1);
    }

    @Test
    void aFieldThatIsDroppedAndAddedIsReported() {
        replica.sql("ALTER TYPE triple DROP ATTRIBUTE b", "ALTER TYPE triple ADD ATTRIBUTE b int");
        TestPostgres.await("a drift", () -> !replica.drifts().isEmpty());
        assertThat(replica.drifts()).extracting(ConnectorStatus.Drift::kind).containsOnly(DriftKind.COLUMNS);
        assertThat(log.linesWith("WARNING drift kind=columns", "public.t -> t column v", "fields of its type"))
                .hasSize(1);
    }
}
