package tidemark.delivery;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.AckMode;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.delivery.DeliverySettings.UnlistedTables;
import tidemark.sink.FelderaName;

/** Settings for tests: the defaults of design §9, and the few that tests change. */
final class Settings {
    private Settings() {}

    static DeliverySettings of(Path stateFile, String... tables) {
        return of(stateFile, 10_000, Duration.ofMillis(50), tables);
    }

    static DeliverySettings of(Path stateFile, int maxRows, Duration linger, String... tables) {
        return with(AckMode.COMPLETED, stateFile, maxRows, linger, tables);
    }

    static DeliverySettings ignoringUnlisted(DeliverySettings of) {
        return changed(
                of, of.ackMode(), UnlistedTables.IGNORE, of.snapshotMode(), of.snapshotParallelism(), of.giveUpAfter());
    }

    /** Gives up after 3 s without progress. */
    static DeliverySettings soonTired(DeliverySettings of) {
        return changed(
                of, of.ackMode(), of.unlisted(), of.snapshotMode(), of.snapshotParallelism(), Duration.ofSeconds(3));
    }

    /** Copies nothing. */
    static DeliverySettings streamingOnly(DeliverySettings of) {
        return streamingOnly(of, of.ackMode());
    }

    static DeliverySettings copying(DeliverySettings of, SnapshotMode mode) {
        return changed(of, of.ackMode(), of.unlisted(), mode, of.snapshotParallelism(), of.giveUpAfter());
    }

    static DeliverySettings streamingOnly(DeliverySettings of, AckMode ackMode) {
        return changed(of, ackMode, of.unlisted(), SnapshotMode.NEVER, of.snapshotParallelism(), of.giveUpAfter());
    }

    static DeliverySettings copyingWith(int readers, DeliverySettings of) {
        return changed(of, of.ackMode(), of.unlisted(), of.snapshotMode(), readers, of.giveUpAfter());
    }

    static DeliverySettings acknowledging(DeliverySettings of, AckMode ackMode) {
        return changed(of, ackMode, of.unlisted(), of.snapshotMode(), of.snapshotParallelism(), of.giveUpAfter());
    }

    /** Tables may lack a key. */
    static DeliverySettings keyless(DeliverySettings of, int maxRows) {
        return new DeliverySettings(
                of.routes(),
                of.ackMode(),
                of.unlisted(),
                of.snapshotMode(),
                of.snapshotParallelism(),
                of.unrepresentable(),
                false,
                of.allowPartialPublication(),
                maxRows,
                of.maxBytes(),
                of.maxRowBytes(),
                of.linger(),
                of.inFlight(),
                of.completionTimeout(),
                of.requestLimit(),
                of.giveUpAfter(),
                of.slotBusyLimit(),
                of.stopBudget(),
                of.driftInterval(),
                of.stateFile());
    }

    /** Feldera's tables need no PRIMARY KEY. */
    static DeliverySettings keyless(DeliverySettings of) {
        return changed(
                of, of.ackMode(), of.unlisted(), of.snapshotMode(), of.snapshotParallelism(), of.giveUpAfter(), false);
    }

    private static DeliverySettings changed(
            DeliverySettings of,
            AckMode ackMode,
            UnlistedTables unlisted,
            SnapshotMode snapshotMode,
            int parallelism,
            Duration giveUpAfter) {
        return changed(of, ackMode, unlisted, snapshotMode, parallelism, giveUpAfter, of.requirePrimaryKey());
    }

    private static DeliverySettings changed(
            DeliverySettings of,
            AckMode ackMode,
            UnlistedTables unlisted,
            SnapshotMode snapshotMode,
            int parallelism,
            Duration giveUpAfter,
            boolean requirePrimaryKey) {
        return new DeliverySettings(
                of.routes(),
                ackMode,
                unlisted,
                snapshotMode,
                parallelism,
                of.unrepresentable(),
                requirePrimaryKey,
                of.allowPartialPublication(),
                of.maxRows(),
                of.maxBytes(),
                of.maxRowBytes(),
                of.linger(),
                of.inFlight(),
                of.completionTimeout(),
                of.requestLimit(),
                giveUpAfter,
                of.slotBusyLimit(),
                of.stopBudget(),
                of.driftInterval(),
                of.stateFile());
    }

    static DeliverySettings with(AckMode ackMode, Path stateFile, int maxRows, Duration linger, String... tables) {
        return routing(
                ackMode,
                stateFile,
                maxRows,
                linger,
                List.of(tables).stream()
                        .map(table -> new TableRoute(new RelationName("public", table), new FelderaName(table, false)))
                        .toList());
    }

    static DeliverySettings routing(Path stateFile, int maxRows, Duration linger, List<TableRoute> routes) {
        return routing(AckMode.COMPLETED, stateFile, maxRows, linger, routes);
    }

    private static DeliverySettings routing(
            AckMode ackMode, Path stateFile, int maxRows, Duration linger, List<TableRoute> routes) {
        return new DeliverySettings(
                routes,
                ackMode,
                UnlistedTables.STOP,
                SnapshotMode.INITIAL,
                2,
                DeliverySettings.Unrepresentable.NULL,
                true,
                false,
                maxRows,
                16 << 20,
                64 << 20,
                linger,
                4,
                Duration.ofSeconds(60),
                Duration.ofSeconds(2),
                Duration.ofMinutes(5),
                Duration.ofMinutes(2),
                Duration.ofSeconds(20),
                Duration.ofMillis(50),
                stateFile);
    }
}
