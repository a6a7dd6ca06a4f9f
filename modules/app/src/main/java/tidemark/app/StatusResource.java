package tidemark.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.InstantSource;

/** {@code GET /status}: the connector at this moment. */
@Path("/status")
@ApplicationScoped
@SuppressWarnings("exports") // public because Jersey calls it; nobody compiles against this module
public class StatusResource {
    private final Wiring wiring;
    private final InstantSource clock = InstantSource.system();

    @Inject
    StatusResource(Wiring wiring) {
        this.wiring = wiring;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public StatusReply status() {
        return StatusReply.of(wiring.status(), clock.instant());
    }
}
