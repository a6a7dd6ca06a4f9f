package tidemark.app;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tidemark.app.Setting.Preset.Absent;
import tidemark.app.Setting.Preset.Of;
import tidemark.app.Setting.Preset.Required;
import tidemark.delivery.CrashPoint;
import tidemark.delivery.DeliverySettings.AckMode;
import tidemark.delivery.DeliverySettings.DriftPolicy;
import tidemark.delivery.DeliverySettings.OnStateLoss;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.delivery.DeliverySettings.UnlistedTables;
import tidemark.delivery.DeliverySettings.Unrepresentable;
import tidemark.delivery.Routes;
import tidemark.delivery.TableRoute;
import tidemark.replication.SlotOptions.Origin;

/** Every key there is: what validates it, what documents it and what is called unknown all come from here. */
final class SettingsCatalog {
    static final Setting<PostgresUrl> POSTGRES_URL = new Setting<>(
            "postgres.url",
            PostgresUrl.form(),
            new Required(),
            "Where the database is. A user and password in it are taken when `postgres.user` and"
                    + " `postgres.password` say nothing.");
    static final Setting<String> POSTGRES_USER = new Setting<>(
            "postgres.user",
            Form.text("not blank", Pattern.compile(".*\\S.*")),
            new Absent("the user in `postgres.url`; one of the two is required"),
            "A role with REPLICATION and SELECT on the tables.");
    static final Setting<String> POSTGRES_PASSWORD = new Setting<>(
            "postgres.password", Form.secret(), new Absent("the file's, the URL's, or none"), "The role's password.");
    static final Setting<String> POSTGRES_PASSWORD_FILE = new Setting<>(
            "postgres.password-file",
            Form.secretFile(),
            new Absent("`postgres.password` is used"),
            "A file that holds the password; a line end at its end does not count.");
    static final Setting<String> POSTGRES_SSLMODE = new Setting<>(
            "postgres.sslmode",
            Form.oneOf("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
            new Of("prefer"),
            "libpq's words. Only `verify-full` proves that the server is the one named in the URL.");
    static final Setting<Path> POSTGRES_SSLROOTCERT = new Setting<>(
            "postgres.sslrootcert",
            Form.readableFile(),
            new Absent("what the PostgreSQL driver looks for by itself"),
            "The certificate authority that signed the server's certificate.");
    static final Setting<Path> POSTGRES_SSLCERT = new Setting<>(
            "postgres.sslcert", Form.readableFile(), new Absent("no client certificate"), "Our own certificate.");
    static final Setting<Path> POSTGRES_SSLKEY = new Setting<>(
            "postgres.sslkey",
            Form.readableFile(),
            new Absent("no client certificate"),
            "The key of `postgres.sslcert`.");
    static final Setting<String> POSTGRES_SLOT = new Setting<>(
            "postgres.slot",
            Form.text("1 to 63 of a-z, 0-9 and _", Pattern.compile("[a-z0-9_]{1,63}")),
            new Of("tidemark"),
            "The logical replication slot, made when it is missing. It belongs to this service alone.");
    static final Setting<String> POSTGRES_PUBLICATION = new Setting<>(
            "postgres.publication",
            Form.text(
                    "1 to 63 characters, none of them a control character, exactly as created",
                    Pattern.compile("\\P{Cntrl}{1,63}")),
            new Of("tidemark"),
            "The publication that the tables are in. It is never created or changed by this service.");
    static final Setting<Boolean> POSTGRES_SLOT_FAILOVER = new Setting<>(
            "postgres.slot-failover",
            Form.yesOrNo(),
            new Of("false"),
            "Keep the slot in step on standbys that synchronize slots, so that it outlives a failover; an existing slot"
                    + " is altered. PostgreSQL 17 and later.");
    static final Setting<Origin> POSTGRES_ORIGIN = new Setting<>(
            "postgres.origin",
            Form.oneOf(Origin.class),
            new Of("any"),
            "Whose changes are streamed: `any`, or `none`, which leaves out what a subscription of the source itself"
                    + " wrote; Feldera then deliberately differs. PostgreSQL 16 and later.");

    static final Setting<URI> FELDERA_URL = new Setting<>(
            "feldera.url", Form.httpBase(), new Required(), "The base of Feldera's API server; `/v0` is appended.");
    static final Setting<String> FELDERA_PIPELINE = new Setting<>(
            "feldera.pipeline",
            Form.text("1 to 100 letters, digits, _ and -", Pattern.compile("[A-Za-z0-9_-]{1,100}")),
            new Required(),
            "The pipeline whose tables are written.");
    static final Setting<String> FELDERA_API_KEY = new Setting<>(
            "feldera.api-key", Form.secret(), new Absent("the file's; without either, none"), "Feldera's API key.");
    static final Setting<String> FELDERA_API_KEY_FILE = new Setting<>(
            "feldera.api-key-file",
            Form.secretFile(),
            new Absent("`feldera.api-key` is used"),
            "A file that holds the API key; a line end at its end does not count.");
    static final Setting<Path> FELDERA_CA_FILE = new Setting<>(
            "feldera.ca-file",
            Form.readableFile(),
            new Absent("the certificate authorities of the Java runtime"),
            "The certificate authority that signed the API server's certificate.");
    static final Setting<AckMode> FELDERA_ACK_MODE = new Setting<>(
            "feldera.ack-mode",
            Form.oneOf(AckMode.class),
            new Of("completed"),
            "What lets PostgreSQL forget WAL: `completed` is processed by Feldera and by every output"
                    + " connector; `accepted` is only"
                    + " queued in its memory and exists to demonstrate the loss.");
    static final Setting<Duration> FELDERA_COMPLETION_TIMEOUT = new Setting<>(
            "feldera.completion-timeout",
            Form.duration(Duration.ofSeconds(1), Duration.ofHours(1)),
            new Of("PT60S"),
            "How long an accepted batch may stay incomplete before the session ends and replays from the slot.");
    static final Setting<Duration> FELDERA_REQUEST_LIMIT = new Setting<>(
            "feldera.request-limit",
            Form.duration(Duration.ofSeconds(1), Duration.ofMinutes(10)),
            new Of("PT30S"),
            "The API server's own limit for one request: after that an unanswered one cannot take effect any"
                    + " more. Lower it only"
                    + " where the API server's limit is lower.");
    static final Setting<Boolean> FELDERA_REQUIRE_PRIMARY_KEY = new Setting<>(
            "feldera.require-primary-key",
            Form.yesOrNo(),
            new Of("true"),
            "Refuse Feldera tables without a primary key, in which a replayed row would be a second row.");

    static final Setting<List<TableRoute>> TABLES = new Setting<>(
            "tables",
            new Form<>("list", "table, table:feldera_table, …", SettingsCatalog::routes),
            new Absent("`pg.table` and `feldera.table` are used; exactly one of the two forms is required"),
            "The tables, separated by commas, each `postgres` or `postgres:feldera`. A bare PostgreSQL name is"
                    + " in the schema"
                    + " `public`; quoted identifiers are exact.");
    static final Setting<String> PG_TABLE = new Setting<>(
            "pg.table",
            Form.text("one table, spelled as in `tables`", Pattern.compile(".*\\S.*")),
            new Absent("`tables` is used"),
            "The one PostgreSQL table.");
    static final Setting<String> FELDERA_TABLE = new Setting<>(
            "feldera.table",
            Form.text("one table, spelled as in `tables`", Pattern.compile(".*\\S.*")),
            new Absent("`tables` is used"),
            "The one Feldera table.");
    static final Setting<UnlistedTables> TABLES_UNLISTED = new Setting<>(
            "tables.unlisted",
            Form.oneOf(UnlistedTables.class),
            new Of("stop"),
            "What a write to a published table that is not listed does: `stop` stops by name, `ignore` drops it.");
    static final Setting<Boolean> PUBLICATION_ALLOW_PARTIAL = new Setting<>(
            "publication.allow-partial",
            Form.yesOrNo(),
            new Of("false"),
            "Take a publication that leaves out operations, so that Feldera deliberately differs from PostgreSQL. Columns"
                    + " and rows that it leaves out need no permission: they are in neither the copy nor the stream.");

    static final Setting<Integer> BATCH_MAX_ROWS =
            new Setting<>("batch.max-rows", Form.wholeNumber(1, 1_000_000), new Of("10000"), "Rows of one batch.");
    static final Setting<Long> BATCH_MAX_BYTES = new Setting<>(
            "batch.max-bytes",
            Form.bytes(Form.KIB, Form.GIB),
            new Of("16MiB"),
            "Bytes of one batch's bodies. A single row may exceed it.");
    static final Setting<Long> BATCH_MAX_ROW_BYTES = new Setting<>(
            "batch.max-row-bytes",
            Form.bytes(Form.KIB, Form.GIB),
            new Of("64MiB"),
            "Bytes of one row as it is sent. A larger one stops by name.");
    static final Setting<Integer> BATCH_LINGER_MS = new Setting<>(
            "batch.linger-ms",
            Form.wholeNumber(0, 60_000),
            new Of("50"),
            "Milliseconds that the oldest row of a batch waits for more; 0 sends every transaction by itself.");
    static final Setting<Integer> DELIVERY_IN_FLIGHT = new Setting<>(
            "delivery.in-flight",
            Form.wholeNumber(1, 64),
            new Of("4"),
            "Batches that Feldera has accepted but not completed.");
    static final Setting<SnapshotMode> SNAPSHOT_MODE = new Setting<>(
            "snapshot.mode",
            Form.oneOf(SnapshotMode.class),
            new Of("initial"),
            "`initial` copies every table once before it streams; `never` starts with what changes from now on."
                    + " `inconsistent` copies before it makes the slot, and loses what is committed in between: it exists to show"
                    + " that loss.");
    static final Setting<OnStateLoss> SNAPSHOT_ON_STATE_LOSS = new Setting<>(
            "snapshot.on-state-loss",
            Form.oneOf(OnStateLoss.class),
            new Of("resnapshot"),
            "What is done when the slot was lost or moved, the state file is gone, the pipeline came back empty or from a checkpoint,"
                    + " or the server was promoted: `resnapshot` reads the tables again and mends what Feldera has of them; `stop` ends with 78.");
    static final Setting<Integer> SNAPSHOT_PARALLELISM = new Setting<>(
            "snapshot.parallelism",
            Form.wholeNumber(1, 16),
            new Of("2"),
            "Connections that a copy reads with at the same time, several tables or parts of one. Together they"
                    + " hold no more than two batches, however many they are.");
    static final Setting<Unrepresentable> VALUES_UNREPRESENTABLE = new Setting<>(
            "values.unrepresentable",
            Form.oneOf(Unrepresentable.class),
            new Of("null"),
            "What becomes of a value that Feldera cannot hold (NaN, infinity, year 10000): `null` where the"
                    + " column is nullable,"
                    + " counted and warned about once; `fail` stops by name.");
    static final Setting<Duration> DRIFT_INTERVAL = new Setting<>(
            "drift.interval",
            Form.duration(Duration.ofSeconds(1), Duration.ofHours(1)),
            new Of("PT10S"),
            "How often the catalog is looked at for what PostgreSQL does not stream: partitions that come and go, a table"
                    + " that leaves the publication, columns added with a DEFAULT.");
    static final Setting<DriftPolicy> DRIFT_POLICY = new Setting<>(
            "drift.policy",
            Form.oneOf(DriftPolicy.class),
            new Of("report"),
            "What is done about what the catalog shows: `report` it until the table is read again; or `resync`, read the"
                    + " table again beside the stream, once for each drift. What is there again right afterwards is only"
                    + " reported; what fails is asked for again after a minute, then after twice as long each time, up to"
                    + " an hour.");
    static final Setting<Path> STATE_FILE = new Setting<>(
            "state.file",
            Form.path(),
            new Absent("`state/<slot>.json` in the working directory"),
            "Where tables stand, and who the two ends were. It must survive restarts: a WARNING says where it"
                    + " may not.");
    static final Setting<Duration> SESSION_GIVE_UP_AFTER = new Setting<>(
            "session.give-up-after",
            Form.duration(Duration.ofSeconds(1), Duration.ofDays(7)),
            new Of("PT5M"),
            "Without progress for so long the process ends with code 69, because an endless retry keeps WAL on"
                    + " the primary's disk. So does what breaks off again and again, and begins from its beginning each time: a"
                    + " copy, a merge, a TRUNCATE or a transaction larger than a batch, at the third time or later. The same limit"
                    + " holds for what waits: a slot that is being made for older transactions, what begins (a session, a copy,"
                    + " a merge) for whoever holds a table exclusively, and `tidemark resync` for a session that streams.");
    static final Setting<Duration> SESSION_SLOT_BUSY_LIMIT = new Setting<>(
            "session.slot-busy-limit",
            Form.duration(Duration.ZERO, Duration.ofHours(1)),
            new Of("PT2M"),
            "How long to wait for a slot that another connection holds before the process ends with code 75.");
    static final Setting<Duration> STOP_BUDGET = new Setting<>(
            "stop.budget",
            Form.duration(Duration.ofSeconds(1), Duration.ofHours(1)),
            new Of("PT20S"),
            "How long a stop may drain what is in flight. Shorter than the supervisor's patience, or it kills"
                    + " us meanwhile.");
    static final Setting<CrashPoint> CRASH_AT = new Setting<>(
            "crash.at",
            Form.oneOf(CrashPoint.class),
            new Absent("it does not crash on purpose"),
            "Ends the process with code 70 at this point, without cleaning up, to show that nothing is lost:"
                    + " docs/operations.md.");
    static final Setting<Integer> CRASH_AFTER_BATCHES = new Setting<>(
            "crash.after-batches",
            Form.wholeNumber(1, 1_000_000),
            new Of("1"),
            "Which batch must have come as far as `crash.at`.");
    static final Setting<Integer> SERVER_PORT = new Setting<>(
            "server.port",
            Form.wholeNumber(0, 65_535),
            new Of("8080"),
            "The port of `/health`, `/metrics` and `/status`; 0 takes a free one.");
    static final Setting<String> SERVER_HOST =
            new Setting<>("server.host", Form.host(), new Of("0.0.0.0"), "The address to listen on.");
    static final Setting<String> MANAGEMENT_TOKEN = new Setting<>(
            "management.token",
            Form.bearerToken(),
            new Absent("`management.token-file` is used; else only clients on the same machine may use `/tables/…`"),
            "What `/tables/…` asks of a client: `Authorization: Bearer` and this.");
    static final Setting<String> MANAGEMENT_TOKEN_FILE = new Setting<>(
            "management.token-file",
            Form.bearerTokenFile(),
            new Absent("`management.token` is used"),
            "A file that holds the token; a line end at its end does not count.");

    /** In the order of docs/configuration.md. */
    static final List<Setting<?>> ALL = List.of(
            POSTGRES_URL,
            POSTGRES_USER,
            POSTGRES_PASSWORD,
            POSTGRES_PASSWORD_FILE,
            POSTGRES_SSLMODE,
            POSTGRES_SSLROOTCERT,
            POSTGRES_SSLCERT,
            POSTGRES_SSLKEY,
            POSTGRES_SLOT,
            POSTGRES_PUBLICATION,
            POSTGRES_SLOT_FAILOVER,
            POSTGRES_ORIGIN,
            FELDERA_URL,
            FELDERA_PIPELINE,
            FELDERA_API_KEY,
            FELDERA_API_KEY_FILE,
            FELDERA_CA_FILE,
            FELDERA_ACK_MODE,
            FELDERA_COMPLETION_TIMEOUT,
            FELDERA_REQUEST_LIMIT,
            FELDERA_REQUIRE_PRIMARY_KEY,
            TABLES,
            PG_TABLE,
            FELDERA_TABLE,
            TABLES_UNLISTED,
            PUBLICATION_ALLOW_PARTIAL,
            BATCH_MAX_ROWS,
            BATCH_MAX_BYTES,
            BATCH_MAX_ROW_BYTES,
            BATCH_LINGER_MS,
            DELIVERY_IN_FLIGHT,
            SNAPSHOT_MODE,
            SNAPSHOT_ON_STATE_LOSS,
            SNAPSHOT_PARALLELISM,
            VALUES_UNREPRESENTABLE,
            DRIFT_INTERVAL,
            DRIFT_POLICY,
            STATE_FILE,
            SESSION_GIVE_UP_AFTER,
            SESSION_SLOT_BUSY_LIMIT,
            STOP_BUDGET,
            CRASH_AT,
            CRASH_AFTER_BATCHES,
            SERVER_PORT,
            SERVER_HOST,
            MANAGEMENT_TOKEN,
            MANAGEMENT_TOKEN_FILE);

    /**
     * Under these a key that is not in {@link #ALL} is a mistake. {@code server.} is not among them: the rest of it is
     * Helidon's.
     */
    private static final List<String> OURS = List.of(
            "postgres.",
            "feldera.",
            "tables.",
            "pg.",
            "publication.",
            "batch.",
            "delivery.",
            "snapshot.",
            "values.",
            "rows.",
            "drift.",
            "state.",
            "session.",
            "stop.",
            "crash.",
            "management.");

    private SettingsCatalog() {}

    /** Those that tell where the slot is and what is known of it. */
    static List<Setting<?>> source() {
        return ALL.stream()
                .filter(setting -> setting.key().startsWith("postgres.")
                        || List.of(SNAPSHOT_MODE, SNAPSHOT_ON_STATE_LOSS, STATE_FILE, SESSION_GIVE_UP_AFTER)
                                .contains(setting))
                .toList();
    }

    /** Those that tell how the running service is asked. */
    static List<Setting<?>> door() {
        return List.of(
                POSTGRES_SLOT,
                SERVER_PORT,
                SERVER_HOST,
                MANAGEMENT_TOKEN,
                MANAGEMENT_TOKEN_FILE,
                SESSION_GIVE_UP_AFTER);
    }

    /** @throws Form.Unfit if the text is not a list of tables */
    static List<TableRoute> routes(String text) {
        try {
            List<TableRoute> routes = Routes.parse(text);
            if (routes.isEmpty()) throw new Form.Unfit("names no table");
            return routes;
        } catch (IllegalArgumentException refused) {
            throw new Form.Unfit("is not a list of tables: " + refused.getMessage());
        }
    }

    /** @throws Form.Unfit if one of the two is not exactly one table */
    static TableRoute route(String postgres, String feldera) {
        List<TableRoute> routes = routes(postgres + ":" + feldera);
        if (routes.size() != 1) throw new Form.Unfit("and feldera.table are not one table each");
        return routes.getFirst();
    }

    static Optional<Setting<?>> find(String key) {
        return ALL.stream()
                .filter(setting -> setting.key().equals(key))
                .<Setting<?>>map(setting -> setting)
                .findFirst();
    }

    static boolean isUnknown(String key) {
        return OURS.stream().anyMatch(key::startsWith) && find(key).isEmpty();
    }
}
