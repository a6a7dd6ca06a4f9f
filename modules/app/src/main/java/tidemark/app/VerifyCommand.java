package tidemark.app;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import tidemark.decode.RelationName;
import tidemark.delivery.ExitCode;
import tidemark.delivery.Routes;
import tidemark.delivery.TableRoute;
import tidemark.delivery.Verification;
import tidemark.replication.PostgresSource;
import tidemark.sink.FelderaClient;

/**
 * {@code tidemark verify}: put together without the container, since nothing of it is served. Where a walsender holds
 * the slot a service runs, which is asked for it.
 */
final class VerifyCommand {
    /** The words do not name configured tables. */
    static final class Misnamed extends RuntimeException {
        Misnamed(String why) {
            super(why);
        }
    }

    private VerifyCommand() {}

    /**
     * @param tables which of the configured ones, as PostgreSQL names them; none means all
     * @param mends what differs
     * @param report takes what was found, line by line
     * @throws Misnamed if one of them is not configured
     */
    static ExitCode run(Settings settings, List<String> tables, boolean mends, Consumer<String> report) {
        List<RelationName> named = named(settings.delivery().routes(), tables);
        var stop = new CommandStop();
        var clock = InstantSource.system();
        try (var postgres = new PostgresSource(settings.postgres(), clock);
                var feldera = new FelderaClient(settings.feldera())) {
            var verification = new Verification(
                    settings.delivery(),
                    postgres,
                    feldera,
                    clock,
                    RandomGenerator.getDefault(),
                    report,
                    pid -> beside(settings, named, mends, pid, report, stop));
            StopSignals.call(_ -> {
                stop.ask();
                verification.stop();
            });
            return mends ? verification.runAndMend(named) : verification.run(named);
        }
    }

    private static ExitCode beside(
            Settings settings,
            List<RelationName> named,
            boolean mends,
            int pid,
            Consumer<String> report,
            CommandStop stop) {
        List<RelationName> tables = named.isEmpty()
                ? settings.delivery().routes().stream()
                        .map(TableRoute::postgres)
                        .toList()
                : named;
        try (var door = new Door(settings.door())) {
            return new VerifyBeside(door, report, stop).run(tables, mends);
        } catch (Door.Shut shut) {
            throw shut.exit() == ExitCode.UNREACHABLE
                    ? new Door.Shut(
                            ExitCode.TEMPORARY,
                            "the walsender with pid %d holds the slot, so a service runs, but %s"
                                    .formatted(pid, shut.getMessage()),
                            "set server.host and server.port to where it listens, or stop it")
                    : shut;
        }
    }

    static List<RelationName> named(List<TableRoute> routes, List<String> tables) {
        List<RelationName> configured =
                routes.stream().map(TableRoute::postgres).toList();
        List<RelationName> named = new ArrayList<>();
        for (String table : tables) {
            List<TableRoute> one = parsed(table);
            if (one.size() != 1 || !configured.contains(one.getFirst().postgres())) {
                throw new Misnamed("%s is not in tables".formatted(table));
            }
            named.add(one.getFirst().postgres());
        }
        return List.copyOf(named);
    }

    private static List<TableRoute> parsed(String table) {
        try {
            return Routes.parse(table);
        } catch (IllegalArgumentException unreadable) {
            throw new Misnamed("%s: %s".formatted(table, unreadable.getMessage()));
        }
    }
}
