package tidemark.replication;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import org.postgresql.Driver;

/**
 * Opens connections to the one database, TLS and pinned settings included. Stateless; any thread.
 *
 * <p>The driver is called directly and given everything as properties, so nothing on the class path or in a URL can
 * change how a session behaves.
 */
final class Connections {
    private final PostgresSettings settings;
    private final PostgresUrl url;

    Connections(PostgresSettings settings) {
        this.settings = settings;
        this.url = PostgresUrl.parse(settings.url());
    }

    String database() {
        return url.database();
    }

    /** For short questions: an answer that takes longer than {@code patience} ends the connection. */
    Connection forQuestions(Duration patience) {
        Properties properties = common();
        properties.setProperty("socketTimeout", seconds(patience));
        return open("connect", properties);
    }

    /** For COPY, which may be silent for as long as a row filter lets nothing through. */
    Connection forCopy() {
        return open("connect to copy", common());
    }

    /**
     * A walsender that also answers SQL. The simple protocol is the only one it speaks; no socket timeout, as creating
     * a slot waits for other transactions.
     */
    Connection forReplication() {
        Properties properties = common();
        properties.setProperty("replication", "database");
        properties.setProperty("preferQueryMode", "simple");
        return open("connect for replication", properties);
    }

    private Connection open(String what, Properties properties) {
        String attempted = "%s to %s:%d database=%s user=%s"
                .formatted(what, url.host(), url.port(), url.database(), settings.user());
        Connection connection;
        try {
            connection = new Driver().connect(url.jdbc(), properties);
        } catch (SQLException e) {
            throw Classification.ofConnecting(attempted, e);
        }
        try (Statement pin = connection.createStatement()) {
            pin.execute(SessionGucs.pin());
            return connection;
        } catch (SQLException e) {
            SourceFailure failure = Classification.of("pin session settings", e);
            try {
                connection.close();
            } catch (SQLException closing) {
                failure.addSuppressed(closing);
            }
            throw failure;
        }
    }

    private Properties common() {
        Properties properties = new Properties();
        properties.setProperty("user", settings.user());
        settings.password().ifPresent(password -> properties.setProperty("password", password));
        properties.setProperty("ApplicationName", "tidemark " + settings.slot());
        properties.setProperty("assumeMinServerVersion", "14");
        properties.setProperty("options", SessionGucs.options());
        properties.setProperty("connectTimeout", seconds(settings.connectTimeout()));
        // The whole of it, too: a peer may accept and then say nothing.
        properties.setProperty("loginTimeout", seconds(settings.connectTimeout()));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("sslmode", settings.sslMode());
        settings.sslRootCert().ifPresent(file -> properties.setProperty("sslrootcert", file.toString()));
        settings.sslCert().ifPresent(file -> properties.setProperty("sslcert", file.toString()));
        settings.sslKey().ifPresent(file -> {
            properties.setProperty("sslkey", file.toString());
            ClientKey.pemAlgorithm(file).ifPresent(algorithm -> properties.setProperty("pemKeyAlgorithm", algorithm));
        });
        return properties;
    }

    private static String seconds(Duration duration) {
        return Long.toString(Math.max(1, duration.plusMillis(999).toSeconds()));
    }
}
