package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.replication.SourceFailure.Kind;

/** What is wrong with the server or the settings is said when the session opens, by name and with its remedy. */
class OpeningTest {
    private final TestPostgres postgres = TestPostgres.shared();

    @Test
    void theIdentityIsTheServersOwn() {
        String database = postgres.newDatabase();
        try (SourceSession session =
                source(postgres.settings(database, "s", "p")).open()) {
            SourceIdentity identity = session.identity();
            assertThat(identity.systemIdentifier())
                    .isEqualTo(postgres.query(database, "SELECT system_identifier FROM pg_control_system()"));
            assertThat(identity.timeline()).isEqualTo(1);
            assertThat(identity.database()).isEqualTo(database);
            assertThat(identity.slot()).isEqualTo("s");
            assertThat(identity.serverMajor()).isEqualTo(postgres.serverMajor());
        }
    }

    @Test
    void aRoleWithoutReplicationLacksPrivileges() {
        String database = postgres.newDatabase();
        postgres.execute(database, "CREATE ROLE plain_%s LOGIN".formatted(database));
        assertFails(postgres.settings(database, "s", "p", "plain_" + database), Kind.CREDENTIALS);
    }

    @Test
    void aDatabaseThatDoesNotExistIsMisconfigured() {
        assertFails(postgres.settings("nowhere", "s", "p"), Kind.MISCONFIGURED);
    }

    @Test
    void aPortThatNobodyListensOnIsTriedAgain() {
        assertFails(withUrl("postgresql://127.0.0.1:1/db"), Kind.TRANSIENT);
    }

    @Test
    void aHostThatIsNotKnownIsTriedAgain() {
        assertFails(withUrl("postgresql://no-such-host.invalid/db"), Kind.TRANSIENT);
    }

    @Test
    void tlsThatTheServerDoesNotSpeakIsMisconfigured() {
        PostgresSettings plain = postgres.settings("postgres", "s", "p");
        assertFails(withTls(plain, "require"), Kind.MISCONFIGURED);
    }

    @Test
    void settingsThatCannotBeRightAreRefusedBeforeConnecting() {
        assertThatThrownBy(() -> source(postgres.settings("postgres", "Not a slot", "p")))
                .isInstanceOfSatisfying(
                        SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.MISCONFIGURED));
        assertThatThrownBy(() -> source(withUrl("postgresql://u:s3cret@h/db")))
                .isInstanceOfSatisfying(
                        SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.MISCONFIGURED));
    }

    @Test
    void aWrongPasswordIsACredentialsFailureAndIsNeverShown() throws Exception {
        try (var guarded = TestPostgres.start(Map.of())) {
            guarded.execute("postgres", "CREATE ROLE alice LOGIN REPLICATION PASSWORD 'right'");
            Files.writeString(guarded.dataDirectory().resolve("pg_hba.conf"), """
                    host all alice all scram-sha-256
                    host all all all trust
                    """);
            guarded.execute("postgres", "SELECT pg_reload_conf()");
            PostgresSettings right = withPassword(guarded.settings("postgres", "s", "p", "alice"), "right");
            PostgresSettings wrong = withPassword(right, "s3cret-but-wrong");
            TestPostgres.await("pg_hba.conf to be read", () -> refuses(wrong));
            assertThatThrownBy(() -> source(wrong).open()).isInstanceOfSatisfying(SourceFailure.class, e -> {
                assertThat(e.kind()).isEqualTo(Kind.CREDENTIALS);
                assertThat(e).hasStackTraceContaining("alice");
                assertThat(e.toString() + e.getCause() + wrong).doesNotContain("s3cret");
            });
            source(right).open().close();
        }
    }

    private static boolean refuses(PostgresSettings settings) {
        try {
            source(settings).open().close();
            return false;
        } catch (SourceFailure _) {
            return true;
        }
    }

    @Test
    void aServerWithoutLogicalWalIsMisconfigured() {
        try (var physical = TestPostgres.start(Map.of("wal_level", "replica"))) {
            assertThatThrownBy(() ->
                            source(physical.settings("postgres", "s", "p")).open())
                    .isInstanceOfSatisfying(SourceFailure.class, e -> {
                        assertThat(e.kind()).isEqualTo(Kind.MISCONFIGURED);
                        assertThat(e.getMessage()).contains("wal_level = replica");
                        assertThat(e.remedy()).contains("wal_level = logical");
                    });
        }
    }

    @Test
    void theEndOfWalGrows() {
        String database = postgres.newDatabase();
        try (PostgresSource source = source(postgres.settings(database, "s", "p"))) {
            Lsn before = source.walEnd();
            postgres.execute(database, "CREATE TABLE t (id int)");
            assertThat(source.walEnd()).isGreaterThan(before);
        }
    }

    private void assertFails(PostgresSettings settings, Kind kind) {
        assertThatThrownBy(() -> source(settings).open()).isInstanceOfSatisfying(SourceFailure.class, e -> {
            assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind);
            assertThat(e.remedy()).isNotBlank();
        });
    }

    private static PostgresSource source(PostgresSettings settings) {
        return new PostgresSource(settings, InstantSource.system());
    }

    private static PostgresSettings withUrl(String url) {
        return new PostgresSettings(
                url,
                "u",
                Optional.empty(),
                "disable",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "s",
                "p",
                Duration.ofSeconds(5));
    }

    private static PostgresSettings withPassword(PostgresSettings from, String password) {
        return new PostgresSettings(
                from.url(),
                from.user(),
                Optional.of(password),
                from.sslMode(),
                from.sslRootCert(),
                from.sslCert(),
                from.sslKey(),
                from.slot(),
                from.publication(),
                from.connectTimeout());
    }

    private static PostgresSettings withTls(PostgresSettings from, String sslMode) {
        return new PostgresSettings(
                from.url(),
                from.user(),
                from.password(),
                sslMode,
                from.sslRootCert(),
                from.sslCert(),
                from.sslKey(),
                from.slot(),
                from.publication(),
                from.connectTimeout());
    }
}
