package tidemark.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tidemark.decode.Lsn;
import tidemark.replication.TestPostgres;

/**
 * PostgreSQL's side of one case: a database of its own on a server that all cases share. What the case changes of the
 * server (settings, roles, slots, who may log in) is undone when it is closed.
 *
 * <p>A mark is a WAL position before a commit: to be past it means to have passed that commit.
 */
final class CaseSource implements AutoCloseable {
    /** The session that works in another database of the same server. */
    private static final String OTHER_DATABASE = "other-db";

    /** About 200 kB that PostgreSQL cannot compress, so that they are stored out of line. */
    private static final String BIG = "CREATE FUNCTION big(n int) RETURNS text LANGUAGE sql AS"
            + " 'SELECT string_agg(md5((n * 100000 + g)::text), '''') FROM generate_series(1, 6250) g'";

    private static final Pattern SCALED = Pattern.compile("\\$\\{N:(\\d+)}");

    private final TestPostgres server;
    private final Case plan;
    private final String database;
    private final String publication;
    private final Map<String, Connection> sessions = new HashMap<>();
    private final Map<String, Lsn> marks = new HashMap<>();
    private final Set<String> settingsChanged = new TreeSet<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, CompletableFuture<Void>> background = new HashMap<>();
    private final Set<String> repeated = ConcurrentHashMap.newKeySet();
    private final Connection watch;
    private Lsn furthest = Lsn.ZERO;
    private Optional<String> accessBefore = Optional.empty();

    CaseSource(TestPostgres server, Case plan) {
        this.server = server;
        this.plan = plan;
        this.database = server.newDatabase();
        this.publication = plan.publication().orElse(database);
        this.watch = server.connect(database);
    }

    /** Makes what the case finds before the service starts. */
    void prepare() {
        accessBefore = plan.role().map(this::demandPassword);
        alter(plan.settings());
        server.execute(database, BIG);
        run(plan.setup());
        if (plan.createPublication()) {
            String tables = plan.tables().stream().map(Case.Table::spelling).collect(Collectors.joining(", "));
            run("CREATE PUBLICATION \"%s\" FOR TABLE %s %s".formatted(publication, tables, plan.publicationOptions()));
        }
    }

    /** What the service is told about it. */
    Map<String, String> environment() {
        Map<String, String> variables = new HashMap<>(Map.of(
                "POSTGRES_URL",
                server.url(database),
                "POSTGRES_USER",
                TestPostgres.USER,
                "POSTGRES_SSLMODE",
                "disable",
                "POSTGRES_SLOT",
                database,
                "POSTGRES_PUBLICATION",
                publication));
        plan.role().ifPresent(role -> {
            variables.put("POSTGRES_USER", role.name());
            variables.put("POSTGRES_PASSWORD", role.password());
        });
        return variables;
    }

    String jdbcUrl() {
        return "jdbc:" + server.url(database);
    }

    /** Each statement in a transaction of its own, unless they say otherwise. */
    void run(CaseStep.Sql step) {
        if (step.background().isPresent()) {
            background.put(step.background().get(), CompletableFuture.runAsync(() -> run(step.sql()), threads));
        } else if (step.session().isPresent()) {
            execute(session(step.session().get()), step.sql(), step.mark());
        } else {
            try (Connection connection = server.connect(database)) {
                execute(connection, step.sql(), step.mark());
            } catch (SQLException failure) {
                throw new IllegalStateException("cannot close a connection", failure);
            }
        }
    }

    private void run(String sql) {
        run(new CaseStep.Sql(sql, Optional.empty(), Optional.empty(), Optional.empty()));
    }

    void join(String name) {
        future(name).join();
    }

    private CompletableFuture<Void> future(String name) {
        return Optional.ofNullable(background.get(name))
                .orElseThrow(() -> new IllegalStateException("nothing runs as " + name));
    }

    void repeat(CaseStep.Repeat step) {
        repeated.add(step.name());
        background.put(
                step.name(),
                CompletableFuture.runAsync(
                        () -> {
                            while (repeated.contains(step.name())) {
                                execute(session("repeat " + step.name()), step.sql(), Optional.empty());
                                LockSupport.parkNanos(step.every().toNanos());
                            }
                        },
                        threads));
    }

    void endRepeat(String name) {
        repeated.remove(name);
        join(name);
    }

    /** Writes something behind the mark, because a slot at rest may stand exactly at the end of WAL. */
    void mark(String name) {
        marks.put(name, position(watch));
        one("SELECT pg_logical_emit_message(true, 'case', 'mark')");
    }

    /** Whether the slot is past it now, or was at any {@link #look}. */
    boolean wasPast(String mark) {
        look();
        return furthest.isAfter(marked(mark));
    }

