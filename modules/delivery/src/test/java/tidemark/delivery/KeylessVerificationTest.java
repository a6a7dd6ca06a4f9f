package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;
import tidemark.sink.Destination;
import tidemark.sink.QueryRows;

/** A table without key is compared at both ends: its rows have no name but their values, which are not told. */
class KeylessVerificationTest {
    /** A DOUBLE that Feldera can have, and of which no JSON is known that it reads as that one. */
    private static final String UNNAMEABLE = "-115.93565249608447";

    @TempDir
    private Path directory;

    private Replica replica;
    private ComparedEnds ends;
    private final List<String> report = new ArrayList<>();

    @BeforeEach
    void aTableWithRows() {
        replica = new Replica(
                TestPostgres.shared(),
                directory,
                "CREATE TABLE bare (n INTEGER, v VARCHAR, w DOUBLE) WITH ('materialized' = 'true');",
                "bare",
                "CREATE TABLE bare (n int, v text, w float8)",
                "ALTER TABLE bare REPLICA IDENTITY FULL",
                "CREATE PUBLICATION pub FOR TABLE bare",
                "INSERT INTO bare SELECT g, 'secret', NULL FROM generate_series(1, 9) g",
                "INSERT INTO bare SELECT 50, 'secret', NULL FROM generate_series(1, 3)");
        replica.with(Settings::keyless);
        ends = new ComparedEnds(replica);
        replica.start();
        replica.awaitStreaming();
    }

    @AfterEach
    void close() {
        replica.close();
    }

    private String md5(String row) {
        return replica.postgres.query(
                replica.database, "SELECT DISTINCT left(md5(concat_ws(',', n, v, w)), 8) FROM bare WHERE " + row);
    }

    /** With it, PostgreSQL finds the row. */
    @Test
    void aRowIsNamedByAHashAndHowOftenItIs() {
        for (int i = 0; i < 2; i++) replica.post("bare", "{\"delete\":{\"n\":50,\"v\":\"secret\",\"w\":null}}");
        replica.post("bare", "{\"delete\":{\"n\":7,\"v\":\"secret\",\"w\":null}}");
        for (int i = 0; i < 30; i++) replica.post("bare", "{\"insert\":{\"n\":8,\"v\":\"secret\",\"w\":null}}");
        VerifyState state = ends.beside("bare");
        assertThat(state).isInstanceOf(VerifyState.Compared.class);
        assertThat(((VerifyState.Compared) state).found().lines())
                .containsExactly(
                        "public.bare -> bare: 12 rows in PostgreSQL, 39 in Feldera: 3 missing, 30 extra, 0 different",
                        "  missing row with md5=" + md5("n = 7"),
                        "  extra row with md5=%s, 30 times".formatted(md5("n = 8")),
                        "  missing row with md5=%s, 2 times".formatted(md5("n = 50")));
    }

    /** Else every session would end at it. */
    @Test
    void aRepairMarksNoTableOfWhichARowCannotBeTakenOut() {
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.post("bare", "{\"insert\":{\"n\":8,\"v\":\"secret\",\"w\":-115.5}}");
        ends.through(Unnameable::new);
        assertThat(ends.verify(report)).isEqualTo(ExitCode.DIFFERENT);
        try (var log = new Listening()) {
            assertThat(ends.repair(report)).isEqualTo(ExitCode.DATA);
            assertThat(log.linesWith("public.bare", "column w", "key_md5=")).hasSize(1);
            assertThat(log.linesWith("115.9")).isEmpty();
        }
        ends.through(real -> real);
        replica.start();
        replica.awaitStreaming();
        replica.sql("INSERT INTO bare VALUES (100, 'later', NULL)");
        replica.awaitConfirmed();
        assertThat(replica.status().tables().getFirst().copiedRows())
                .as("no merge")
                .isZero();
    }

    private static final class Unnameable extends ForwardingDestination {
        Unnameable(Destination real) {
            super(real);
        }

        @Override
        public QueryRows query(String sql, QueryRows.Limits limits) {
            QueryRows rows = super.query(sql, limits);
            return new QueryRows() {
                @Override
                public Optional<byte[]> next() {
                    return rows.next()
                            .map(row -> new String(row, StandardCharsets.UTF_8)
                                    .replace("-115.5", UNNAMEABLE)
                                    .getBytes(StandardCharsets.UTF_8));
                }

                @Override
                public void close() {
                    rows.close();
                }
            };
        }
    }
}
