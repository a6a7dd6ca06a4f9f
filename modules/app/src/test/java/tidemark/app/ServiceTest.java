package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.microprofile.testing.AddBean;
import io.helidon.microprofile.testing.AddConfig;
import io.helidon.microprofile.testing.junit5.HelidonTest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Specializes;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import jakarta.json.JsonObject;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.delivery.ConnectorStatus;
import tidemark.delivery.ExitCode;

/** What the service shows of a connector in a known state. The whole of it with a real one is {@link TidemarkIT}. */
@HelidonTest
@AddBean(ServiceTest.KnownWiring.class)
@AddConfig(key = "postgres.url", value = "postgresql://localhost:1/shop")
@AddConfig(key = "postgres.user", value = "replicator")
@AddConfig(key = "feldera.url", value = "http://localhost:1")
@AddConfig(key = "feldera.pipeline", value = "shop")
@AddConfig(key = "tables", value = "users,items:LINEITEMS")
class ServiceTest {
    private static final Pattern METRIC = Pattern.compile("\\btidemark_[a-z_]+");

    /** The real wiring, except that nothing is started and the status is the test's. */
    @ApplicationScoped
    @Specializes
    static class KnownWiring extends Wiring {
        private volatile ConnectorStatus status = streaming();
        private volatile CompletableFuture<ExitCode> end = new CompletableFuture<>();

        @Inject
        KnownWiring(Config config, FelderaQuestions questions) {
            super(config, questions);
        }

        @Override
        void start(Object event, BeanManager beans) {}

        @Override
        ConnectorStatus status() {
            return status;
        }

        @Override
        DeliveryRun run() {
            var run = new DeliveryRun(end::join, () -> {}, Duration.ofSeconds(5));
            if (end.isDone()) {
                run.start();
                run.await();
            }
            return run;
        }

        void is(ConnectorStatus status) {
            this.status = status;
        }

        void endsWith(ExitCode code) {
            end.complete(code);
        }

        void isAlive() {
            end = new CompletableFuture<>();
        }
    }

    @Inject
    private WebTarget service;

    @Inject
    private KnownWiring wiring;

    @BeforeEach
    void streams() {
        wiring.isAlive();
        wiring.is(streaming());
    }

    @Test
    void aStreamingConnectorIsLiveReadyAndStarted() {
        assertThat(health("live")).isEqualTo(200);
        assertThat(health("ready")).isEqualTo(200);
        assertThat(health("started")).isEqualTo(200);
    }

    /** Being killed would not bring the peer back. */
    @Test
    void backingOffIsLiveButNotReady() {
        assertThat(health("started")).isEqualTo(200);
        wiring.is(backingOff());
        assertThat(health("live")).isEqualTo(200);
        assertThat(health("ready")).isEqualTo(503);
        assertThat(health("started")).as("once started, always").isEqualTo(200);
    }

    @Test
    void anEndedConnectorIsNotLive() {
        wiring.endsWith(ExitCode.DATA);
        assertThat(health("live")).isEqualTo(503);
    }

    @Test
    void theStatusIsWrittenForPeople() {
        var status = service.path("status").request().get(JsonObject.class);
        assertThat(status.getString("phase")).isEqualTo("streaming");
        assertThat(status.getString("phaseSince")).isEqualTo("2026-11-29T12:00:00Z");
        assertThat(status.getBoolean("ready")).isTrue();
        assertThat(status.getJsonObject("positions").getString("confirmed")).isEqualTo("16/B374D848");
        assertThat(Duration.parse(status.getJsonObject("lag").getString("oldestUnconfirmed")))
                .isPositive();
        assertThat(status.getJsonArray("tables").getJsonObject(0).getString("postgres"))
                .isEqualTo("public.users");
        assertThat(status.containsKey("lastFailure"))
                .as("what does not apply is absent")
                .isFalse();
    }

