package tidemark.bench;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import tidemark.bench.ClockedSource.Moment;
import tidemark.decode.RelationName;
import tidemark.delivery.Connector;
import tidemark.delivery.ConnectorStatus;
import tidemark.delivery.DeliverySettings;
import tidemark.delivery.ExitCode;
import tidemark.delivery.Phase;
import tidemark.delivery.TableRoute;
import tidemark.replication.PostgresSettings;
import tidemark.replication.PostgresSource;
import tidemark.sink.FelderaClient;
import tidemark.sink.FelderaName;
import tidemark.sink.FelderaSettings;

/**
 * The contestant under test: the connector with every default of docs/configuration.md, except that a backlog of a slot
 * is streamed without a copy before it. Its end is that Feldera has completed the last row.
 */
final class ConnectorReading {
    /** Between two looks at the connector: what the measured end may be late by. */
    private static final Duration LOOK_EVERY = Duration.ofMillis(5);

    private final Task task;
    private final ClockedSource source;
    private final Connector connector;
    private final CompletableFuture<ExitCode> running;

    private ConnectorReading(Task task, ClockedSource source, Connector connector) {
        this.task = task;
        this.source = source;
        this.connector = connector;
        this.running = CompletableFuture.supplyAsync(
                connector::run,
                work -> Thread.ofPlatform().daemon().name("delivery").start(work));
    }

    public static void main(String[] words) throws IOException {
        Task task = Task.parse(words);
        var clock = InstantSource.system();
        try (var source = new ClockedSource(new PostgresSource(postgres(task), clock));
                var client = new FelderaClient(feldera(task))) {
            var connector = new Connector(delivery(task), source, client, clock, RandomGenerator.getDefault());
            System.out.println(
                    new ConnectorReading(task, source, connector).measure().line());
        }
    }

    private Figures measure() throws IOException {
        Moment begun = task.workload().isCopy() ? copying() : streaming();
        Moment ended = task.workload().isCopy() ? streaming() : completed();
        long rows = rows(connector.status());
        connector.stop();
        ExitCode exit = running.join();
        if (exit != ExitCode.DRAINED) throw new IllegalStateException("the connector ended with " + exit);
        if (rows != task.rows()) throw new IllegalStateException("%d rows came".formatted(rows));
        return Figures.ofThisProcess(
                rows, Duration.between(begun.at(), ended.at()), ended.cpu().minus(begun.cpu()));
    }

    private Moment copying() {
        ConnectorStatus status = connector.status();
        while (!status.phase().equals(Phase.COPYING.word())) {
            if (source.started().isPresent()) {
                throw new IllegalStateException("the copy was over before it was seen: take more rows");
            }
            status = next();
        }
        return new Moment(status.phaseSince(), Figures.cpuOfThisProcess());
    }

    /** Only when a copy, if there is one, is complete and on disk. */
    private Moment streaming() {
        while (source.started().isEmpty()) next();
        return source.started().orElseThrow();
    }

    private Moment completed() {
        ConnectorStatus status = next();
        while (rows(status) < task.rows() || !status.completed().isAfter(task.last()) || status.batchesInFlight() > 0) {
            status = next();
        }
        return Moment.now();
    }

    private ConnectorStatus next() {
        LockSupport.parkNanos(LOOK_EVERY.toNanos());
        if (running.isDone()) throw new IllegalStateException("the connector ended with " + running.join());
        ConnectorStatus status = connector.status();
        Optional<String> failure = status.lastFailure();
        if (failure.isPresent()) throw new IllegalStateException("the session failed: " + failure.get());
        return status;
    }

    private static long rows(ConnectorStatus status) {
        return status.tables().stream()
                .mapToLong(table -> table.copiedRows() + table.inserts() + table.updates() + table.deletes())
                .sum();
    }

    private static PostgresSettings postgres(Task task) {
        return new PostgresSettings(
                task.postgres(),
                Task.USER,
                Optional.empty(),
                "prefer",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                task.slot(),
                task.workload().table(),
                Duration.ofSeconds(10));
    }

    private static FelderaSettings feldera(Task task) {
        return new FelderaSettings(
                task.feldera(),
                NullFeldera.PIPELINE,
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(10),
                Duration.ofSeconds(9),
                Duration.ofSeconds(32));
    }

    private static DeliverySettings delivery(Task task) {
        String table = task.workload().table();
        return new DeliverySettings(
                List.of(new TableRoute(new RelationName("public", table), new FelderaName(table, false))),
                DeliverySettings.AckMode.COMPLETED,
                DeliverySettings.UnlistedTables.STOP,
                task.workload().isCopy() ? DeliverySettings.SnapshotMode.INITIAL : DeliverySettings.SnapshotMode.NEVER,
                DeliverySettings.OnStateLoss.STOP,
                2,
                DeliverySettings.Unrepresentable.NULL,
                true,
                false,
                10_000,
                16L << 20,
                64L << 20,
                task.linger(),
                4,
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofMinutes(2),
                Duration.ofSeconds(20),
                Duration.ofSeconds(10),
                DeliverySettings.DriftPolicy.REPORT,
                task.directory().resolve(task.slot() + ".json"));
    }
}
