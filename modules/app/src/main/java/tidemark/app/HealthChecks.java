package tidemark.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;
import org.eclipse.microprofile.health.Startup;
import tidemark.delivery.ConnectorStatus;

/**
 * What an orchestrator is told.
 *
 * <p>Live: delivery has not ended; a peer that is away is no reason to be killed, so backing off is live. Ready:
 * streaming or copying without a failure since. Started: it has been ready once; a first copy that takes hours is a
 * start that worked.
 */
@ApplicationScoped
class HealthChecks {
    private static final String NAME = "delivery";

    private final Wiring wiring;
    private final AtomicBoolean started = new AtomicBoolean();

    @Inject
    HealthChecks(Wiring wiring) {
        this.wiring = wiring;
    }

    @Produces
    @Liveness
    HealthCheck live() {
        return () -> response(wiring.run().ended().isEmpty());
    }

    @Produces
    @Readiness
    HealthCheck ready() {
        return () -> response(wiring.status().ready());
    }

    @Produces
    @Startup
    HealthCheck started() {
        return () -> {
            if (wiring.status().ready()) started.set(true);
            return response(started.get());
        };
    }

    private HealthCheckResponse response(boolean up) {
        ConnectorStatus status = wiring.status();
        var response = HealthCheckResponse.named(NAME).status(up).withData("phase", status.phase());
        status.waitingFor().ifPresent(what -> response.withData("waiting-for", what));
        return response.build();
    }
}
