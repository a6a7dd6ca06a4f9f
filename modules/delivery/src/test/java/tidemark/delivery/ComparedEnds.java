package tidemark.delivery;

import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import tidemark.decode.RelationName;
import tidemark.replication.PostgresSource;
import tidemark.replication.TestPostgres;
import tidemark.sink.Destination;
import tidemark.sink.FelderaClient;

/** Has both ends of a {@link Replica} compared, in the service's place or beside it. */
final class ComparedEnds {
    private final Replica replica;
    private UnaryOperator<Destination> destination = UnaryOperator.identity();

    ComparedEnds(Replica replica) {
        this.replica = replica;
    }

    /** What stands between the command and the pipeline. */
    void through(UnaryOperator<Destination> other) {
        destination = other;
    }

    /** In the service's place; {@code report} gets what people are told. */
    ExitCode verify(List<String> report, String... tables) {
        return verification(
                report,
                verification -> verification.run(
                        Stream.of(tables).map(ComparedEnds::named).toList()));
    }

    /** The same, and mends what differs. */
    ExitCode repair(List<String> report, String... tables) {
        return verification(
                report,
                verification -> verification.runAndMend(
                        Stream.of(tables).map(ComparedEnds::named).toList()));
    }

    ExitCode verification(List<String> report, Function<Verification, ExitCode> run) {
        try (var source = new PostgresSource(replica.sourceSettings(), InstantSource.system());
                FelderaClient client = replica.reachedClient()) {
            return run.apply(new Verification(
                    replica.settings(),
                    source,
                    destination.apply(client),
                    InstantSource.system(),
                    new SplittableRandom(1),
                    report::add,
                    _ -> ExitCode.TEMPORARY));
        }
    }

    /** Asks the running connector to compare a table, and waits for what comes of it. */
    VerifyState beside(String table) {
        ask(table);
        return outcome(table);
    }

    void ask(String table) {
        replica.connector().verify(named(table));
    }

    VerifyState outcome(String table) {
        TestPostgres.await("the comparison of " + table, () -> !(state(table) instanceof VerifyState.UnderWay));
        return state(table);
    }

    private VerifyState state(String table) {
        return replica.connector().verified(named(table)).orElseThrow();
    }

    private static RelationName named(String table) {
        return new RelationName("public", table);
    }
}
