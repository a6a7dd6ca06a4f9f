package tidemark.app;

import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/**
 * The part of the configuration that is needed to ask the service which runs with it.
 *
 * @param slot which says that it is that service and no other
 * @param giveUpAfter how long a command waits while no session streams
 */
record DoorSettings(ServerAddress server, Optional<ManagementToken> token, String slot, Duration giveUpAfter) {
    /** @throws Misconfigured with every problem that this part has */
    static DoorSettings read(Config config) {
        return of(SettingValues.readDoor(config));
    }

    static DoorSettings of(SettingValues values) {
        return new DoorSettings(
                new ServerAddress(values.get(SettingsCatalog.SERVER_HOST), values.get(SettingsCatalog.SERVER_PORT)),
                values.find(SettingsCatalog.MANAGEMENT_TOKEN)
                        .or(() -> values.find(SettingsCatalog.MANAGEMENT_TOKEN_FILE))
                        .map(ManagementToken::new),
                values.get(SettingsCatalog.POSTGRES_SLOT),
                values.get(SettingsCatalog.SESSION_GIVE_UP_AFTER));
    }
}
