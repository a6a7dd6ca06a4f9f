package tidemark.demo;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import tidemark.delivery.ExitCode;

/**
 * A real PostgreSQL from a jar, in a directory of the demo's own. Needs no installation, no network and no particular
 * user: under root it runs in a user namespace of its own, since PostgreSQL refuses to run as root.
 */
final class EmbeddedDatabase implements Teardown.Running {
    /** A first start on a slow disk: initdb alone took 7 s. */
    private static final Duration STARTUP_LIMIT = Duration.ofSeconds(60);

    private final EmbeddedPostgres postgres;

    private EmbeddedDatabase(EmbeddedPostgres postgres) {
        this.postgres = postgres;
    }

    static EmbeddedDatabase start(Path directory) {
        try {
            return new EmbeddedDatabase(EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(directory.toFile())
                    .setDataDirectory(directory.resolve("data"))
                    .setRegisterShutdownHook(false) // one owner of the end: Teardown
                    .setPGStartupWait(STARTUP_LIMIT)
                    .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
                    .setErrorRedirector(ProcessBuilder.Redirect.appendTo(
                            directory.resolve("postgres.log").toFile()))
                    .setServerConfig("wal_level", "logical")
                    // zonky turns it off; then the end of WAL on disk, at which the demo settles, would not cover every
                    // commit
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_wal_senders", "10")
                    .setServerConfig("max_replication_slots", "10")
                    .setServerConfig("unix_socket_directories", "") // no socket file outside our directory
                    .start());
        } catch (IOException | IllegalStateException e) {
            throw new DemoFailure(
                    ExitCode.CONFIGURATION,
                    "cannot start the embedded PostgreSQL: %s. Use a server of your own (--postgres)"
                            .formatted(e.getMessage()),
                    e);
        }
    }

    SourceDatabase database() {
        return new SourceDatabase(
                "jdbc:postgresql://localhost:%d/postgres".formatted(postgres.getPort()), "postgres", "postgres");
    }

    @Override
    public void close() {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot stop the embedded PostgreSQL", e);
        }
    }
}
