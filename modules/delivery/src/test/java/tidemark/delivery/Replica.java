package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.replication.ChangeSource;
import tidemark.replication.PostgresSettings;
import tidemark.replication.PostgresSource;
import tidemark.replication.SlotStatus;
import tidemark.replication.TestPostgres;
import tidemark.sink.Completion;
import tidemark.sink.CompletionToken;
import tidemark.sink.Destination;
import tidemark.sink.FelderaClient;
import tidemark.sink.FelderaName;
import tidemark.sink.FelderaSettings;
import tidemark.sink.IngressReply;
import tidemark.sink.QueryRows;
import tidemark.sink.TableBody;
import tidemark.standin.Edition;
import tidemark.standin.FaultProxy;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinPipeline;
import tidemark.standin.StandinSettings;
import tidemark.standin.WireProxy;

/** A real PostgreSQL database, the stand-in over HTTP, and a connector between them that a test starts and stops. */
final class Replica implements AutoCloseable {
    private static final QueryRows.Limits LIMITS = new QueryRows.Limits(16 << 20, Duration.ofMinutes(1));
    static final String PROGRAM = """
            CREATE TABLE users (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR, at TIMESTAMP) WITH ('materialized' = 'true');
            CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, owner BIGINT, label VARCHAR) WITH ('materialized' = 'true');
            """;
    private static final String[] SHOP = {
        "CREATE TABLE users (id bigint PRIMARY KEY, name text, at timestamp)",
        "CREATE TABLE items (id int PRIMARY KEY, owner bigint, label text)",
        "CREATE PUBLICATION pub FOR TABLE users, items"
    };

    final TestPostgres postgres;
    final String database;
    final String slot;
    final StandinPipeline pipeline;
    private final FelderaStandin feldera;
    private List<TableRoute> routes;
    private Path stateFile;
    private UnaryOperator<DeliverySettings> adjust = UnaryOperator.identity();
    private UnaryOperator<ChangeSource> reading = UnaryOperator.identity();
    private UnaryOperator<Destination> destination = UnaryOperator.identity();
    private Optional<Running> running = Optional.empty();
    private Optional<Proxies> proxies = Optional.empty();

    private record Running(
            Connector connector, SeverableSource source, FelderaClient client, CompletableFuture<ExitCode> end) {}

    /** With the tables {@code users} and {@code items} on both sides, and a publication of them. */
    Replica(TestPostgres postgres, Path directory) {
        this(postgres, directory, PROGRAM, "users,items", SHOP);
    }

    /** The same, with a pipeline that keeps checkpoints. */
    static Replica withCheckpoints(TestPostgres postgres, Path directory) {
        return new Replica(
                postgres,
                directory,
                StandinSettings.defaults().withEdition(Edition.ENTERPRISE),
                PROGRAM,
                "users,items",
                SHOP);
    }

    /**
     * @param routes as the setting {@code tables} has them
     * @param setup makes the tables, and a publication {@code pub}
     */
    Replica(TestPostgres postgres, Path directory, String program, String routes, String... setup) {
        this(postgres, directory, StandinSettings.defaults(), program, routes, setup);
    }

    private Replica(
            TestPostgres postgres,
            Path directory,
            StandinSettings standin,
            String program,
            String routes,
            String... setup) {
        this.postgres = postgres;
        this.database = postgres.newDatabase();
        this.slot = "slot_" + database;
        this.stateFile = directory.resolve(database + ".json");
        this.feldera = FelderaStandin.start(standin.withApiServerLimit(Duration.ofSeconds(2)));
        this.pipeline = feldera.deploy("p", program);
        this.routes = Routes.parse(routes);
        sql(setup);
    }

    Replica with(UnaryOperator<DeliverySettings> adjustment) {
        adjust = adjustment;
        return this;
    }

    /** Copies small tables in many parts. */
    Replica inFineParts() {
        return reading(FineParts::new);
    }

    /** What stands between the connector and PostgreSQL, for every start from now on. */
    Replica reading(UnaryOperator<ChangeSource> other) {
        reading = other;
        return this;
    }

