package tidemark.delivery;

import java.time.Duration;
import tidemark.replication.PostgresSettings;
import tidemark.standin.FaultProxy;
import tidemark.standin.WireProxy;

/** Between a connector and its two servers; the test's own questions go past them. */
record Proxies(FaultProxy feldera, WireProxy postgres) implements AutoCloseable {
    /** The same server, through the proxy. */
    PostgresSettings reaching(PostgresSettings direct, String database) {
        return new PostgresSettings(
                "postgresql://127.0.0.1:%d/%s".formatted(postgres.port(), database),
                direct.user(),
                direct.password(),
                direct.sslMode(),
                direct.sslRootCert(),
                direct.sslCert(),
                direct.sslKey(),
                direct.slot(),
                direct.publication(),
                Duration.ofSeconds(2));
    }

    @Override
    public void close() {
        feldera.close();
        postgres.close();
    }
}
