package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.microprofile.testing.AddBean;
import io.helidon.microprofile.testing.AddConfig;
import io.helidon.microprofile.testing.junit5.HelidonTest;
import jakarta.inject.Inject;
import jakarta.json.JsonObject;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.junit.jupiter.api.Test;

/** Who gets in at {@code /tables}, and to what, of a service that does not stream. */
@HelidonTest
@AddBean(KnownWiring.class)
@AddConfig(key = "postgres.url", value = "postgresql://localhost:1/shop")
@AddConfig(key = "postgres.user", value = "replicator")
@AddConfig(key = "feldera.url", value = "http://localhost:1")
@AddConfig(key = "feldera.pipeline", value = "shop")
@AddConfig(key = "tables", value = "users,shop.\"Odd/ name\":odd")
@AddConfig(key = "management.token", value = "open-sesame")
class TablesTest {
    @Inject
    private WebTarget service;

    private Invocation.Builder at(String table) {
        return service.path("tables/%s/verify".formatted(table))
                .request()
                .header(HttpHeaders.AUTHORIZATION, "Bearer open-sesame");
    }

    private static JsonObject body(Response response, int status) {
        try (response) {
            JsonObject body = response.readEntity(JsonObject.class);
            assertThat(response.getStatus()).as("%s", body).isEqualTo(status);
            return body;
        }
    }

    @Test
    void whatIsAskedForIsAcceptedAndItsOutcomeKept() {
        body(at("users").get(), 404);
        JsonObject accepted = body(at("users").post(Entity.text("")), 202);
        assertThat(accepted.getString("table")).isEqualTo("public.users");
        assertThat(accepted.getString("state")).isEqualTo("not-compared");
        assertThat(accepted.getString("why")).isEqualTo("the service is connecting");
        assertThat(accepted.getInt("exit")).isEqualTo(75);
        assertThat(body(at("users").get(), 200)).isEqualTo(accepted);
    }

    @Test
    void aTableIsNamedAsInTheConfiguration() {
        assertThat(body(at("public.USERS").post(Entity.text("")), 202).getString("table"))
                .isEqualTo("public.users");
        assertThat(body(at("shop.%22Odd%2F%20name%22").post(Entity.text("")), 202)
                        .getString("table"))
                .isEqualTo("shop.Odd/ name");
    }

    @Test
    void anUnknownTableIsAnsweredWithThoseThatThereAre() {
        for (String name : new String[] {"nosuch", "%22Users%22", "users,users", "%22"}) {
            JsonObject refused = body(at(name).post(Entity.text("")), 404);
            assertThat(refused.getJsonArray("tables").toString()).contains("public.users", "shop.Odd/ name");
        }
    }

    @Test
    void whoeverHasNoTokenLearnsNothing() {
        JsonObject refused = body(service.path("tables/nosuch/verify").request().post(Entity.text("")), 401);
        assertThat(refused.getString("remedy")).contains("Authorization: Bearer");
        assertThat(refused.containsKey("tables")).isFalse();
        body(service.path("tables/users/verify").request().get(), 401);
    }

    @Test
    void aServiceWithAnotherSlotIsNotMeant() {
        Response refused = service.path("tables/users/verify")
                .queryParam("slot", "another")
                .request()
                .header(HttpHeaders.AUTHORIZATION, "Bearer open-sesame")
                .post(Entity.text(""));
        assertThat(body(refused, 409).getString("error")).contains("another");
    }
}
