package tidemark.delivery;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import tidemark.decode.RelationName;
import tidemark.sink.FelderaName;

/** Settings for tests: the defaults of design §9, and the few that tests change. */
final class Settings {
    private Settings() {}

    static DeliverySettings of(Path stateFile, String... tables) {
        return of(stateFile, 10_000, Duration.ofMillis(50), tables);
    }

    static DeliverySettings of(Path stateFile, int maxRows, Duration linger, String... tables) {
        return with(DeliverySettings.AckMode.COMPLETED, stateFile, maxRows, linger, tables);
    }

    static DeliverySettings ignoringUnlisted(DeliverySettings settings) {
        return new DeliverySettings(
                settings.routes(),
                settings.ackMode(),
                DeliverySettings.UnlistedTables.IGNORE,
                settings.snapshotMode(),
                settings.unrepresentable(),
                settings.requirePrimaryKey(),
                settings.allowPartialPublication(),
                settings.maxRows(),
                settings.maxBytes(),
                settings.maxRowBytes(),
                settings.linger(),
                settings.inFlight(),
                settings.completionTimeout(),
                settings.requestLimit(),
                settings.giveUpAfter(),
                settings.slotBusyLimit(),
                settings.stopBudget(),
                settings.driftInterval(),
                settings.stateFile());
    }

    /** Gives up after 3 s without progress. */
    static DeliverySettings soonTired(DeliverySettings settings) {
        return new DeliverySettings(
                settings.routes(),
                settings.ackMode(),
                settings.unlisted(),
                settings.snapshotMode(),
                settings.unrepresentable(),
                settings.requirePrimaryKey(),
                settings.allowPartialPublication(),
                settings.maxRows(),
                settings.maxBytes(),
                settings.maxRowBytes(),
                settings.linger(),
                settings.inFlight(),
                settings.completionTimeout(),
                settings.requestLimit(),
                Duration.ofSeconds(3),
                settings.slotBusyLimit(),
                settings.stopBudget(),
                settings.driftInterval(),
                settings.stateFile());
    }

    /** Copies nothing. */
    static DeliverySettings streamingOnly(DeliverySettings settings) {
        return new DeliverySettings(
                settings.routes(),
                settings.ackMode(),
                settings.unlisted(),
                DeliverySettings.SnapshotMode.NEVER,
                settings.unrepresentable(),
                settings.requirePrimaryKey(),
                settings.allowPartialPublication(),
                settings.maxRows(),
                settings.maxBytes(),
                settings.maxRowBytes(),
                settings.linger(),
                settings.inFlight(),
                settings.completionTimeout(),
                settings.requestLimit(),
                settings.giveUpAfter(),
                settings.slotBusyLimit(),
                settings.stopBudget(),
                settings.driftInterval(),
                settings.stateFile());
    }

    static DeliverySettings with(
            DeliverySettings.AckMode ackMode, Path stateFile, int maxRows, Duration linger, String... tables) {
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
        return routing(DeliverySettings.AckMode.COMPLETED, stateFile, maxRows, linger, routes);
    }

    private static DeliverySettings routing(
            DeliverySettings.AckMode ackMode, Path stateFile, int maxRows, Duration linger, List<TableRoute> routes) {
        return new DeliverySettings(
                routes,
                ackMode,
                DeliverySettings.UnlistedTables.STOP,
                DeliverySettings.SnapshotMode.INITIAL,
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
