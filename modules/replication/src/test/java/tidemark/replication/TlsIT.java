package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidemark.replication.SourceFailure.Kind;

/**
 * Every connection of a session goes through TLS, client certificates in PEM included. Keys come from the JDK's
 * keytool.
 */
class TlsIT {
    @TempDir
    static Path files;

    private static TestPostgres postgres;

    @BeforeAll
    static void aServerThatWantsTls() throws Exception {
        keyPair("server", "CN=localhost", "RSA", "2048");
        keyPair("rsa", "CN=alice", "RSA", "2048");
        keyPair("ec", "CN=bob", "EC", "256");
        keyPair("stranger", "CN=localhost", "RSA", "2048");
        String clients = Files.readString(files.resolve("rsa.crt")) + Files.readString(files.resolve("ec.crt"));
        Files.writeString(files.resolve("clients.crt"), clients);
        postgres = TestPostgres.start(Map.of(
                "ssl", "on",
                "ssl_cert_file", files.resolve("server.crt").toString(),
                "ssl_key_file", files.resolve("server.key").toString(),
                "ssl_ca_file", files.resolve("clients.crt").toString()));
        postgres.execute(
                "postgres",
                "CREATE ROLE alice LOGIN REPLICATION",
                "CREATE ROLE bob LOGIN REPLICATION",
                "CREATE TABLE t (id int PRIMARY KEY, v text)",
                "GRANT SELECT ON t TO alice, bob",
                "CREATE PUBLICATION p FOR TABLE t");
        Files.writeString(postgres.dataDirectory().resolve("pg_hba.conf"), """
                hostssl all alice,bob all cert
                host all postgres all trust
                """);
        postgres.execute("postgres", "SELECT pg_reload_conf()");
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    @ParameterizedTest
    @CsvSource({"alice, rsa", "bob, ec"})
    void aPemClientCertificateCopiesAndStreamsThroughTls(String user, String key) {
        postgres.execute("postgres", "TRUNCATE t", "INSERT INTO t VALUES (0, 'copied')");
        try (PostgresSource source = source(user, "verify-full", "server", Optional.of(key));
                SourceSession session = source.open()) {
            session.dropSlot();
            try (Snapshot snapshot = session.createSlot();
                    TableCopy copy =
                            snapshot.copy(session.publication().tables().getFirst())) {
                assertThat(StreamProbe.rows(copy)).hasSize(1);
            }
            session.start();
            postgres.execute("postgres", "INSERT INTO t SELECT n, repeat('x', 500) FROM generate_series(1, 50000) n");
            var probe = new StreamProbe(session);
            probe.readCommits(1);
            assertThat(probe.inserts).isEqualTo(50_000);
            String plain = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
                    + " WHERE usename IN ('alice', 'bob') AND NOT ssl";
            assertThat(postgres.query("postgres", plain)).isEqualTo("0");
            session.finish();
        }
    }

    @Test
    void aServerThatTheRootCertificateDoesNotVouchForIsMisconfigured() {
        assertRefused(source("alice", "verify-ca", "stranger", Optional.of("rsa")), Kind.MISCONFIGURED);
    }

    @Test
    void aHostNameThatTheCertificateDoesNotBearIsMisconfigured() {
        assertRefused(source("postgres", "verify-full", "server", Optional.empty(), "127.0.0.1"), Kind.MISCONFIGURED);
    }

    @Test
    void aMissingRootCertificateIsMisconfigured() {
        assertRefused(source("postgres", "verify-ca", "no-such-file", Optional.empty()), Kind.MISCONFIGURED);
    }

    @Test
    void aClientWithoutItsCertificateLacksCredentials() {
        assertRefused(source("alice", "verify-full", "server", Optional.empty()), Kind.CREDENTIALS);
    }

    @Test
    void aKeyInAnotherPemFormIsRefusedWithTheCommandThatConvertsIt() throws Exception {
        Path old = files.resolve("old.key");
        Files.writeString(old, "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");
        assertThatThrownBy(() -> ClientKey.pemAlgorithm(old)).isInstanceOfSatisfying(SourceFailure.class, e -> {
            assertThat(e.kind()).isEqualTo(Kind.MISCONFIGURED);
            assertThat(e.remedy()).contains("openssl pkcs8 -topk8");
        });
        assertThat(ClientKey.pemAlgorithm(files.resolve("rsa.key"))).contains("RSA");
        assertThat(ClientKey.pemAlgorithm(files.resolve("ec.key"))).contains("EC");
        assertThat(ClientKey.pemAlgorithm(files.resolve("rsa.p12"))).isEmpty();
    }

    private static void assertRefused(PostgresSource source, Kind kind) {
        assertThatThrownBy(source::open)
                .isInstanceOfSatisfying(
                        SourceFailure.class,
                        e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
    }

    private static PostgresSource source(String user, String sslMode, String root, Optional<String> key) {
        return source(user, sslMode, root, key, "localhost");
    }

    private static PostgresSource source(String user, String sslMode, String root, Optional<String> key, String host) {
        return new PostgresSource(
                new PostgresSettings(
                        "postgresql://%s:%d/postgres".formatted(host, postgres.port()),
                        user,
                        Optional.empty(),
                        sslMode,
                        Optional.of(files.resolve(root + ".crt")),
                        key.map(name -> files.resolve(name + ".crt")),
                        key.map(name -> files.resolve(name + ".key")),
                        "tls",
                        "p",
                        Duration.ofSeconds(10)),
                InstantSource.system());
    }

    private static void keyPair(String name, String subject, String algorithm, String bits) throws Exception {
        Path store = files.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-dname",
                        subject,
                        "-keyalg",
                        algorithm,
                        "-keysize",
                        bits,
                        "-ext",
                        "san=dns:localhost",
                        "-validity",
                        "10",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "changeit",
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
        pem(
                files.resolve(name + ".crt"),
                "CERTIFICATE",
                keys.getCertificate(name).getEncoded());
        pem(
                files.resolve(name + ".key"),
                "PRIVATE KEY",
                keys.getKey(name, "changeit".toCharArray()).getEncoded());
        Files.setPosixFilePermissions(files.resolve(name + ".key"), PosixFilePermissions.fromString("rw-------"));
    }

    private static void pem(Path file, String what, byte[] der) throws Exception {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Files.writeString(file, "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n".formatted(what, base64));
    }
}
