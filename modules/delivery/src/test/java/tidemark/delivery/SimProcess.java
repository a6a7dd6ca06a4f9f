package tidemark.delivery;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** One run of Tidemark: all that dies with the process. */
final class SimProcess {
    private final SimWorld world;
    private final SimWorkers workers;
    private final Sessions sessions;
    private final SimPromises promises;
    private final Comparisons comparisons = new Comparisons();
    private final Resyncs resyncs;
    private boolean stopAsked;

    SimProcess(
            SimWorld world,
            DeliverySettings settings,
            SimPostgres postgres,
            SimPipeline pipeline,
            SimPromises promises,
            SimStateStore store) {
        this.world = world;
        this.promises = promises;
        this.workers = new SimWorkers(world, pipeline, promises);
        SimTime time = world.time;
        var ghosts = new GhostWatch(settings.requestLimit());
        var counts = new EndpointCounts();
        InstantSource clock = () -> Instant.EPOCH.plusNanos(time.now());
        var board = new StatusBoard(settings.routes(), clock);
        this.resyncs = new Resyncs(settings, board, clock);
        this.sessions = new Sessions(new Surroundings(
                settings,
                postgres,
                pipeline,
                RowPolicy.of(settings, new NulledValues()),
                new Notices(),
                store,
                new Errands(workers, ghosts, counts, time::now),
                ghosts,
                counts,
                new Patience(
                        settings.giveUpAfter(), settings.slotBusyLimit(), new SplittableRandom(world.dice.nextLong())),
                board,
                new CatalogWatch(postgres, board, DriftRemedy.of(settings, resyncs, clock), clock),
                comparisons,
                resyncs,
                CrashKit.none(),
                time::now,
                () -> stopAsked,
                this::pause,
                world.dice.split()));
    }

    static DeliverySettings settings(
            SimWorld world,
            List<SimTable> tables,
            DeliverySettings.SnapshotMode mode,
            DeliverySettings.OnStateLoss onStateLoss) {
        return new DeliverySettings(
                tables.stream()
                        .map(table -> new TableRoute(table.postgres, table.feldera))
                        .toList(),
                DeliverySettings.AckMode.COMPLETED,
                DeliverySettings.UnlistedTables.STOP,
                mode,
                onStateLoss,
                1 + world.values.nextInt(3),
                DeliverySettings.Unrepresentable.NULL,
                false,
                false,
                SimPromises.MAX_ROWS,
                16 << 20,
                64 << 20,
                Duration.ofMillis(world.pick(0, 20, 50)),
                (int) world.pick(1, 2, 4),
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofMinutes(2),
                Duration.ofSeconds(20),
                Duration.ofSeconds(10),
                DeliverySettings.DriftPolicy.REPORT,
                Path.of("state.json"));
    }

    /** @throws SimulatedCrash when it dies */
    ExitCode run() {
        try {
            return sessions.run();
        } finally {
            workers.die();
        }
    }

    void askToStop() {
        stopAsked = true;
        sessions.interrupt();
    }

    ResyncReply resync(SimTable table) {
        return resyncs.request(table.postgres);
    }

    boolean isAskedToStop() {
        return stopAsked;
    }

    /** Somebody wants to know whether the table is the same at both ends. */
    void compare(SimTable table) {
        comparisons.ask(table.postgres, Optional.empty());
        look(table);
    }

    private void look(SimTable table) {
        switch (comparisons.of(table.postgres).orElseThrow()) {
            case VerifyState.UnderWay _ -> world.time.in(SimTime.SECOND, () -> look(table));
            case VerifyState.Compared(TableFindings found, Duration _) -> promises.compared(found);
            case VerifyState.NotCompared(ExitCode _, String why, String _) ->
                world.say("%s not compared: %s", table.postgres, why);
        }
    }

    SimWorkers workers() {
        return workers;
    }

    private boolean pause(Duration wait) {
        long until = world.time.now() + wait.toNanos();
        while (!stopAsked && world.time.now() < until) world.waitFor(until - world.time.now());
        return stopAsked;
    }
}