    @Test
    void theStatusOfAFailureNamesIt() {
        wiring.is(backingOff());
        var status = service.path("status").request().get(JsonObject.class);
        assertThat(status.getString("lastFailure")).isEqualTo("connection refused");
        assertThat(status.getString("waitingFor")).isEqualTo("the next attempt");
    }

    @Test
    void theMetricsAreThoseOfTheStatus() {
        String metrics = metrics();
        assertThat(value(metrics, "tidemark_lag_bytes")).isEqualTo(1000);
        assertThat(value(metrics, "tidemark_retained_wal_bytes")).isEqualTo(4000);
        assertThat(value(metrics, "tidemark_confirmed_lsn")).isEqualTo(0x16_B374_D848L);
        assertThat(value(metrics, "tidemark_batches_in_flight")).isEqualTo(2);
        assertThat(value(metrics, "tidemark_sessions")).isEqualTo(3);
        assertThat(value(metrics, "tidemark_status_replies")).isEqualTo(99);
        assertThat(value(metrics, "tidemark_state", "state=\"streaming\"")).isEqualTo(1);
        assertThat(value(metrics, "tidemark_state", "state=\"backing-off\"")).isZero();
        assertThat(value(metrics, "tidemark_batches", "table=\"public.users\"")).isEqualTo(14);
        assertThat(value(metrics, "tidemark_rows", "table=\"public.users\"", "operation=\"insert\""))
                .isEqualTo(11);
        assertThat(value(metrics, "tidemark_rows", "table=\"public.users\"", "operation=\"update\""))
                .isEqualTo(12);
        assertThat(value(metrics, "tidemark_rows", "table=\"public.users\"", "operation=\"delete\""))
                .isEqualTo(13);
        assertThat(value(metrics, "tidemark_rows", "table=\"public.users\"", "operation=\"copy\""))
                .isEqualTo(10);
        assertThat(value(metrics, "tidemark_rows", "table=\"public.items\"", "operation=\"insert\""))
                .as("a table the connector has not met yet")
                .isZero();
    }

    @Test
    void docsMetricsListsEveryMetricAndNoOther() throws IOException {
        var documented = Pattern.compile("(?m)^\\| `(tidemark_[a-z_]+)")
                .matcher(Files.readString(Path.of("..", "..", "docs", "metrics.md")))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toSet());
        var exposed =
                METRIC.matcher(metrics()).results().map(MatchResult::group).collect(Collectors.toSet());
        assertThat(documented).isEqualTo(exposed);
    }

    private int health(String kind) {
        try (Response response = service.path("health").path(kind).request().get()) {
            return response.getStatus();
        }
    }

    private String metrics() {
        return service.path("metrics").request("text/plain").get(String.class);
    }

    private static long value(String metrics, String name, String... labels) {
        return (long) metrics.lines()
                .filter(line ->
                        line.startsWith(name + "{") && List.of(labels).stream().allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not in " + metrics));
    }

    private static ConnectorStatus streaming() {
        return status("streaming", true, Optional.empty(), Optional.empty());
    }

    private static ConnectorStatus backingOff() {
        return status("backing-off", false, Optional.of("the next attempt"), Optional.of("connection refused"));
    }

    private static ConnectorStatus status(
            String phase, boolean ready, Optional<String> waitingFor, Optional<String> failure) {
        return new ConnectorStatus(
                phase,
                Instant.parse("2026-11-29T12:00:00Z"),
                waitingFor,
                ready,
                3,
                Lsn.parse("16/B374DC30"),
                Lsn.parse("16/B374D848"),
                Lsn.parse("16/B374D848"),
                Lsn.parse("16/B374DC30"),
                4000,
                1000,
                Optional.of(Instant.EPOCH),
                21,
                19,
                2,
                99,
                failure,
                Optional.empty(),
                List.of(new ConnectorStatus.Table("public.users", "users", "streaming", 10, 10, 11, 12, 13, 14)));
    }
}
