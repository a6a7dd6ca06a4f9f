package tidemark.delivery;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.AckMode;
import tidemark.delivery.DeliverySettings.DriftPolicy;
import tidemark.delivery.DeliverySettings.OnStateLoss;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.delivery.DeliverySettings.UnlistedTables;
import tidemark.delivery.DeliverySettings.Unrepresentable;
import tidemark.sink.FelderaName;

/** Settings for tests: the defaults of design §9, and the few that tests change. */
final class Settings {
    private Settings() {}

    /** What tests change. */
    private static final class Draft {
        private final DeliverySettings of;
        private AckMode ackMode;
        private UnlistedTables unlisted;
        private SnapshotMode snapshotMode;
        private int parallelism;
        private boolean requirePrimaryKey;
        private boolean allowPartialPublication;
        private int maxRows;
        private Duration giveUpAfter;
        private DriftPolicy driftPolicy;
        private Unrepresentable unrepresentable;

        Draft(DeliverySettings of) {
            this.of = of;
            this.ackMode = of.ackMode();
            this.unlisted = of.unlisted();
            this.snapshotMode = of.snapshotMode();
            this.parallelism = of.snapshotParallelism();
            this.requirePrimaryKey = of.requirePrimaryKey();
            this.allowPartialPublication = of.allowPartialPublication();
            this.maxRows = of.maxRows();
            this.giveUpAfter = of.giveUpAfter();
            this.driftPolicy = of.driftPolicy();
            this.unrepresentable = of.unrepresentable();
        }

        DeliverySettings made() {
            return new DeliverySettings(
                    of.routes(),
                    ackMode,
                    unlisted,
                    snapshotMode,
                    of.onStateLoss(),
                    parallelism,
                    unrepresentable,
                    requirePrimaryKey,
                    allowPartialPublication,
                    maxRows,
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
                    driftPolicy,
                    of.stateFile());
        }
    }

    private static DeliverySettings changed(DeliverySettings of, Consumer<Draft> change) {
        var draft = new Draft(of);
        change.accept(draft);
        return draft.made();
    }

    static DeliverySettings ignoringUnlisted(DeliverySettings of) {
        return changed(of, draft -> draft.unlisted = UnlistedTables.IGNORE);
    }

    /** Gives up after 3 s without progress. */
    static DeliverySettings soonTired(DeliverySettings of) {
        return tiredAfter(Duration.ofSeconds(3), of);
    }

    static DeliverySettings tiredAfter(Duration patience, DeliverySettings of) {
        return changed(of, draft -> draft.giveUpAfter = patience);
    }

    /** What the stream does not tell is read again. */
    static DeliverySettings mendingDrift(DeliverySettings of) {
        return changed(of, draft -> draft.driftPolicy = DriftPolicy.RESYNC);
    }

    /** A value that Feldera cannot hold is refused. */
    static DeliverySettings failing(DeliverySettings of) {
        return changed(of, draft -> draft.unrepresentable = Unrepresentable.FAIL);
    }

    /** Copies nothing. */
    static DeliverySettings streamingOnly(DeliverySettings of) {
        return copying(of, SnapshotMode.NEVER);
    }

    static DeliverySettings streamingOnly(DeliverySettings of, AckMode ackMode) {
        return acknowledging(streamingOnly(of), ackMode);
    }

    static DeliverySettings copying(DeliverySettings of, SnapshotMode mode) {
        return changed(of, draft -> draft.snapshotMode = mode);
    }

    static DeliverySettings copyingWith(int readers, DeliverySettings of) {
        return changed(of, draft -> draft.parallelism = readers);
    }

    static DeliverySettings acknowledging(DeliverySettings of, AckMode ackMode) {
        return changed(of, draft -> draft.ackMode = ackMode);
    }

    /** Where an end has lost its state, only a person goes on. */
    static DeliverySettings stopping(DeliverySettings of) {
        return of.stopping();
    }

    /** Feldera's tables need no PRIMARY KEY. */
    static DeliverySettings keyless(DeliverySettings of) {
        return changed(of, draft -> draft.requirePrimaryKey = false);
    }

    static DeliverySettings keyless(DeliverySettings of, int maxRows) {
        return inBatchesOf(maxRows, keyless(of));
    }

    static DeliverySettings inBatchesOf(int maxRows, DeliverySettings of) {
        return changed(of, draft -> draft.maxRows = maxRows);
    }

    /** The publication need not publish every operation. */
    static DeliverySettings partial(DeliverySettings of) {
        return changed(of, draft -> draft.allowPartialPublication = true);
    }

    static DeliverySettings of(Path stateFile, String... tables) {
        return of(stateFile, 10_000, Duration.ofMillis(50), tables);
    }

    static DeliverySettings of(Path stateFile, int maxRows, Duration linger, String... tables) {
        return with(AckMode.COMPLETED, stateFile, maxRows, linger, tables);
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
                OnStateLoss.RESNAPSHOT,
                2,
                Unrepresentable.NULL,
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
                DriftPolicy.REPORT,
                stateFile);
    }
}
