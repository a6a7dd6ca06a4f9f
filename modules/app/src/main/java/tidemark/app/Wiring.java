package tidemark.app;

import io.helidon.microprofile.server.ServerCdiExtension;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.BeforeDestroyed;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.eclipse.microprofile.config.Config;
import tidemark.decode.RelationName;
import tidemark.delivery.CancelReply;
import tidemark.delivery.Connector;
import tidemark.delivery.ConnectorStatus;
import tidemark.delivery.ExitCode;
import tidemark.delivery.ResyncReply;
import tidemark.delivery.TableRoute;
import tidemark.delivery.VerifyState;
import tidemark.replication.PostgresSource;
import tidemark.sink.FelderaClient;

/** The service, put together top to bottom: from here on down nothing knows of CDI or of configuration sources. */
@ApplicationScoped
class Wiring {
    private static final System.Logger LOG = System.getLogger(Wiring.class.getName());

    /** Helidon starts its server at PLATFORM_AFTER + 100 and stops it at PLATFORM_BEFORE. */
    private static final int AFTER_THE_SERVER_STARTED = Interceptor.Priority.PLATFORM_AFTER + 200;

    private static final int BEFORE_THE_SERVER_STOPS = Interceptor.Priority.PLATFORM_BEFORE - 1;

    /** For what follows the connector's own stop budget: closing connections, the last write of the state file. */
    private static final Duration STOP_MARGIN = Duration.ofSeconds(5);

    private final Settings settings;
    private final Connector connector;
    private final DeliveryRun run;
    private final ManagementGate gate;

    @Inject
    Wiring(Config config, FelderaQuestions questions) {
        settings = Settings.read(config);
        gate = new ManagementGate(settings.door().token());
        var clock = InstantSource.system();
        var postgres = new PostgresSource(settings.postgres(), clock);
        var client = new FelderaClient(settings.feldera());
        var feldera = new PatientDestination(client, questions);
        connector = new Connector(
                settings.delivery(), postgres, feldera, clock, RandomGenerator.getDefault(), settings.crash());
        run = new DeliveryRun(
                () -> runAndClose(connector, postgres, client),
                connector::stop,
                settings.delivery().stopBudget().plus(STOP_MARGIN));
    }

    private static ExitCode runAndClose(Connector connector, PostgresSource postgres, FelderaClient client) {
        try (postgres;
                client) {
            return connector.run();
        }
    }

    void started(
            @Observes @Priority(AFTER_THE_SERVER_STARTED) @Initialized(ApplicationScoped.class) Object event,
            BeanManager beans) {
        int port = beans.getExtension(ServerCdiExtension.class).port();
        if (port < 0) throw new StartFailure.NotListening("cannot listen, see above", "set server.port to a free port");
        LOG.log(
                Level.INFO,
                "started tidemark version={0} port={1} slot={2} publication={3} pipeline={4} ack_mode={5}",
                Main.version(),
                Integer.toString(port),
                settings.postgres().slot(),
                settings.postgres().publication(),
                settings.feldera().pipeline(),
                settings.delivery().ackMode().name().toLowerCase(Locale.ROOT));
    }

    /** Where the container is stopped without the process: the connector is not left running behind it. */
    void stop(@Observes @Priority(BEFORE_THE_SERVER_STOPS) @BeforeDestroyed(ApplicationScoped.class) Object event) {
        run.drain();
    }

    DeliveryRun run() {
        return run;
    }

    ConnectorStatus status() {
        return connector.status();
    }

    ManagementGate gate() {
        return gate;
    }

    String slot() {
        return settings.postgres().slot();
    }

    VerifyState verify(RelationName table) {
        return connector.verify(table);
    }

    Optional<VerifyState> verified(RelationName table) {
        return connector.verified(table);
    }

    ResyncReply resync(RelationName table) {
        return connector.resync(table);
    }

    CancelReply cancelResync(RelationName table) {
        return connector.cancelResync(table);
    }

    List<TableRoute> routes() {
        return settings.delivery().routes();
    }
}
