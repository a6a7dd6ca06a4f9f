package tidemark.app;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import tidemark.delivery.CrashKit;
import tidemark.delivery.DeliverySettings;
import tidemark.delivery.TableRoute;
import tidemark.replication.PostgresSettings;
import tidemark.replication.SlotOptions;
import tidemark.sink.FelderaSettings;

/**
 * The whole configuration, validated: one record per consumer. Secrets are in {@code postgres}, {@code feldera} and
 * {@code door}, which do not print them.
 */
record Settings(
        PostgresSettings postgres,
        FelderaSettings feldera,
        DeliverySettings delivery,
        DoorSettings door,
        CrashKit crash) {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /**
     * Below the 10 s of {@link FelderaQuestions}, so that a slow answer is a classified failure before it is a
     * time-out.
     */
    private static final Duration QUESTION_TIMEOUT = Duration.ofSeconds(9);

    /** Beyond the API server's own limit, so that its answer to a request it gave up arrives before we give up. */
    private static final Duration POST_MARGIN = Duration.ofSeconds(2);

    /** @throws Misconfigured with every problem that the configuration has */
    static Settings read(Config config) {
        return of(SettingValues.read(config));
    }

    private static Settings of(SettingValues values) {
        return new Settings(
                postgres(values), feldera(values), delivery(values), DoorSettings.of(values), crash(values));
    }

    static PostgresSettings postgres(SettingValues values) {
        PostgresUrl url = values.get(SettingsCatalog.POSTGRES_URL);
        return new PostgresSettings(
                url.jdbc(),
                values.find(SettingsCatalog.POSTGRES_USER).or(url::user).orElseThrow(),
                values.find(SettingsCatalog.POSTGRES_PASSWORD)
                        .or(() -> values.find(SettingsCatalog.POSTGRES_PASSWORD_FILE))
                        .or(url::password),
                values.get(SettingsCatalog.POSTGRES_SSLMODE),
                values.find(SettingsCatalog.POSTGRES_SSLROOTCERT),
                values.find(SettingsCatalog.POSTGRES_SSLCERT),
                values.find(SettingsCatalog.POSTGRES_SSLKEY),
                values.get(SettingsCatalog.POSTGRES_SLOT),
                values.get(SettingsCatalog.POSTGRES_PUBLICATION),
                CONNECT_TIMEOUT,
                values.get(SettingsCatalog.SESSION_GIVE_UP_AFTER),
                new SlotOptions(
                        values.get(SettingsCatalog.POSTGRES_SLOT_FAILOVER),
                        values.get(SettingsCatalog.POSTGRES_ORIGIN)));
    }

    private static FelderaSettings feldera(SettingValues values) {
        Optional<String> apiKey = values.find(SettingsCatalog.FELDERA_API_KEY)
                .or(() -> values.find(SettingsCatalog.FELDERA_API_KEY_FILE));
        return new FelderaSettings(
                values.get(SettingsCatalog.FELDERA_URL),
                values.get(SettingsCatalog.FELDERA_PIPELINE),
                apiKey,
                values.find(SettingsCatalog.FELDERA_CA_FILE),
                CONNECT_TIMEOUT,
                QUESTION_TIMEOUT,
                values.get(SettingsCatalog.FELDERA_REQUEST_LIMIT).plus(POST_MARGIN));
    }

    private static DeliverySettings delivery(SettingValues values) {
        return new DeliverySettings(
                routes(values),
                values.get(SettingsCatalog.FELDERA_ACK_MODE),
                values.get(SettingsCatalog.TABLES_UNLISTED),
                values.get(SettingsCatalog.SNAPSHOT_MODE),
                values.get(SettingsCatalog.SNAPSHOT_ON_STATE_LOSS),
                values.get(SettingsCatalog.SNAPSHOT_PARALLELISM),
                values.get(SettingsCatalog.VALUES_UNREPRESENTABLE),
                values.get(SettingsCatalog.FELDERA_REQUIRE_PRIMARY_KEY),
                values.get(SettingsCatalog.PUBLICATION_ALLOW_PARTIAL),
                values.get(SettingsCatalog.BATCH_MAX_ROWS),
                values.get(SettingsCatalog.BATCH_MAX_BYTES),
                values.get(SettingsCatalog.BATCH_MAX_ROW_BYTES),
                Duration.ofMillis(values.get(SettingsCatalog.BATCH_LINGER_MS)),
                values.get(SettingsCatalog.DELIVERY_IN_FLIGHT),
                values.get(SettingsCatalog.FELDERA_COMPLETION_TIMEOUT),
                values.get(SettingsCatalog.FELDERA_REQUEST_LIMIT),
                values.get(SettingsCatalog.SESSION_GIVE_UP_AFTER),
                values.get(SettingsCatalog.SESSION_SLOT_BUSY_LIMIT),
                values.get(SettingsCatalog.STOP_BUDGET),
                values.get(SettingsCatalog.DRIFT_INTERVAL),
                values.get(SettingsCatalog.DRIFT_POLICY),
                stateFile(values));
    }

    private static List<TableRoute> routes(SettingValues values) {
        return values.find(SettingsCatalog.TABLES)
                .orElseGet(() -> List.of(SettingsCatalog.route(
                        values.get(SettingsCatalog.PG_TABLE), values.get(SettingsCatalog.FELDERA_TABLE))));
    }

    private static CrashKit crash(SettingValues values) {
        int afterBatches = values.get(SettingsCatalog.CRASH_AFTER_BATCHES);
        return values.find(SettingsCatalog.CRASH_AT)
                .map(point -> CrashKit.at(point, afterBatches, ProcessEnd::crash))
                .orElseGet(CrashKit::none);
    }

    static Path stateFile(SettingValues values) {
        return values.find(SettingsCatalog.STATE_FILE)
                .orElseGet(() -> Path.of("state", values.get(SettingsCatalog.POSTGRES_SLOT) + ".json"));
    }
}
