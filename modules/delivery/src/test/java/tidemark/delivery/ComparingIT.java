package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import tidemark.replication.TestPostgres;

/** What takes longer of {@link ComparingTest}. */
@Tag("slow")
class ComparingIT {
    @TempDir
    private Path directory;

    /** No snapshot is made before it ends, and the stream waits for neither. */
    @Test
    void anOpenTransactionLetsTheStreamGoOnAndIsNamed() throws SQLException {
        TestPostgres postgres = TestPostgres.shared();
        try (var replica = new Replica(postgres, directory)) {
            replica.sql("INSERT INTO users SELECT n, 'user', NULL FROM generate_series(1, 10) n");
            replica.start();
            replica.awaitStreaming();
            try (Connection open = postgres.connect(replica.database);
                    Statement statement = open.createStatement()) {
                open.setAutoCommit(false);
                statement.execute("INSERT INTO items VALUES (1, 1, 'open')");
                int pid = open.unwrap(PGConnection.class).getBackendPID();
                VerifyState state = new ComparedEnds(replica).beside("users");
                assertThat(state).isInstanceOf(VerifyState.NotCompared.class);
                assertThat(((VerifyState.NotCompared) state).why()).contains("pid " + pid);
                replica.sql("INSERT INTO users VALUES (11, 'meanwhile', NULL)");
                TestPostgres.await("the stream", () -> replica.source("users").equals(replica.target("users")));
                TestPostgres.await(
                        "the temporary slot to go",
                        () -> postgres.query(
                                        replica.database,
                                        "SELECT count(*) FROM pg_replication_slots WHERE temporary AND database = current_database()")
                                .equals("0"));
                open.commit();
            }
            assertThat(new ComparedEnds(replica).beside("users")).isInstanceOf(VerifyState.Compared.class);
            replica.awaitEqual();
        }
    }
}
