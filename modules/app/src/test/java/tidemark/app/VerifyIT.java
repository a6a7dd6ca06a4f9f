package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinSettings;

/** {@code tidemark verify} as it is shipped. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@Tag("slow")
class VerifyIT {
    @TempDir
    Path folder;

    private final TestPostgres postgres = TestPostgres.shared();

    @Test
    void endsWithZeroForEqualTablesWithOneForADifferenceAndSaysWhichRow() throws InterruptedException {
        String database = postgres.newDatabase();
        postgres.execute(
                database,
                "CREATE TABLE users (id bigint PRIMARY KEY, name text)",
                "INSERT INTO users SELECT n, 'secret' FROM generate_series(1, 100) n",
                "CREATE PUBLICATION tidemark FOR TABLE users");
        try (FelderaStandin feldera = FelderaStandin.start(StandinSettings.defaults())) {
            feldera.deploy("shop", "CREATE TABLE users (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR);");
            Map<String, String> environment = Tidemark.environment(
                    "postgresql://127.0.0.1:%d/%s".formatted(postgres.port(), database), feldera.url());
            environment.put("POSTGRES_SLOT", database);
            try (var service = Tidemark.start(folder, environment)) {
                Shop.await("the copy", () -> service.output().contains("streaming slot="));
                service.terminate();
                assertThat(service.exitCode()).as(service.output()).isZero();
            }
            assertThat(verified(environment)).contains("exit 0", "100 rows in PostgreSQL, 100 in Feldera: the same");
            // what PostgreSQL has without its WAL having said so
            postgres.execute(
                    database,
                    "ALTER PUBLICATION tidemark DROP TABLE users",
                    "DELETE FROM users WHERE id = 7",
                    "ALTER PUBLICATION tidemark ADD TABLE users");
            assertThat(verified(environment, "users"))
                    .contains("exit 1", "0 missing, 1 extra, 0 different", "  extra id=7")
                    .doesNotContain("secret");
            assertThat(verified(environment, "nosuch")).contains("exit 64", "nosuch is not in tables");
        } finally {
            postgres.dropSlots(database);
        }
    }

    @Test
    void asksTheServiceThatRunsAndIsToldWhatItFound() throws InterruptedException {
        String database = postgres.newDatabase();
        postgres.execute(
                database,
                "CREATE TABLE users (id bigint PRIMARY KEY, name text)",
                "INSERT INTO users SELECT n, 'secret' FROM generate_series(1, 100) n",
                "CREATE PUBLICATION tidemark FOR TABLE users");
        try (FelderaStandin feldera = FelderaStandin.start(StandinSettings.defaults())) {
            feldera.deploy("shop", "CREATE TABLE users (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR);");
            Map<String, String> environment = Tidemark.environment(
                    "postgresql://127.0.0.1:%d/%s".formatted(postgres.port(), database), feldera.url());
            environment.put("POSTGRES_SLOT", database);
            environment.put("SERVER_PORT", Integer.toString(FreePort.any()));
            environment.put("MANAGEMENT_TOKEN", "open-sesame");
            assertThat(told(environment, "status")).contains("exit 69", "no service answers at http://127.0.0.1:");
            try (var service = Tidemark.start(folder, environment)) {
                Shop.await("the copy", () -> service.output().contains("streaming slot="));
                assertThat(told(environment, "status")).contains("exit 0", "\"phase\":\"streaming\"");
                assertThat(verified(environment))
                        .contains("exit 0", "100 rows in PostgreSQL, 100 in Feldera: the same");
                new StrangeRows(feldera.url(), "shop").post("users", "{\"insert\":{\"id\":700,\"name\":\"secret\"}}");
                assertThat(verified(environment, "users"))
                        .contains("exit 1", "0 missing, 1 extra, 0 different", "  extra id=700")
                        .doesNotContain("secret");
                assertThat(verified(environment, "nosuch")).contains("exit 64", "nosuch is not in tables");
                // and where the service is not asked as it wants to be
                environment.put("MANAGEMENT_TOKEN", "something-else");
                assertThat(verified(environment))
                        .contains("exit 77", "management.token")
                        .doesNotContain("sesame");
                environment.put("SERVER_PORT", Integer.toString(FreePort.any()));
                assertThat(verified(environment))
                        .contains("exit 75", "holds the slot, so a service runs, but no service");
                assertThat(service.output()).contains("stream goes on table=public.users held_ms=");
                service.terminate();
                assertThat(service.exitCode()).as(service.output()).isZero();
            }
        } finally {
            postgres.dropSlots(database);
        }
    }

    private String verified(Map<String, String> environment, String... tables) throws InterruptedException {
        String[] words = new String[tables.length + 1];
        words[0] = "verify";
        System.arraycopy(tables, 0, words, 1, tables.length);
        return told(environment, words);
    }

    private String told(Map<String, String> environment, String... words) throws InterruptedException {
        try (var command = Tidemark.start(folder, folder.resolve("command.out"), environment, words)) {
            return "exit %d%n%s".formatted(command.exitCode(), command.output());
        }
    }
}
