package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.microprofile.testing.AddBean;
import io.helidon.microprofile.testing.AddConfig;
import io.helidon.microprofile.testing.junit5.HelidonTest;
import jakarta.inject.Inject;
import jakarta.json.JsonObject;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidemark.delivery.ExitCode;

/** What the service shows of a connector in a known state. The whole of it with a real one is {@link TidemarkIT}. */
@HelidonTest
@AddBean(KnownWiring.class)
@AddConfig(key = "postgres.url", value = "postgresql://localhost:1/shop")
@AddConfig(key = "postgres.user", value = "replicator")
@AddConfig(key = "feldera.url", value = "http://localhost:1")
@AddConfig(key = "feldera.pipeline", value = "shop")
@AddConfig(key = "tables", value = "users,items:LINEITEMS")
class ServiceTest {
    private static final Pattern METRIC = Pattern.compile("\\btidemark_[a-z_]+");

    @Inject
    private WebTarget service;

    @Inject
    private KnownWiring wiring;

    @BeforeEach
    void streams() {
        wiring.isAlive();
        wiring.is(KnownWiring.streaming());
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
        wiring.is(KnownWiring.backingOff());
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
        assertThat(status.getJsonObject("lag").getInt("bytes")).isEqualTo(1000);
        assertThat(status.getJsonObject("lag").getInt("retainedWalBytes")).isEqualTo(4000);
        assertThat(status.getJsonObject("batches").getInt("inFlight")).isEqualTo(2);
        assertThat(Duration.parse(status.getJsonObject("lag").getString("oldestUnconfirmed")))
                .isPositive();
        assertThat(status.getJsonArray("tables").getJsonObject(0).getString("postgres"))
                .isEqualTo("public.users");
        var nulled = status.getJsonArray("nulledValues").getJsonObject(0);
        assertThat(nulled.getString("table")).isEqualTo("public.users");
        assertThat(nulled.getString("column")).isEqualTo("born");
        assertThat(nulled.getInt("values")).isEqualTo(5);
        var drift = status.getJsonArray("tables")
                .getJsonObject(0)
                .getJsonArray("drifts")
                .getJsonObject(0);
        assertThat(drift.getString("kind")).isEqualTo("partitions");
        assertThat(drift.getString("what")).contains("attached p");
        assertThat(drift.getString("remedy")).isEqualTo("read it again");
        assertThat(drift.getString("since")).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(status.containsKey("lastFailure"))
                .as("what does not apply is absent")
                .isFalse();
    }

    @Test
    void theStatusOfAFailureNamesIt() {
        wiring.is(KnownWiring.backingOff());
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
        assertThat(value(metrics, "tidemark_state", "state=\"creating-slot\"")).isZero();
        assertThat(value(metrics, "tidemark_nulled_values", "table=\"public.users\""))
                .isEqualTo(5);
        assertThat(value(metrics, "tidemark_batches", "table=\"public.users\"")).isEqualTo(14);
        assertThat(value(metrics, "tidemark_rows", "table=\"public.users\"", "operation=\"insert\""))
                .isEqualTo(11);
        assertThat(value(metrics, "tidemark_rows", "table=\"public.users\"", "operation=\"update\""))
                .isEqualTo(12);
        assertThat(value(metrics, "tidemark_rows", "table=\"public.users\"", "operation=\"delete\""))
                .isEqualTo(13);
        assertThat(value(metrics, "tidemark_rows", "table=\"public.users\"", "operation=\"retract\""))
                .isEqualTo(15);
        assertThat(value(metrics, "tidemark_truncates", "table=\"public.users\""))
                .isEqualTo(2);
        assertThat(value(metrics, "tidemark_rows", "table=\"public.users\"", "operation=\"copy\""))
                .isEqualTo(10);
        assertThat(value(metrics, "tidemark_drift", "table=\"public.users\"", "kind=\"partitions\""))
                .isEqualTo(1);
        assertThat(value(metrics, "tidemark_drift", "table=\"public.users\"", "kind=\"columns\""))
                .isZero();
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
}
