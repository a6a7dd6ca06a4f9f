package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;

/**
 * A database that was restored from a copy of its volume: the same system, the same timeline, an earlier end of WAL.
 */
class DatabasePutBackTest {
    @TempDir
    Path directory;

    @Test
    void aDatabaseThatWasPutBackToAnOlderCopyOfItselfIsRefusedAndNothingIsSkipped() {
        try (TestPostgres postgres = TestPostgres.start(Map.of());
                Replica replica = new Replica(postgres, directory);
                Listening log = new Listening()) {
            replica.sql("INSERT INTO users VALUES (1, 'one', NULL)");
            replica.start();
            replica.awaitEqual();
            assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
            postgres.stop();
            Path volume = directory.resolve("volume");
            copy(postgres.dataDirectory(), volume);
            postgres.startAgain();
            replica.start();
            replica.sql("INSERT INTO users SELECT g, repeat('x', 200), NULL FROM generate_series(1000, 5000) g");
            replica.awaitEqual();
            assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
            postgres.stop();
            copy(volume, postgres.dataDirectory());
            postgres.startAgain();
            replica.sql("INSERT INTO users VALUES (2, 'two', NULL)"); // would be at a position that counts as done
            long before = replica.operations("users");
            replica.start();
            assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(log.linesWith(
                            "SEVERE stopping exit=78",
                            "PostgreSQL's WAL ends at",
                            "which was confirmed or copied here"))
                    .hasSize(1);
            assertThat(replica.operations("users")).isEqualTo(before);
            assertThat(replica.rows("users")).contains("1|one|null").doesNotContain("2|two|null");
        }
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path one : all.toList()) {
                Path target = to.resolve(from.relativize(one).toString());
                if (Files.isDirectory(one)) Files.createDirectories(target);
                else Files.copy(one, target, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
