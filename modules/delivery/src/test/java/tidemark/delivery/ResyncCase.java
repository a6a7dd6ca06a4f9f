package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tidemark.decode.RelationName;
import tidemark.replication.TestPostgres;

/**
 * One table is read again beside the stream, between a real PostgreSQL and the stand-in: both, and what both tests do.
 */
abstract class ResyncCase {
    private static final String PROGRAM = Replica.PROGRAM + """
            CREATE TABLE bare (n INTEGER, v VARCHAR) WITH ('materialized' = 'true');
            CREATE TABLE parts (id INTEGER NOT NULL PRIMARY KEY, v VARCHAR) WITH ('materialized' = 'true');
            """;

    @TempDir
    Path directory;

    Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(
                TestPostgres.shared(),
                directory,
                PROGRAM,
                "users,items,bare,parts",
                "CREATE TABLE users (id bigint PRIMARY KEY, name text, at timestamp)",
                "CREATE TABLE items (id int PRIMARY KEY, owner bigint, label text)",
                "CREATE TABLE bare (n int, v text)",
                "ALTER TABLE bare REPLICA IDENTITY FULL",
                "CREATE TABLE parts (id int PRIMARY KEY, v text) PARTITION BY RANGE (id)",
                "CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10)",
                "CREATE TABLE parts_2 (id int PRIMARY KEY, v text)",
                "CREATE PUBLICATION pub FOR TABLE users, items, bare, parts WITH (publish_via_partition_root = true)",
                "INSERT INTO users SELECT g, 'u' || g, NULL FROM generate_series(1, 100) g",
                "INSERT INTO items SELECT g, g, 'i' FROM generate_series(1, 20) g",
                "INSERT INTO bare SELECT g % 3, 'v' FROM generate_series(1, 9) g",
                "INSERT INTO parts VALUES (1, 'one')");
        replica.with(settings -> Settings.keyless(settings, 20));
    }

    @AfterEach
    void close() {
        replica.close();
    }

    void start() {
        replica.start();
        replica.awaitStreaming();
    }

    static RelationName named(String table) {
        return new RelationName("public", table);
    }

    void accepted(String table) {
        assertThat(replica.resync(named(table))).isEqualTo(new ResyncReply.Accepted());
    }

    Optional<ConnectorStatus.Resync> resync(String table) {
        return replica.status().tables().stream()
                .filter(row -> row.postgres().equals("public." + table))
                .findFirst()
                .orElseThrow()
                .resync();
    }

    void await(String table, String state) {
        TestPostgres.await(
                table + " to be " + state,
                () -> resync(table).filter(now -> now.state().equals(state)).isPresent());
    }

    void awaitSame() {
        for (String table : new String[] {"users", "items", "parts"}) {
            try {
                TestPostgres.await(table, () -> replica.target(table).equals(replica.source(table)));
            } catch (AssertionError different) {
                assertThat(replica.target(table)).isEqualTo(replica.source(table));
                throw different;
            }
        }
        String bare = "SELECT string_agg(n || '|' || v, ',' ORDER BY n || '|' || v COLLATE \"C\") FROM bare";
        replica.awaitRows("bare", replica.postgres.query(replica.database, bare).split(","));
    }

    /** Users lacks one, has another one that PostgreSQL lacks, and one that is not the same. */
    void spoil() {
        replica.post("users", "{\"delete\":{\"id\":7}}");
        replica.post("users", "{\"insert\":{\"id\":8,\"name\":\"another\",\"at\":null}}");
        replica.post("users", "{\"insert\":{\"id\":1000,\"name\":\"stranger\",\"at\":null}}");
    }

    /** Somebody takes these out of Feldera. */
    void lose(int from, int to) {
        replica.post(
                "users",
                IntStream.rangeClosed(from, to)
                        .mapToObj("{\"delete\":{\"id\":%d}}"::formatted)
                        .collect(Collectors.joining(",")));
    }

    Busy writers() {
        return new Busy();
    }

    /** Writes to all tables until it is closed. */
    final class Busy implements AutoCloseable {
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile Optional<SQLException> failure = Optional.empty();
        private final Thread thread = Thread.ofVirtual().start(this::write);

        private void write() {
            try (Connection connection = replica.postgres.connect(replica.database);
                    Statement statement = connection.createStatement()) {
                for (int i = 0; !over.get(); i++) {
                    statement.execute(
                            "BEGIN; INSERT INTO users VALUES (%d, 'w', NULL) ON CONFLICT (id) DO UPDATE SET name = users.name || '.';"
                                            .formatted(i % 150)
                                    + "DELETE FROM users WHERE id = %d;".formatted((i * 7) % 150)
                                    + "UPDATE items SET label = 'l%d' WHERE id = %d;".formatted(i, i % 20)
                                    + "INSERT INTO bare VALUES (%d, 'w'); DELETE FROM bare WHERE n = %d;"
                                            .formatted(i, i - 30)
                                    + "INSERT INTO parts VALUES (%d, 'p') ON CONFLICT (id) DO UPDATE SET v = 'p%d'; COMMIT"
                                            .formatted(i % 10, i));
                }
            } catch (SQLException e) {
                failure = Optional.of(e);
            }
        }

        Optional<SQLException> failure() {
            return failure;
        }

        @Override
        public void close() {
            over.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
