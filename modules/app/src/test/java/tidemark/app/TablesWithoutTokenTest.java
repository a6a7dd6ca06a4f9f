package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.microprofile.testing.AddBean;
import io.helidon.microprofile.testing.AddConfig;
import io.helidon.microprofile.testing.junit5.HelidonTest;
import jakarta.inject.Inject;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.Response;
import org.junit.jupiter.api.Test;

/** Who gets in at {@code /tables} of a service that has no {@code management.token}. */
@HelidonTest
@AddBean(KnownWiring.class)
@AddConfig(key = "postgres.url", value = "postgresql://localhost:1/shop")
@AddConfig(key = "postgres.user", value = "replicator")
@AddConfig(key = "feldera.url", value = "http://localhost:1")
@AddConfig(key = "feldera.pipeline", value = "shop")
@AddConfig(key = "tables", value = "users")
class TablesWithoutTokenTest {
    @Inject
    private WebTarget service;

    @Test
    void aProgramOnTheSameMachineIsLetInAndWhatAProxyPassesOnIsNot() {
        try (Response accepted = service.path("tables/users/resync").request().post(Entity.text(""))) {
            assertThat(accepted.getStatus()).isEqualTo(202);
        }
        for (String table : new String[] {"users", "nosuch"}) {
            try (Response refused = service.path("tables/%s/resync".formatted(table))
                    .request()
                    .header("X-Forwarded-For", "10.1.2.3")
                    .post(Entity.text(""))) {
                assertThat(refused.getStatus()).as(table).isEqualTo(403);
            }
        }
    }
}
