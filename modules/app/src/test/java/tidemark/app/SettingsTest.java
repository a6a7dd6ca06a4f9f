package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidemark.delivery.CrashPoint;
import tidemark.delivery.DeliverySettings.AckMode;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.delivery.DeliverySettings.UnlistedTables;
import tidemark.delivery.DeliverySettings.Unrepresentable;
import tidemark.delivery.Routes;
import tidemark.replication.SlotOptions;

class SettingsTest {
    private static final String SECRET = "open-sesame";

    @TempDir
    Path folder;

    @Test
    void anUnknownCrashPointIsRefusedByNameWithTheListOfThoseThereAre() {
        var refused = catchThrowableOfType(
                Misconfigured.class, () -> Settings.read(Sources.least("crash.at", "after-lunch")));
        assertThat(refused.problems())
                .singleElement()
                .asString()
                .contains("crash.at is 'after-lunch'", "after-read | after-encode | ", "mid-snapshot");
    }

    @Test
    void aCrashBeforeTheFirstBatchIsRefused() {
        var refused = catchThrowableOfType(
                Misconfigured.class,
                () -> Settings.read(Sources.least("crash.at", "before-post", "crash.after-batches", "0")));
        assertThat(refused.problems()).singleElement().asString().contains("crash.after-batches is 0");
    }

    @Test
    void everyCrashPointIsSpelledAsTheKitSaysIt() {
        for (CrashPoint point : CrashPoint.values()) {
            assertThat(SettingsCatalog.CRASH_AT.form().read().apply(point.word()))
                    .isEqualTo(point);
        }
    }

