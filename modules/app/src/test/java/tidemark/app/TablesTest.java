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
import tidemark.delivery.CancelReply;
import tidemark.delivery.ResyncReply;

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

    @Inject
    private KnownWiring wiring;

    private Invocation.Builder at(String table) {
        return at(table, "verify");
    }

    private Invocation.Builder at(String table, String what) {
        return service.path("tables/%s/%s".formatted(table, what))
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

    @Test
    void aResyncIsAnsweredByWhatComesOfIt() {
        wiring.answers(new ResyncReply.Accepted());
        JsonObject accepted = body(at("users", "resync").post(Entity.text("")), 202);
        assertThat(accepted.getString("table")).isEqualTo("public.users");
        assertThat(accepted.getString("state")).isEqualTo("accepted");
        wiring.answers(new ResyncReply.UnderWay());
        assertThat(body(at("users", "resync").post(Entity.text("")), 202).getString("state"))
                .isEqualTo("under-way");
        wiring.answers(new ResyncReply.NotStreaming());
        assertThat(body(at("users", "resync").post(Entity.text("")), 503).getString("error"))
                .contains("public.users");
        wiring.answers(new ResyncReply.Refused("it cannot be compared", "give it a key"));
        JsonObject refused = body(at("users", "resync").post(Entity.text("")), 422);
        assertThat(refused.getString("error")).isEqualTo("it cannot be compared");
        assertThat(refused.getString("remedy")).isEqualTo("give it a key");
        assertThat(body(at("nosuch", "resync").post(Entity.text("")), 404)
                        .getJsonArray("tables")
                        .toString())
                .contains("public.users");
    }

    @Test
    void aResyncIsCancelledAsLongAsNothingWasChanged() {
        wiring.answers(new CancelReply.Cancelled());
        assertThat(body(at("users", "resync").delete(), 202).getString("state")).isEqualTo("cancelled");
        wiring.answers(new CancelReply.NotUnderWay());
        assertThat(body(at("users", "resync").delete(), 409).getString("error")).contains("public.users");
        wiring.answers(new CancelReply.TooLate());
        assertThat(body(at("users", "resync").delete(), 409).getString("error")).contains("differences");
        body(at("nosuch", "resync").delete(), 404);
    }

    @Test
    void nobodyElseHasATableReadAgain() {
        body(service.path("tables/users/resync").request().post(Entity.text("")), 401);
        body(service.path("tables/nosuch/resync").request().delete(), 401);
        Response another = service.path("tables/users/resync")
                .queryParam("slot", "another")
                .request()
                .header(HttpHeaders.AUTHORIZATION, "Bearer open-sesame")
                .post(Entity.text(""));
        assertThat(body(another, 409).getString("error")).contains("another");
    }
}
