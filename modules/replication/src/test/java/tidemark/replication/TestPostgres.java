package tidemark.replication;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.BooleanSupplier;

/**
 * A real PostgreSQL for tests, logical decoding switched on, without fsync.
 *
 * <p>{@link #shared()} is one server per JVM, stopped when the JVM ends: take a {@link #newDatabase()} of it per test,
 * and never stop it. {@link #start} is a server of the test's own, which may be stopped, killed and started again on
 * the same data directory and port. Only processes started here are ever killed.
 */
public final class TestPostgres implements AutoCloseable {
    public static final String USER = "postgres";

    /** A test that makes its database hostile is not to suffer from it itself. */
    private static final String NO_TIMEOUTS = "-c statement_timeout=0 -c lock_timeout=0 -c idle_session_timeout=0"
            + " -c idle_in_transaction_session_timeout=0";

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final class Shared {
        static final TestPostgres SERVER = start(Map.of());

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::endWithTheJvm));
        }
    }

    private final Map<String, String> settings;
    private final Path directory;
    private EmbeddedPostgres server;
    private int databases;

    private TestPostgres(Map<String, String> settings, Path directory, EmbeddedPostgres server) {
        this.settings = settings;
        this.directory = directory;
        this.server = server;
    }

    public static TestPostgres shared() {
        return Shared.SERVER;
    }

    /** @param extra settings that override ours, {@code postgresql.conf} names; values without spaces */
    public static TestPostgres start(Map<String, String> extra) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "wal_level", "logical",
                "max_wal_senders", "20",
                "max_replication_slots", "20",
                "max_connections", "100",
                "max_prepared_transactions", "5",
                "synchronous_commit", "on", // the embedded default is off: a killed server would forget commits
                "autovacuum", "off"));
        settings.putAll(extra);
        try {
            return startedIn(Files.createTempDirectory("tidemark-postgres"), settings);
        } catch (IOException _) {
            return startedOnAnotherPort(settings);
        }
    }

    private static TestPostgres startedIn(Path directory, Map<String, String> settings) throws IOException {
        return new TestPostgres(settings, directory, launch(settings, directory, Optional.empty()));
    }

    /** Its port was free when it was chosen, and somebody may have had it before the server: once. */
    private static TestPostgres startedOnAnotherPort(Map<String, String> settings) {
        try {
            return startedIn(Files.createTempDirectory("tidemark-postgres"), settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static EmbeddedPostgres launch(Map<String, String> settings, Path directory, Optional<Integer> port)
            throws IOException {
        EmbeddedPostgres.Builder builder = PostgresBinaries.builder()
                .setDataDirectory(directory)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(PATIENCE);
        settings.forEach(builder::setServerConfig);
        port.ifPresent(builder::setPort);
        return builder.start();
    }

    /** A hot standby of this server: a copy of its files that is sent its WAL. To be closed before this server is. */
    public TestPostgres standby() {
        try {
            Path copy = Files.createTempDirectory("tidemark-standby");
            Files.writeString(copy.resolve("backup_label"), copyFilesTo(copy));
            Files.createFile(copy.resolve("standby.signal"));
            Files.writeString(
                    copy.resolve("postgresql.auto.conf"),
                    "primary_conninfo = 'host=127.0.0.1 port=%d user=%s'\nhot_standby_feedback = on\n"
                            .formatted(port(), USER));
            return startedIn(copy, settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what says where to begin with the WAL. */
    private String copyFilesTo(Path copy) throws IOException {
        try (Connection connection = connect("postgres");
                Statement backup = connection.createStatement()) {
            backup.execute("SELECT pg_backup_start('standby', true)");
            runToItsEnd("cp", "-a", directory + "/.", copy.toString());
            for (String own : List.of("postmaster.pid", "postmaster.opts", "epg-lock")) {
                Files.deleteIfExists(copy.resolve(own));
            }
            try (ResultSet row = backup.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                row.next();
                return row.getString(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot copy the server's files", e);
        }
    }

    private static void runToItsEnd(String... command) throws IOException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        try {
            if (process.waitFor() != 0) throw new IOException("failed: " + List.of(command));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    public int port() {
        return server.getPort();
    }

    public Path dataDirectory() {
        return directory;
    }

    /** Creates an empty database and returns its name; slots of another name per test keep tests apart. */
    public synchronized String newDatabase() {
        String name = "test_" + ++databases;
        execute("postgres", "CREATE DATABASE " + name + " TEMPLATE template0");
        return name;
    }

    /** Settings of a source on that database, without TLS, as the superuser. */
    public PostgresSettings settings(String database, String slot, String publication) {
        return settings(database, slot, publication, USER);
    }

    public PostgresSettings settings(String database, String slot, String publication, String user) {
        return new PostgresSettings(
                url(database),
                user,
                Optional.empty(),
                "disable",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                slot,
                publication,
                Duration.ofSeconds(10));
    }

    public String url(String database) {
        return "postgresql://127.0.0.1:%d/%s".formatted(port(), database);
    }

    @SuppressWarnings("exports") // tests run on the class path; the module itself hands out no JDBC
    public Connection connect(String database) {
        try {
            return connection(database);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot connect to " + url(database), e);
        }
    }

    private Connection connection(String database) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", USER);
        properties.setProperty("options", NO_TIMEOUTS);
        return DriverManager.getConnection("jdbc:" + url(database), properties);
    }

    /** Whether somebody could connect now; not while the server starts, stops or recovers. */
    public boolean accepts(String database) {
        try (Connection connection = connection(database)) {
            return connection.isValid(5);
        } catch (SQLException _) {
            return false;
        }
    }

    /** Walsenders that begin from now on want to hear every third second: they are sent a status reply each second. */
    public void expectStatusOften(String database) {
        execute(database, "ALTER DATABASE " + database + " SET wal_sender_timeout = '3s'");
    }

    /** Runs every statement, each in a transaction of its own. */
    public void execute(String database, String... statements) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            for (String sql : List.of(statements)) statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("a statement of the test failed", e);
        }
    }

    /** The first column of the first row, as text. */
    public String query(String database, String sql) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            if (!row.next()) throw new IllegalStateException("no row: " + sql);
            return String.valueOf(row.getString(1));
        } catch (SQLException e) {
            throw new IllegalStateException("a query of the test failed", e);
        }
    }

    /** Drops every slot of the database as soon as nobody holds it: a test that ends lets the shared server go on. */
    public void dropSlots(String database) {
        String ours = "FROM pg_replication_slots WHERE database = '%s'".formatted(database);
        await(
                "the slots to be let go",
                () -> query(database, "SELECT count(*) " + ours + " AND active").equals("0"));
        execute(database, "SELECT pg_drop_replication_slot(slot_name) " + ours);
    }

    public int serverMajor() {
        return Integer.parseInt(query("postgres", "SELECT current_setting('server_version_num')::int / 10000"));
    }

    /**
     * A fast shutdown, as an operator does it: waits for walsenders to be confirmed. Returns when the server is gone.
     */
    public void stop() {
        ProcessHandle postmaster = postmaster();
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        await("the server to stop", () -> !postmaster.isAlive());
    }

    /** kill -9 of the postmaster and of everything it started, as a power failure does. */
    public void kill() {
        ProcessHandle postmaster = postmaster();
        List<ProcessHandle> children = postmaster.descendants().toList();
        postmaster.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        await(
                "the server to die",
                () -> !postmaster.isAlive() && children.stream().noneMatch(ProcessHandle::isAlive));
        try {
            server.close(); // lets go of the lock; there is nothing left to stop
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** kill -9 of one process of this server, such as a walsender; the postmaster then restarts all of them. */
    public void kill(long pid) {
        postmaster()
                .descendants()
                .filter(process -> process.pid() == pid)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(pid + " is no process of this server"))
                .destroyForcibly();
    }

    /** Starts again on the same data directory and port after {@link #stop} or {@link #kill()}. */
    public void startAgain() {
        try {
            server = launch(settings, directory, Optional.of(server.getPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Surefire gives a JVM 30 s to end; thirty databases are some ten thousand files, so removing them outlives it. */
    private void endWithTheJvm() {
        try {
            if (running()) kill();
            new ProcessBuilder("rm", "-rf", directory.toString()).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A killed server leaves its file behind. */
    private boolean running() throws IOException {
        return Files.exists(directory.resolve("postmaster.pid"))
                && ProcessHandle.of(postmasterPid()).isPresent();
    }

    private long postmasterPid() throws IOException {
        return Long.parseLong(Files.readAllLines(directory.resolve("postmaster.pid"))
                .getFirst()
                .strip());
    }

    private ProcessHandle postmaster() {
        try {
            long pid = Long.parseLong(Files.readAllLines(directory.resolve("postmaster.pid"))
                    .getFirst()
                    .strip());
            return ProcessHandle.of(pid).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException("the server is not running", e);
        }
    }

    /** Polls the condition until it holds; fails by name when its patience is over. */
    public static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) throw new AssertionError("waited in vain for " + what);
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for " + what, e);
            }
        }
    }

    /**
     * Ends the server, if it runs, and removes its files: nobody needs them any more, so it is not given time to write.
     */
    @Override
    public void close() {
        try {
            if (running()) kill();
            try (var files = Files.walk(directory)) {
                for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