    @Test
    void theLeastConfigurationGetsTheDocumentedDefaults() {
        var settings = Settings.read(Sources.least());
        assertThat(settings.postgres().url()).isEqualTo("jdbc:postgresql://localhost/shop");
        assertThat(settings.postgres().slot()).isEqualTo("tidemark");
        assertThat(settings.postgres().publication()).isEqualTo("tidemark");
        assertThat(settings.postgres().sslMode()).isEqualTo("prefer");
        assertThat(settings.postgres().password()).isEmpty();
        assertThat(settings.postgres().options()).isEqualTo(SlotOptions.ORDINARY);
        assertThat(settings.postgres().slotPatience()).isEqualTo(Duration.ofMinutes(5));
        assertThat(settings.feldera().apiKey()).isEmpty();
        var delivery = settings.delivery();
        assertThat(delivery.routes()).isEqualTo(Routes.parse("users"));
        assertThat(delivery.ackMode()).isEqualTo(AckMode.COMPLETED);
        assertThat(delivery.unlisted()).isEqualTo(UnlistedTables.STOP);
        assertThat(delivery.snapshotMode()).isEqualTo(SnapshotMode.INITIAL);
        assertThat(delivery.snapshotParallelism()).isEqualTo(2);
        assertThat(delivery.unrepresentable()).isEqualTo(Unrepresentable.NULL);
        assertThat(delivery.requirePrimaryKey()).isTrue();
        assertThat(delivery.allowPartialPublication()).isFalse();
        assertThat(delivery.maxRows()).isEqualTo(10_000);
        assertThat(delivery.maxBytes()).isEqualTo(16L << 20);
        assertThat(delivery.maxRowBytes()).isEqualTo(64L << 20);
        assertThat(delivery.linger()).isEqualTo(Duration.ofMillis(50));
        assertThat(delivery.inFlight()).isEqualTo(4);
        assertThat(delivery.completionTimeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(delivery.requestLimit()).isEqualTo(Duration.ofSeconds(30));
        assertThat(delivery.giveUpAfter()).isEqualTo(Duration.ofMinutes(5));
        assertThat(delivery.slotBusyLimit()).isEqualTo(Duration.ofMinutes(2));
        assertThat(delivery.stopBudget()).isEqualTo(Duration.ofSeconds(20));
        assertThat(delivery.driftInterval()).isEqualTo(Duration.ofSeconds(10));
        assertThat(delivery.stateFile()).isEqualTo(Path.of("state/tidemark.json"));
    }

    /** That the environment is read is shown by TidemarkIT, which has one. */
    @Test
    void everyKeyHasTheObviousEnvironmentVariable() {
        assertThat(SettingsCatalog.BATCH_MAX_ROWS.environmentVariable()).isEqualTo("BATCH_MAX_ROWS");
        assertThat(SettingsCatalog.POSTGRES_PASSWORD_FILE.environmentVariable()).isEqualTo("POSTGRES_PASSWORD_FILE");
        assertThat(SettingsCatalog.TABLES.environmentVariable()).isEqualTo("TABLES");
    }

    @Test
    void theStateFileIsNamedAfterTheSlot() {
        assertThat(Settings.read(Sources.least("postgres.slot", "shop"))
                        .delivery()
                        .stateFile())
                .isEqualTo(Path.of("state/shop.json"));
    }

    /** Whoever drops a slot may have no Feldera any more. */
    @Test
    void theSourceIsReadWithoutAnythingOfFeldera() {
        var source = SourceSettings.read(
                Sources.only("postgres.url", "postgresql://someone@db/shop", "postgres.slot", "shop"));
        assertThat(source.postgres().slot()).isEqualTo("shop");
        assertThat(source.stateFile()).isEqualTo(Path.of("state/shop.json"));
        assertThat(source.snapshotMode()).isEqualTo(SnapshotMode.INITIAL);
        var refused = catchThrowableOfType(
                Misconfigured.class,
                () -> SourceSettings.read(
                        Sources.only("postgres.url", "postgresql://db/shop", "postgres.slot", "Shop")));
        assertThat(refused.problems()).hasSize(2);
    }

    @Test
    void aPairOfTablesIsAListOfOne() {
        var settings = Settings.read(Sources.least("tables", "", "pg.table", "items", "feldera.table", "LINEITEMS"));
        assertThat(settings.delivery().routes()).isEqualTo(Routes.parse("items:LINEITEMS"));
    }

    @Test
    void credentialsInTheUrlAreTakenOutOfIt() {
        var settings = Settings.read(Sources.least(
                "postgres.user", "", "postgres.url", "postgresql://someone:open%2Bse%40same@db:5433/shop"));
        assertThat(settings.postgres().url()).isEqualTo("jdbc:postgresql://db:5433/shop");
        assertThat(settings.postgres().user()).isEqualTo("someone");
        assertThat(settings.postgres().password()).contains("open+se@same");
    }

    @Test
    void aSecretMayBeInAFileWithALineEnd() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), SECRET + "\n");
        var settings = Settings.read(
                Sources.least("postgres.password-file", file.toString(), "feldera.api-key-file", file.toString()));
        assertThat(settings.postgres().password()).contains(SECRET);
        assertThat(settings.feldera().apiKey()).contains(SECRET);
    }

    /** No request could bring it, and whatever refused it later would show it. */
    @Test
    void aTokenThatNoHeaderHoldsIsRefusedAndNotShown() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), SECRET + "\nmore\n");
        for (Config refused : List.of(
                Sources.least("management.token", SECRET + " more"),
                Sources.least("management.token-file", file.toString()))) {
            assertThat(problems(refused))
                    .singleElement()
                    .asString()
                    .contains("management.token")
                    .doesNotContain(SECRET);
        }
        assertThat(Settings.read(Sources.least("management.token", SECRET))
                        .door()
                        .token())
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "1024, 1024",
        "64KiB, 65536",
        "16 MiB, 16777216",
        "1GiB, 1073741824",
    })
    void bytesMayHaveAUnit(String text, long bytes) {
        assertThat(Settings.read(Sources.least("batch.max-bytes", text))
                        .delivery()
                        .maxBytes())
                .isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "postgres.url | mysql://localhost/shop",
                "postgres.url | postgresql://localhost",
                "postgres.url | postgresql://localhost/shop?sslmode=require",
                "postgres.url | postgresql://localhost:0/shop",
                "postgres.url | postgresql://localhost:65536/shop",
                "postgres.sslmode | maybe",
                "postgres.sslrootcert | no/such/file",
                "postgres.password-file | no/such/file",
                "postgres.slot | Tide-Mark",
                "postgres.slot-failover | on",
                "postgres.origin | some",
                "feldera.url | localhost:8080",
                "feldera.url | http://key@localhost:8080",
                "feldera.url | http://localhost:8080/v0/",
                "feldera.pipeline | a/b",
                "feldera.ca-file | no/such/file",
                "feldera.ack-mode | checkpointed",
                "feldera.completion-timeout | 60",
                "feldera.request-limit | PT0S",
                "feldera.require-primary-key | yes",
                "tables | users,,items",
                "tables.unlisted | drop",
                "publication.allow-partial | 1",
                "batch.max-rows | 0",
                "batch.max-rows | many",
                "batch.max-rows | 99999999999999999999",
                "batch.max-bytes | 16MB",
                "batch.max-bytes | 2GiB",
                "batch.max-row-bytes | 10",
                "batch.linger-ms | -1",
                "delivery.in-flight | 0",
                "snapshot.mode | always",
                "values.unrepresentable | text",
                "session.give-up-after | -PT5M",
                "session.slot-busy-limit | 2 minutes",
                "stop.budget | PT0.1S",
                "server.port | 65536",
                "server.host | a b",
                "server.host | no-such-host.invalid",
                "batch.max-rows | ${no.such.key}",
                "feldera.url | ${feldera.url}",
            })
    void aBadValueIsRefusedByKey(String key, String value) {
        assertThat(problems(Sources.least(key, value))).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo(key);
            assertThat(problem.reason()).isNotBlank();
            assertThat(problem.remedy()).isNotBlank();
        });
    }

    @Test
    void allProblemsAreListedAtOnceWithTheirSource() {
        var problems = problems(Sources.only("batch.max-rows", "0", "postgres.sslmode", "maybe", "pg.table", "users"));
        assertThat(problems)
                .extracting(SettingProblem::key)
                .containsExactlyInAnyOrder(
                        "postgres.url",
                        "feldera.url",
                        "feldera.pipeline",
                        "batch.max-rows",
                        "postgres.sslmode",
                        "feldera.table");
        assertThat(problems)
                .filteredOn(problem -> problem.key().equals("batch.max-rows"))
                .extracting(SettingProblem::source)
                .containsExactly("test");
    }

    @Test
    void twoSourcesOfOneSecretAreRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), SECRET);
        assertThat(problems(Sources.least("postgres.password", SECRET, "postgres.password-file", file.toString())))
                .extracting(SettingProblem::key)
                .containsExactly("postgres.password");
    }

    /** Found before anything connects: what two names resolve to needs neither end. */
    @Test
    void tablesThatCannotGoTogetherAreAllFoundWithTheOtherProblems() {
        var problems = problems(Sources.least("tables", "a,public.A,b:X,c:x", "batch.max-rows", "0"));
        assertThat(problems)
                .extracting(SettingProblem::key)
                .containsExactlyInAnyOrder("tables", "tables", "batch.max-rows");
        assertThat(problems)
                .extracting(SettingProblem::toString)
                .anyMatch(text -> text.contains("table public.a: it is configured twice"))
                .anyMatch(text -> text.contains("both public.b and public.c go into it"));
    }

    @Test
    void bothFormsOfTablesAreRefused() {
        assertThat(problems(Sources.least("pg.table", "users", "feldera.table", "users")))
                .extracting(SettingProblem::key)
                .containsExactly("tables");
    }

    /** Somebody who left one line behind would wait for a crash that never comes. */
    @Test
    void aCrashThatSaysWhenAndNotWhereIsRefused() {
        assertThat(problems(Sources.least("crash.after-batches", "2")))
                .extracting(SettingProblem::key)
                .containsExactly("crash.after-batches");
    }

    @Test
    void aClientCertificateWithoutItsKeyIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("client.crt"), "-----BEGIN CERTIFICATE-----");
        assertThat(problems(Sources.least("postgres.sslcert", file.toString())))
                .extracting(SettingProblem::key)
                .containsExactly("postgres.sslcert");
    }

    @Test
    void anUnknownKeyInAFileIsRefusedWithTheLikelyOne() throws IOException {
        Path file =
                Files.writeString(folder.resolve("tidemark.properties"), "batch.maxrows=5\nserver.backlog=9\nlog=x\n");
        assertThat(problems(least(file))).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo("batch.maxrows");
            assertThat(problem.source()).isEqualTo(file.toString());
            assertThat(problem.remedy()).contains("batch.max-rows");
        });
    }

    /** Others set POSTGRES_PORT, and a Kubernetes service named postgres sets a dozen more. */
    @Test
    void unknownKeysElsewhereAreNoneOfOurBusiness() {
        assertThat(Settings.read(Sources.least("postgres.port", "5432"))
                        .postgres()
                        .user())
                .isEqualTo("replicator");
    }

    @Test
    void aFileIsOverriddenByWhatStandsAboveIt() throws IOException {
        Path file =
                Files.writeString(folder.resolve("tidemark.properties"), "batch.max-rows=5\ndelivery.in-flight=2\n");
        var delivery = Settings.read(least(file, "batch.max-rows", "6")).delivery();
        assertThat(delivery.maxRows()).isEqualTo(6);
        assertThat(delivery.inFlight()).isEqualTo(2);
    }

    @Test
    void aSecretIsNeverPrinted() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), SECRET);
        Config config = Sources.least(
                "postgres.password", SECRET,
                "feldera.api-key", SECRET,
                "postgres.url", "postgresql://someone:" + SECRET + "@db/shop");
        assertThat(Settings.read(config).toString()).doesNotContain(SECRET);
        assertThat(EffectiveConfiguration.lines(config)).noneMatch(line -> line.contains(SECRET));
        // and neither where it is refused
        Config refused = Sources.least(
                "postgres.password", SECRET,
                "postgres.password-file", file.toString(),
                "feldera.api-key", SECRET + "${no.such.key}",
                "feldera.url", "http://user:" + SECRET + "@feldera",
                "postgres.url", "postgresql://someone:" + SECRET + "@db/shop?password=" + SECRET);
        var misconfigured = catchThrowableOfType(Misconfigured.class, () -> Settings.read(refused));
        assertThat(misconfigured.problems()).hasSize(4);
        assertThat(misconfigured).hasMessageNotContaining(SECRET);
        assertThat(EffectiveConfiguration.lines(refused)).noneMatch(line -> line.contains(SECRET));
    }

    private static Config least(Path file, String... above) {
        String[] all = new String[above.length + 10];
        String[] least = {
            "postgres.url", "postgresql://localhost/shop",
            "postgres.user", "replicator",
            "feldera.url", "http://localhost:8080",
            "feldera.pipeline", "shop",
            "tables", "users"
        };
        System.arraycopy(least, 0, all, 0, least.length);
        System.arraycopy(above, 0, all, least.length, above.length);
        return Sources.of(ConfigurationFile.read(file), all);
    }

    private static List<SettingProblem> problems(Config config) {
        return catchThrowableOfType(Misconfigured.class, () -> Settings.read(config))
                .problems();
    }
}
