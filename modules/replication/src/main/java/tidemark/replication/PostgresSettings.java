package tidemark.replication;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How to reach the source. Checked by {@link PostgresSource}.
 *
 * @param url {@code jdbc:postgresql://host:port/database} or {@code postgresql://…}; credentials, parameters and
 *     several hosts inside it are refused
 * @param password never printed
 * @param sslMode libpq's words: disable, allow, prefer, require, verify-ca, verify-full
 * @param sslRootCert PEM; needed by verify-ca and verify-full
 * @param sslCert the client's certificate, PEM
 * @param sslKey the client's key: unencrypted PKCS-8, in PEM ({@code BEGIN PRIVATE KEY}; RSA, EC or EdDSA) or DER. The
 *     older {@code BEGIN RSA PRIVATE KEY} and {@code BEGIN EC PRIVATE KEY} are refused with the command that converts
 *     them. A file named *.p12 or *.pfx is read as PKCS-12, *.der as DER. Others than its owner must not be able to
 *     read it (0600; 0640 when root owns it)
 * @param publication any name; a name with quotes or capitals is spelled exactly, without quotes around it
 * @param connectTimeout for one attempt
 * @param slotPatience how long a slot that is being created may wait for transactions older than itself, and whoever
 *     reads a publication or copies for whoever holds a table exclusively
 */
public record PostgresSettings(
        String url,
        String user,
        Optional<String> password,
        String sslMode,
        Optional<Path> sslRootCert,
        Optional<Path> sslCert,
        Optional<Path> sslKey,
        String slot,
        String publication,
        Duration connectTimeout,
        Duration slotPatience,
        SlotOptions options) {
    private static final Duration SLOT_PATIENCE = Duration.ofMinutes(5);

    /** With an ordinary slot, which may take five minutes. */
    public PostgresSettings(
            String url,
            String user,
            Optional<String> password,
            String sslMode,
            Optional<Path> sslRootCert,
            Optional<Path> sslCert,
            Optional<Path> sslKey,
            String slot,
            String publication,
            Duration connectTimeout) {
        this(
                url,
                user,
                password,
                sslMode,
                sslRootCert,
                sslCert,
                sslKey,
                slot,
                publication,
                connectTimeout,
                SLOT_PATIENCE,
                SlotOptions.ORDINARY);
    }

    /** The same server and slot, with other options. */
    public PostgresSettings with(SlotOptions other) {
        return with(slotPatience, other);
    }

    /** The same server and slot, with other patience. */
    public PostgresSettings with(Duration otherSlotPatience) {
        return with(otherSlotPatience, options);
    }

    private PostgresSettings with(Duration otherSlotPatience, SlotOptions otherOptions) {
        return new PostgresSettings(
                url,
                user,
                password,
                sslMode,
                sslRootCert,
                sslCert,
                sslKey,
                slot,
                publication,
                connectTimeout,
                otherSlotPatience,
                otherOptions);
    }

    @Override
    public String toString() {
        return "PostgresSettings[user=%s, sslMode=%s, slot=%s, publication=%s]"
                .formatted(user, sslMode, slot, publication);
    }
}
