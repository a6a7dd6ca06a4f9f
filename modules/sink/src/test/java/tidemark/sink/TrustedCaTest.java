package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS with a CA of one's own. */
class TrustedCaTest {
    private static final String PASSWORD = "changeit";
    private static final String TOKEN_REPLY = "{\"token\":\"eyJ1IjoiYSIsImUiOjAsImMiOjF9\"}";

    @TempDir
    private static Path directory;

    private static Path ca;
    private static Path otherCa;

    @BeforeAll
    static void makeCertificates() throws Exception {
        ca = certificate("server", "SAN=IP:127.0.0.1");
        otherCa = certificate("other", "SAN=IP:127.0.0.1");
        certificate("elsewhere", "SAN=DNS:elsewhere.example");
    }

    /** A self-signed certificate in {@code name.p12}, and its public half as PEM. */
    private static Path certificate(String name, String extension) throws Exception {
        Path pem = directory.resolve(name + ".pem");
        keytool(name, "-genkeypair", "-keyalg", "EC", "-dname", "CN=" + name, "-ext", extension);
        keytool(name, "-exportcert", "-rfc", "-file", pem.toString());
        return pem;
    }

    private static void keytool(String name, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        String store = directory.resolve(name + ".p12").toString();
        command.addAll(List.of("-alias", name, "-keystore", store, "-storepass", PASSWORD, "-storetype", "PKCS12"));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(output).isZero();
    }

    private static ScriptedServer server(String name) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream store = Files.newInputStream(directory.resolve(name + ".p12"))) {
            keys.load(store, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), new TrustManager[0], new SecureRandom());
        return new ScriptedServer(context.getServerSocketFactory());
    }

    private static FelderaClient client(ScriptedServer server, Optional<Path> caFile) {
        Duration limit = Duration.ofSeconds(20);
        return new FelderaClient(new FelderaSettings(
                URI.create("https://127.0.0.1:" + server.port()), "p", Optional.empty(), caFile, limit, limit, limit));
    }

    @Test
    void theNamedCaIsTrustedForQuestionsAndPosts() throws Exception {
        byte[] rows = new byte[200_000];
        try (ScriptedServer server = server("server");
                FelderaClient client = client(server, Optional.of(ca))) {
            server.thenOk("{}").thenOk(TOKEN_REPLY).thenOk(TOKEN_REPLY);
            assertThat(client.pipeline().platformVersion()).isEmpty();
            TableBody body = new TableBody(new FelderaName("users", false), rows, rows.length);
            assertThat(client.post(body)).isInstanceOf(IngressReply.Accepted.class);
            assertThat(client.post(body)).isInstanceOf(IngressReply.Accepted.class);
            server.request();
            assertThat(server.request().body()).hasSize(rows.length);
        }
    }

    @Test
    void whoeverElseAnswersGetsNothing() throws Exception {
        assertRefused("server", Optional.of(otherCa));
        assertRefused("server", Optional.empty());
        // the right certificate of another host
        assertRefused("elsewhere", Optional.of(directory.resolve("elsewhere.pem")));
    }

    private static void assertRefused(String server, Optional<Path> caFile) throws Exception {
        try (ScriptedServer stranger = server(server);
                FelderaClient client = client(stranger, caFile)) {
            assertThat(client.post(TableBody.empty(new FelderaName("users", false))))
                    .isInstanceOfSatisfying(
                            IngressReply.Refused.class,
                            refused -> assertThat(refused.problem().kind()).isEqualTo(SinkFailure.Kind.MISCONFIGURED));
            assertThatThrownBy(client::stats)
                    .isInstanceOfSatisfying(
                            SinkFailure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.MISCONFIGURED));
        }
    }

    @Test
    void aCaFileThatCannotBeUsedIsAConfigurationError() throws Exception {
        Path empty = Files.writeString(directory.resolve("empty.pem"), "");
        for (Path unusable : List.of(empty, directory.resolve("missing.pem"))) {
            assertThatThrownBy(() -> TrustedCa.of(unusable))
                    .isInstanceOfSatisfying(
                            SinkFailure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.MISCONFIGURED))
                    .hasMessageContaining(unusable.toString());
        }
    }
}
