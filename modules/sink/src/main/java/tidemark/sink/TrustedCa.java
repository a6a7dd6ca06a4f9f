package tidemark.sink;

import io.helidon.common.tls.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trust in the certificates of one PEM file, and in no others. Host names are checked as always. */
final class TrustedCa {
    private TrustedCa() {}

    static Tls of(Path pemFile) {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(certificates(pemFile));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[0], trust.getTrustManagers(), new SecureRandom());
            return Tls.builder().sslContext(context).build();
        } catch (IOException | GeneralSecurityException e) {
            Problem unusable =
                    new Problem("read the CA file " + pemFile, 0, "", e.toString(), SinkFailure.Kind.MISCONFIGURED);
            throw new SinkFailure(unusable, e);
        }
    }

    private static KeyStore certificates(Path pemFile) throws IOException, GeneralSecurityException {
        KeyStore anchors = KeyStore.getInstance(KeyStore.getDefaultType());
        anchors.load(null, null);
        try (InputStream pem = Files.newInputStream(pemFile)) {
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                anchors.setCertificateEntry("ca-" + anchors.size(), certificate);
            }
        }
        if (anchors.size() == 0) throw new GeneralSecurityException("no certificate in it");
        return anchors;
    }
}
