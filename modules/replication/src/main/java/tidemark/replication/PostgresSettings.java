package tidemark.replication;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How to reach the source.
 *
 * @param url {@code jdbc:postgresql://host:port/database} or {@code postgresql://…}, without credentials
 * @param password never printed
 * @param sslMode libpq's words: disable, allow, prefer, require, verify-ca, verify-full
 * @param connectTimeout for one attempt
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
        Duration connectTimeout) {
    @Override
    public String toString() {
        return "PostgresSettings[user=%s, sslMode=%s, slot=%s, publication=%s]"
                .formatted(user, sslMode, slot, publication);
    }
}
