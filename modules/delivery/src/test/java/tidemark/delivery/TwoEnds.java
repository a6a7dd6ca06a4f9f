package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Tuple;
import tidemark.replication.PostgresSource;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceSession;
import tidemark.replication.TableCopy;
import tidemark.replication.TestPostgres;
import tidemark.sink.Completion;
import tidemark.sink.CompletionToken;
import tidemark.sink.FelderaClient;
import tidemark.sink.FelderaName;
import tidemark.sink.IngressReply;
import tidemark.sink.QueryRows;
import tidemark.sink.TableBody;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinPipeline;
import tidemark.standin.StandinSettings;

/** A real PostgreSQL database and the stand-in over HTTP, with nobody in between but the test. */
final class TwoEnds implements AutoCloseable {
    private static final int OPERATIONS_OF_A_BODY = 2;
    static final QueryRows.Limits LIMITS = new QueryRows.Limits(16 << 20, Duration.ofSeconds(30));

    final TestPostgres postgres;
    final String database;
    final FelderaStandin feldera;
    final FelderaClient client;
    final StandinPipeline pipeline;
    private final PostgresSource source;

    /** @param program of Feldera; the same tables are published */
    TwoEnds(TestPostgres postgres, String program, String... sql) {
        this.postgres = postgres;
        this.database = postgres.newDatabase();
        this.feldera = FelderaStandin.start(StandinSettings.defaults());
        this.pipeline = feldera.deploy("p", program);
        this.client = Replica.client(feldera.url());
        sql(sql);
        sql("CREATE PUBLICATION pub FOR ALL TABLES");
        this.source =
                new PostgresSource(postgres.settings(database, "slot_" + database, "pub"), InstantSource.system());
    }

    void sql(String... statements) {
        postgres.execute(database, statements);
    }

    /** Whether or not the Feldera tables have keys. */
    private List<TablePlan> plans(SourceSession session, String... tables) {
        StartCheck.Findings checked = StartCheck.of(
                session.publication(), client.tables(), TableFixture.settings(String.join(",", tables), false, false));
        assertThat(checked.problems()).isEmpty();
        return checked.plans();
    }

    /** As the service would copy them. */
    void deliver(String... tables) {
        try (SourceSession session = source.open();
                Snapshot snapshot = session.snapshotBesideSlot()) {
            for (TablePlan plan : plans(session, tables)) {
                RowEncoder encoder = plan.copyEncoder(policy());
                var body = new RowBytes(1 << 20);
                try (TableCopy copy = snapshot.copy(plan.shape())) {
                    for (Optional<Tuple> row = copy.next(); row.isPresent(); row = copy.next()) {
                        encoder.insert(row.get(), body);
                    }
                }
                post(body.body(plan.feldera().name()));
            }
        }
    }

    /** Sends what makes Feldera's tables equal to PostgreSQL's, in bodies of a few operations. */
    void merge(String... tables) {
        try (SourceSession session = source.open();
                Snapshot snapshot = session.snapshotBesideSlot()) {
            for (TablePlan plan : plans(session, tables)) {
                try (var merged = new MergedTable(
                        plan, snapshot, policy(), client, LIMITS, new BodyBounds(OPERATIONS_OF_A_BODY, 1 << 20))) {
                    boolean more = true;
                    while (more) {
                        var body = new RowBytes(1 << 20);
                        more = merged.fill(body);
                        if (body.operations() > 0) post(body.body(plan.feldera().name()));
                    }
                }
            }
        }
    }

    /** One operation, in Feldera's words, and until it is visible. */
    void post(String table, String operation) {
        byte[] bytes = ("[" + operation + "]").getBytes(StandardCharsets.UTF_8);
        post(new TableBody(new FelderaName(table, false), bytes, bytes.length));
    }

    private void post(TableBody body) {
        IngressReply reply = client.post(body);
        assertThat(reply).isInstanceOf(IngressReply.Accepted.class);
        CompletionToken token = ((IngressReply.Accepted) reply).token();
        TestPostgres.await(
                "the rows of " + body.table(), () -> client.completion(token) instanceof Completion.Complete);
    }

    /** Everything that a comparison says, one line each, in its order. */
    List<String> differences(String table) {
        return differencesOf(table).getFirst();
    }

    /** The same of several tables, under one snapshot. */
    List<List<String>> differencesOf(String... tables) {
        try (SourceSession session = source.open();
                Snapshot snapshot = session.snapshotBesideSlot()) {
            return plans(session, tables).stream()
                    .map(plan -> differences(ComparedTable.of(plan), snapshot))
                    .toList();
        }
    }

    private List<String> differences(ComparedTable table, Snapshot snapshot) {
        List<String> found = new ArrayList<>();
        try (var left = new PostgresRows(table, snapshot, policy());
                var right = new FelderaRows(table, client.query(table.query().sql(), LIMITS))) {
            var comparison = new TableComparison(table, left, right);
            for (var next = comparison.next(); next.isPresent(); next = comparison.next()) {
                String columns = switch (next.get()) {
                    case MISSING, EXTRA -> "";
                    case DIFFERENT -> " " + comparison.differingColumns();
                };
                found.add("%s %s%s".formatted(next.get(), comparison.key(), columns));
            }
        }
        return found;
    }

    private static RowPolicy policy() {
        return TableFixture.policy(DeliverySettings.Unrepresentable.NULL, 1 << 20);
    }

    @Override
    public void close() {
        source.close();
        client.close();
        feldera.close();
        postgres.dropSlots(database);
    }
}