    /** What stands between the connector and the pipeline, for every start from now on. */
    void through(UnaryOperator<Destination> other) {
        destination = other;
    }

    /** As the setting {@code tables} has them, for every start from now on. */
    void routes(String tables) {
        routes = Routes.parse(tables);
    }

    void keepStateIn(Path file) {
        stateFile = file;
    }

    /** For every start from now on. */
    Proxies proxied() {
        var between = new Proxies(FaultProxy.before(URI.create(feldera.url())), WireProxy.before(postgres.port()));
        proxies = Optional.of(between);
        return between;
    }

    void start() {
        DeliverySettings settings = settings();
        var postgres = new PostgresSource(sourceSettings().with(settings.giveUpAfter()), InstantSource.system());
        var source = new SeverableSource(reading.apply(postgres));
        FelderaClient client = reachedClient();
        var connector = new Connector(
                settings, source, destination.apply(client), InstantSource.system(), new SplittableRandom(1));
        var end = new CompletableFuture<ExitCode>();
        Thread.ofPlatform().name("tidemark-delivery").start(() -> end.complete(connector.run()));
        running = Optional.of(new Running(connector, source, client, end));
    }

    /** One operation of somebody else, through an endpoint of another spelling, and until it is visible. */
    void post(String table, String operation) {
        byte[] bytes = ("[" + operation + "]").getBytes(StandardCharsets.UTF_8);
        try (FelderaClient client = client(feldera.url())) {
            IngressReply reply = client.post(new TableBody(new FelderaName(table, true), bytes, bytes.length));
            assertThat(reply).isInstanceOf(IngressReply.Accepted.class);
            CompletionToken token = ((IngressReply.Accepted) reply).token();
            TestPostgres.await(operation, () -> client.completion(token) instanceof Completion.Complete);
        }
    }

    DeliverySettings settings() {
        return adjust.apply(Settings.routing(stateFile, 1000, Duration.ofMillis(20), routes));
    }

    /** Of the pipeline as the connector reaches it. */
    FelderaClient reachedClient() {
        return client(proxies.map(between -> between.feldera().url()).orElseGet(feldera::url));
    }

    Connector connector() {
        return running.orElseThrow().connector();
    }

    PostgresSettings sourceSettings() {
        PostgresSettings direct = postgres.settings(database, slot, "pub");
        return proxies.map(between -> between.reaching(direct, database)).orElse(direct);
    }

