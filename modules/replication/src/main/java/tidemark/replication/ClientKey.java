package tidemark.replication;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;
import tidemark.replication.SourceFailure.Kind;

/**
 * The private key of a client certificate, as far as the driver must be told about it.
 *
 * <p>pgjdbc 42.7.14 reads an unencrypted PKCS-8 key in PEM ({@code BEGIN PRIVATE KEY}) or DER, but it cannot tell a PEM
 * key's algorithm and takes RSA unless told ({@code pemKeyAlgorithm}). Other PEM forms it would fail on without saying
 * why.
 */
final class ClientKey {
    private static final String PKCS8_BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String PKCS8_END = "-----END PRIVATE KEY-----";

    private ClientKey() {}

    /** The algorithm of a PEM key; empty for anything binary, where the driver asks the certificate. */
    static Optional<String> pemAlgorithm(Path key) {
        String text = read(key);
        int begin = text.indexOf(PKCS8_BEGIN);
        int end = text.indexOf(PKCS8_END);
        if (begin >= 0 && end > begin) {
            return Optional.of(algorithm(key, text.substring(begin + PKCS8_BEGIN.length(), end)));
        }
        if (!text.contains("-----BEGIN ")) return Optional.empty();
        throw unusable(key, "is PEM, but not an unencrypted PKCS-8 key (BEGIN PRIVATE KEY)");
    }

    private static String read(Path key) {
        try {
            return Files.readString(key, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new SourceFailure(
                    Kind.MISCONFIGURED, "read postgres.sslkey " + key, "name a file that this process can read", e);
        }
    }

    private static String algorithm(Path key, String base64) {
        PKCS8EncodedKeySpec encoded;
        try {
            encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(base64));
        } catch (IllegalArgumentException _) {
            throw unusable(key, "is not valid base64 between its PEM lines");
        }
        return Stream.of("RSA", "EC", "EdDSA")
                .filter(algorithm -> fits(algorithm, encoded))
                .findFirst()
                .orElseThrow(() -> unusable(key, "is neither an RSA, an EC nor an EdDSA key"));
    }

    private static boolean fits(String algorithm, PKCS8EncodedKeySpec encoded) {
        try {
            KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            return true;
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    private static SourceFailure unusable(Path key, String why) {
        return new SourceFailure(
                Kind.MISCONFIGURED,
                "read postgres.sslkey %s: it %s".formatted(key, why),
                "convert it with: openssl pkcs8 -topk8 -nocrypt -in key.pem -out key.pk8.pem");
    }
}
