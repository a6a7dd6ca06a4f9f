package tidemark.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import tidemark.decode.Lsn;

/**
 * The embedded PostgreSQL and, for each workload, one backlog that every reader reads from a slot of its own: copies of
 * one slot that was there before the backlog was, and that nobody moves.
 */
final class Backlogs {
    private static final Duration STARTUP_LIMIT = Duration.ofSeconds(60);
    /** A walsender that lost its client notices when it writes. */
    private static final Duration SLOT_LIMIT = Duration.ofSeconds(10);

    private final EmbeddedPostgres postgres;
    private final Connection connection;

    private Backlogs(EmbeddedPostgres postgres, Connection connection) {
        this.postgres = postgres;
        this.connection = connection;
    }

    static Backlogs start(Path directory) throws IOException, SQLException {
        EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(directory.toFile())
                .setDataDirectory(directory.resolve("data"))
                .setRegisterShutdownHook(false) // one owner of the end: Main
                .setPGStartupWait(STARTUP_LIMIT)
                .setErrorRedirector(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("postgres.log").toFile()))
                .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
                .setServerConfig("wal_level", "logical")
                // The walsender sends flushed WAL only: without it the wal writer's 200 ms would be measured.
                .setServerConfig("synchronous_commit", "on")
                // Nothing of the server's own in the middle of a reading.
                .setServerConfig("autovacuum", "off")
                .setServerConfig("max_wal_size", "16GB")
                .setServerConfig("checkpoint_timeout", "1h")
                .start();
        return new Backlogs(postgres, DriverManager.getConnection(url(postgres), Task.USER, ""));
    }

    private static String url(EmbeddedPostgres postgres) {
        return "jdbc:postgresql://localhost:%d/postgres".formatted(postgres.getPort());
    }

    String url() {
        return url(postgres);
    }

    String conditions() throws SQLException {
        return "PostgreSQL %s, synchronous_commit=%s, fsync=%s"
                .formatted(answer("SHOW server_version"), answer("SHOW synchronous_commit"), answer("SHOW fsync"));
    }

    /** Returns where WAL stood just before the last commit record; zero where there is none yet. */
    Lsn write(Workload workload, long rows) throws SQLException {
        for (String sql : workload.preparation(rows)) execute(sql);
        if (workload.isCopy()) {
            execute("CHECKPOINT");
            return Lsn.ZERO;
        }
        execute("SELECT pg_create_logical_replication_slot('%s', 'pgoutput')".formatted(base(workload)));
        List<String> backlog = workload.backlog(rows);
        if (backlog.isEmpty()) return Lsn.ZERO;
        for (String sql : backlog) execute(sql);
        execute("CHECKPOINT");
        return Lsn.parse(answer("SELECT current_setting('bench.last')"));
    }

    /** Makes the slot of one reading. A copy makes its own. */
    void offer(Workload workload, String slot) throws SQLException {
        if (workload.isCopy()) return;
        execute("SELECT pg_copy_logical_replication_slot('%s', '%s')".formatted(base(workload), slot));
    }

    /** Takes the slot of a reading that is over. */
    void take(String slot) throws SQLException {
        long deadline = System.nanoTime() + SLOT_LIMIT.toNanos();
        while (isHeld(slot)) {
            if (System.nanoTime() - deadline > 0) throw new IllegalStateException("slot " + slot + " stays held");
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        execute("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '%s'"
                .formatted(slot));
    }

    /** Whether somebody reads the slot. */
    boolean isHeld(String slot) throws SQLException {
        return !answer("SELECT count(*) FROM pg_replication_slots WHERE active AND slot_name = '%s'".formatted(slot))
                .equals("0");
    }

    /** A connection of its own, whose every statement is a transaction. */
    Connection writer() throws SQLException {
        return DriverManager.getConnection(url(), Task.USER, "");
    }

    /** Everything of a workload that no reader needs any more. */
    void drop(Workload workload) throws SQLException {
        if (!workload.isCopy()) take(base(workload));
        execute("DROP PUBLICATION " + workload.table());
        execute("DROP TABLE " + workload.table());
    }

    private static String base(Workload workload) {
        return "bench_" + workload.table();
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String answer(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    /** From any thread; who asks meanwhile is refused. */
    void stop() throws IOException {
        postgres.close();
    }
}