    static FelderaClient client(String url) {
        return new FelderaClient(new FelderaSettings(
                URI.create(url),
                "p",
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30)));
    }

    ExitCode stop() {
        connector().stop();
        return awaitExit();
    }

    /** Takes PostgreSQL away from the connector, which ends without draining: what a crash leaves behind. */
    void abandon() {
        sever();
        awaitSevered();
    }

    void sever() {
        running.orElseThrow().source().sever();
    }

    void awaitSevered() {
        assertThat(awaitExit()).as("severed").isEqualTo(ExitCode.PROTOCOL);
    }

    ExitCode awaitExit() {
        Running ended = running.orElseThrow();
        try {
            ExitCode code = ended.end().get(3, TimeUnit.MINUTES);
            ended.source().close();
            ended.client().close();
            running = Optional.empty();
            return code;
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(
                    "the connector did not end: " + ended.connector().status(), e);
        }
    }

    ResyncReply resync(RelationName table) {
        return running.orElseThrow().connector().resync(table);
    }

    ConnectorStatus status() {
        return connector().status();
    }

    void awaitStreaming() {
        TestPostgres.await("streaming", () -> status().phase().equals("streaming"));
    }

    private Stream<String> tables() {
        return routes.stream().map(route -> route.postgres().table());
    }

    /** Waits until both sides are equal, and shows the difference if they never are. */
    void awaitEqual() {
        try {
            TestPostgres.await(
                    "both sides to be equal",
                    () -> tables().allMatch(table -> source(table).equals(target(table))));
        } catch (AssertionError unequal) {
            tables().forEach(table -> assertThat(target(table)).isEqualTo(source(table)));
            throw unequal;
        }
    }

    /** Waits until a Feldera table has exactly these rows, in any order: columns as text, with a bar between two. */
    void awaitRows(String table, String... expected) {
        List<String> sorted = Stream.of(expected).sorted().toList();
        try {
            TestPostgres.await("the rows of " + table, () -> rows(table).equals(sorted));
        } catch (AssertionError different) {
            assertThat(rows(table)).isEqualTo(sorted);
            throw different;
        }
    }

    /** Of a Feldera table, sorted as text. */
    List<String> rows(String table) {
        List<String> rows = new ArrayList<>();
        try (FelderaClient client = client(feldera.url());
                QueryRows found = client.query("SELECT * FROM " + table, LIMITS)) {
            for (Optional<byte[]> row = found.next(); row.isPresent(); row = found.next()) {
                try (var reader = Json.createReader(new ByteArrayInputStream(row.get()))) {
                    rows.add(reader.readObject().values().stream()
                            .map(Replica::plain)
                            .collect(Collectors.joining("|")));
                }
            }
        }
        return rows.stream().sorted().toList();
    }

    /** What the connector says that the stream did not tell, of all tables. */
    List<ConnectorStatus.Drift> drifts() {
        return status().tables().stream()
                .flatMap(table -> table.drifts().stream())
                .toList();
    }

    void sql(String... statements) {
        postgres.execute(database, statements);
    }

    Lsn confirmedFlush() {
        return Lsn.parse(postgres.query(
                database, "SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '" + slot + "'"));
    }

    Lsn walEnd() {
        return Lsn.parse(postgres.query(database, "SELECT pg_current_wal_lsn()"));
    }

    SlotStatus slotStatus() {
        try (var source = new PostgresSource(postgres.settings(database, slot, "pub"), InstantSource.system())) {
            return source.slot();
        }
    }

    List<String> source(String table) {
        List<String> rows = new ArrayList<>();
        try (Connection connection = postgres.connect(database);
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT * FROM " + table + " ORDER BY id")) {
            while (found.next()) {
                List<String> columns = new ArrayList<>();
                for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) columns.add(found.getString(i));
                rows.add(row(columns));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return rows;
    }

    private static String row(List<String> columns) {
        return IntStream.range(0, columns.size())
                .mapToObj(i -> i < 2 ? String.valueOf(columns.get(i)) : text(columns.get(i)))
                .collect(Collectors.joining("|"));
    }

    /** PostgreSQL writes a space where Feldera writes a T, and cuts trailing zeros as Feldera does not. */
    private static String text(String value) {
        return String.valueOf(value).replace(' ', 'T').replaceFirst("\\.?0+$", "");
    }

    List<String> target(String table) {
        List<String> rows = new ArrayList<>();
        try (FelderaClient client = client(feldera.url());
                QueryRows found = client.query("SELECT * FROM " + table + " ORDER BY id", LIMITS)) {
            for (Optional<byte[]> row = found.next(); row.isPresent(); row = found.next()) {
                try (var reader = Json.createReader(new ByteArrayInputStream(row.get()))) {
                    JsonObject json = reader.readObject();
                    List<String> columns =
                            json.values().stream().map(Replica::plain).toList();
                    rows.add(row(columns));
                }
            }
        }
        return rows;
    }

    private static String plain(JsonValue value) {
        return value instanceof JsonString string ? string.getString() : value.toString();
    }

    /** How many operations the table's endpoint has counted in this life of the pipeline. */
    long operations(String table) {
        try (FelderaClient client = client(feldera.url())) {
            return client.stats().operations().entrySet().stream()
                    .filter(endpoint -> endpoint.getKey().startsWith(table + "."))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }
    }

    /** Waits until PostgreSQL was told that it may forget everything written so far. */
    void awaitConfirmed() {
        Lsn end = walEnd();
        TestPostgres.await("everything to be confirmed", () -> !end.isAfter(confirmedFlush()));
    }

    @Override
    public void close() {
        if (running.isPresent()) stop();
        proxies.ifPresent(Proxies::close);
        feldera.close();
        postgres.dropSlots(database);
    }
}