    private Lsn marked(String mark) {
        return Optional.ofNullable(marks.get(mark)).orElseThrow(() -> new IllegalStateException("no mark is " + mark));
    }

    /** Remembers how far the slot has come. */
    void look() {
        Lsn confirmed = Lsn.parse(one("SELECT coalesce(max(confirmed_flush_lsn), '0/0')::text"
                + " FROM pg_replication_slots WHERE slot_name = '" + database + "'"));
        if (confirmed.isAfter(furthest)) furthest = confirmed;
    }

    boolean hasSlot() {
        return answer("SELECT count(*) FROM pg_replication_slots WHERE slot_name = '${SLOT}'")
                .equals("1");
    }

    /** Nobody reads from the slot any more: a walsender outlives its client by what it was last sent. */
    boolean isSlotFree() {
        return answer("SELECT count(*) FROM pg_replication_slots WHERE slot_name = '${SLOT}' AND active")
                .equals("0");
    }

    /** The first column of the first row. */
    String answer(String sql) {
        return one(fill(sql));
    }

    void restartWalsender() {
        one("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE backend_type = 'walsender'"
                + " AND datname = current_database()");
    }

    void alter(Map<String, Optional<String>> settings) {
        if (settings.isEmpty()) return;
        settingsChanged.addAll(settings.keySet());
        settings.forEach((name, value) -> run(value.map(to -> "ALTER SYSTEM SET %s = '%s'".formatted(name, to))
                .orElse("ALTER SYSTEM RESET " + name)));
        reload();
    }

    @Override
    public void close() {
        repeated.clear();
        try {
            for (Connection session : sessions.values()) session.close();
            watch.close();
        } catch (SQLException failure) {
            throw new IllegalStateException("cannot close a connection", failure);
        }
        threads.shutdownNow();
        server.dropSlots(database);
        for (String name : List.of(database, other())) {
            server.execute("postgres", "DROP DATABASE IF EXISTS %s WITH (FORCE)".formatted(name));
        }
        plan.role().ifPresent(role -> server.execute("postgres", "DROP ROLE IF EXISTS " + role.name()));
        settingsChanged.forEach(name -> server.execute("postgres", "ALTER SYSTEM RESET " + name));
        accessBefore.ifPresent(this::writeAccess);
        if (accessBefore.isPresent() || !settingsChanged.isEmpty()) reload();
    }

    private Connection session(String name) {
        if (name.equals(OTHER_DATABASE) && !sessions.containsKey(name)) {
            server.execute("postgres", "CREATE DATABASE " + other());
        }
        return sessions.computeIfAbsent(name, _ -> server.connect(name.equals(OTHER_DATABASE) ? other() : database));
    }

    private String other() {
        return database + "_other";
    }

    private void execute(Connection connection, String sql, Optional<String> mark) {
        for (String one : SqlScript.statements(fill(sql))) {
            if (one.equals("COMMIT")) mark.ifPresent(name -> marks.put(name, position(connection)));
            try (Statement statement = connection.createStatement()) {
                statement.setEscapeProcessing(false);
                statement.execute(one);
            } catch (SQLException failure) {
                throw new IllegalStateException("refused: " + one, failure);
            }
        }
    }

    private String fill(String sql) {
        String named =
                sql.replace("${DB}", database).replace("${SLOT}", database).replace("${PUB}", publication);
        return SCALED.matcher(named).replaceAll(number -> number.group(1));
    }

    private static Lsn position(Connection connection) {
        return Lsn.parse(one(connection, "SELECT pg_current_wal_insert_lsn()::text"));
    }

    private String one(String sql) {
        return one(watch, sql);
    }

    private static String one(Connection connection, String sql) {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? String.valueOf(row.getString(1)) : "";
        } catch (SQLException failure) {
            throw new IllegalStateException("refused: " + sql, failure);
        }
    }

    private void reload() {
        String before = server.query("postgres", "SELECT pg_conf_load_time()");
        server.execute("postgres", "SELECT pg_reload_conf()");
        TestPostgres.await(
                "the settings to be read",
                () -> !server.query("postgres", "SELECT pg_conf_load_time()").equals(before));
    }

    /** Everybody else is trusted without one. Returns what was there before. */
    private String demandPassword(Case.Role role) {
        try {
            String before = Files.readString(accessFile());
            writeAccess("host all %s 127.0.0.1/32 scram-sha-256%n".formatted(role.name()) + before);
            reload();
            return before;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void writeAccess(String content) {
        try {
            Files.writeString(accessFile(), content);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Path accessFile() {
        return server.dataDirectory().resolve("pg_hba.conf");
    }
}
