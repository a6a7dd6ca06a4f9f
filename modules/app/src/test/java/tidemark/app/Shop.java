package tidemark.app;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import tidemark.demo.Proof;
import tidemark.replication.TestPostgres;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinPipeline;

/**
 * Two tables on both sides, a database and a pipeline of their own, for the service as it is shipped. Owned by one
 * thread.
 */
final class Shop implements AutoCloseable {
    /** Ours and the stand-in's alike: waited for after every crash. Shorter, and a busy machine would answer 503. */
    static final Duration REQUEST_LIMIT = Duration.ofSeconds(3);

    /** For anything that is waited for, on a machine that is busy with something else. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Duration PAUSE = Duration.ofMillis(50);

    private static final String PROGRAM = """
            CREATE TABLE users (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR, at TIMESTAMP) WITH ('materialized' = 'true');
            CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, owner BIGINT, label VARCHAR) WITH ('materialized' = 'true');
            """;

    final TestPostgres server;
    final String database;
    final StandinPipeline pipeline;

    private final Path folder;
    private final Map<String, String> settings;
    private final Proof proof;

    /** @param folder of its own: state file and logs stay in it */
    Shop(TestPostgres server, FelderaStandin feldera, Path folder) {
        this.server = server;
        this.folder = folder;
        this.database = server.newDatabase();
        server.execute(
                database,
                "CREATE TABLE users (id bigint PRIMARY KEY, name text, at timestamp)",
                "CREATE TABLE items (id int PRIMARY KEY, owner bigint, label text)",
                "CREATE PUBLICATION tidemark FOR TABLE users, items");
        this.pipeline = feldera.deploy(database, PROGRAM);
        this.proof = new Proof("jdbc:" + server.url(database), TestPostgres.USER, feldera.url(), database);
        this.settings = Map.ofEntries(
                Map.entry("postgres.url", server.url(database)),
                Map.entry("postgres.user", TestPostgres.USER),
                Map.entry("postgres.sslmode", "disable"),
                Map.entry("postgres.slot", database),
                Map.entry("feldera.url", feldera.url()),
                Map.entry("feldera.pipeline", database),
                Map.entry("feldera.request-limit", REQUEST_LIMIT.toString()),
                Map.entry("batch.max-rows", Integer.toString(CrashWorkload.BATCH_ROWS)),
                Map.entry("tables", "users,items"),
                Map.entry("state.file", folder.resolve("state.json").toString()),
                Map.entry("server.port", "0"));
    }

    /** One for each thread: two services that end would write it at once. */
    private static Path classes(Path folder) {
        return folder.resolveSibling(
                "classes-%d.jsa".formatted(Thread.currentThread().threadId()));
    }

    /** The service as it is shipped, not started yet. */
    CaseInstance service(String name, Map<String, String> more) {
        return service(name, CaseRun.QUICK_START + classes(folder), more);
    }

    /** The same with other options for its JVM. */
    CaseInstance service(String name, String javaOptions, Map<String, String> more) {
        return new CaseInstance(name, folder, environment(javaOptions, more), Set.of());
    }

    /** Of the service and of its commands. */
    Map<String, String> environment(String javaOptions, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>();
        environment.put("JAVA_OPTS", javaOptions);
        settings.forEach((key, value) -> environment.put(variable(key), value));
        more.forEach((key, value) -> environment.put(variable(key), value));
        return environment;
    }

    private static String variable(String key) {
        return SettingsCatalog.find(key).orElseThrow().environmentVariable();
    }

    boolean slotIsFree() {
        return server.query(
                        database,
                        "SELECT count(*) FROM pg_replication_slots WHERE active AND slot_name = '%s'"
                                .formatted(database))
                .equals("0");
    }

    ConnectorHere connectorHere() {
        return new ConnectorHere(settings);
    }

    void awaitStreaming(CaseInstance service) {
        await("streaming", () -> {
            service.ended().ifPresent(code -> {
                throw new AssertionError("it ended with %d:%n%s".formatted(code, service.lastLog()));
            });
            return service.isStreaming();
        });
    }

    /** Until both sides are the same; says what differs if they never are. */
    void awaitEqual() {
        try {
            await("both sides to be equal", () -> differences().isEmpty());
        } catch (AssertionError unequal) {
            throw new AssertionError("not equal: " + differences(), unequal);
        }
    }

    /** Until all that was written by now is confirmed, however long that takes while it goes on. */
    void awaitConfirmation() {
        String end = server.query(database, "SELECT pg_current_wal_lsn()");
        for (long missing = -confirmedFlushMinus(end); missing > 0; missing = -confirmedFlushMinus(end)) {
            long before = missing;
            await("a confirmation that moves", () -> -confirmedFlushMinus(end) < before);
        }
    }

    private List<String> differences() {
        return Stream.of("users", "items")
                .flatMap(table -> proof.differences("public", table, table, Map.of()).stream())
                .toList();
    }

    /** What the slot says may be forgotten, less what the argument says; in bytes. */
    long confirmedFlushMinus(String lsn) {
        return Long.parseLong(server.query(
                database,
                "SELECT (confirmed_flush_lsn - '%s'::pg_lsn)::bigint FROM pg_replication_slots WHERE slot_name = '%s'"
                        .formatted(lsn, database)));
    }

    String confirmedFlush() {
        return server.query(
                database, "SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '" + database + "'");
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) throw new AssertionError("waited in vain for " + what);
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    @Override
    public void close() {
        pipeline.kill();
        proof.close();
        server.dropSlots(database);
    }
}
