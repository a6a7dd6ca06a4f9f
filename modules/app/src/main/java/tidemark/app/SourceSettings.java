package tidemark.app;

import java.nio.file.Path;
import org.eclipse.microprofile.config.Config;
import tidemark.delivery.DeliverySettings.OnStateLoss;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.replication.PostgresSettings;

/** The part of the configuration that is needed to look at the slot: nothing of Feldera, and no tables. */
record SourceSettings(PostgresSettings postgres, Path stateFile, SnapshotMode snapshotMode, OnStateLoss onStateLoss) {
    /** @throws Misconfigured with every problem that this part has */
    static SourceSettings read(Config config) {
        SettingValues values = SettingValues.readSource(config);
        return new SourceSettings(
                Settings.postgres(values),
                Settings.stateFile(values),
                values.get(SettingsCatalog.SNAPSHOT_MODE),
                values.get(SettingsCatalog.SNAPSHOT_ON_STATE_LOSS));
    }
}
