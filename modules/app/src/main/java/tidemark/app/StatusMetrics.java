package tidemark.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import tidemark.delivery.ConnectorStatus;
import tidemark.delivery.DriftKind;
import tidemark.delivery.NulledValues;
import tidemark.delivery.Phase;
import tidemark.delivery.TableRoute;

/**
 * The connector's status as metrics. Each is read when it is scraped, so none of them costs delivery anything.
 * docs/metrics.md has the table.
 */
@ApplicationScoped
class StatusMetrics {
    private final MetricRegistry registry;
    private final Wiring wiring;
    private final InstantSource clock = InstantSource.system();

    @Inject
    StatusMetrics(MetricRegistry registry, Wiring wiring) {
        this.registry = registry;
        this.wiring = wiring;
    }

    void register(@Observes @Initialized(ApplicationScoped.class) Object event) {
        of("tidemark_lag_bytes", "WAL written but not confirmed", ConnectorStatus::lagBytes);
        of(
                "tidemark_retained_wal_bytes",
                "WAL that the slot keeps on PostgreSQL's disk",
                ConnectorStatus::retainedWalBytes);
        of(
                "tidemark_confirmed_lsn",
                "What PostgreSQL may forget, in bytes of WAL",
                status -> status.confirmed().value());
        of("tidemark_batches_in_flight", "Batches accepted but not complete", ConnectorStatus::batchesInFlight);
        of("tidemark_sessions", "Replication sessions begun", ConnectorStatus::sessions);
        of("tidemark_status_replies", "Status replies sent to PostgreSQL", ConnectorStatus::statusReplies);
        of(
                "tidemark_oldest_unconfirmed_seconds",
                "How long ago the oldest row still unconfirmed was read; 0 when there is none",
                status -> status.oldestUnconfirmed()
                        .map(since -> Duration.between(since, clock.instant()).toSeconds())
                        .orElse(0L));
        for (Phase phase : Phase.values()) phase(phase.word());
        wiring.routes().forEach(this::table);
    }

    private void phase(String phase) {
        of(
                "tidemark_state",
                "1 for the phase the connector is in, else 0",
                status -> status.phase().equals(phase) ? 1 : 0,
                new Tag("state", phase));
    }

    private void table(TableRoute route) {
        var table = new Tag("table", route.postgres().toString());
        ofTable("tidemark_batches", "POSTs accepted", ConnectorStatus.Table::batches, table);
        rows("insert", ConnectorStatus.Table::inserts, table);
        rows("update", ConnectorStatus.Table::updates, table);
        rows("delete", ConnectorStatus.Table::deletes, table);
        rows("retract", ConnectorStatus.Table::retractions, table);
        ofTable("tidemark_truncates", "TRUNCATEs carried out", ConnectorStatus.Table::truncates, table);
        rows("copy", ConnectorStatus.Table::copiedRows, table);
        of(
                "tidemark_nulled_values",
                "Values sent as null because Feldera has no such value",
                status -> status.nulledValues().stream()
                        .filter(count -> count.table().equals(table.getTagValue()))
                        .mapToLong(NulledValues.Count::values)
                        .sum(),
                table);
        for (DriftKind kind : DriftKind.values()) drift(kind, table);
    }

    private void drift(DriftKind kind, Tag table) {
        ofTable(
                "tidemark_drift",
                "What happened to the table that the stream does not tell of",
                row -> row.drifts().stream()
                        .filter(drift -> drift.kind() == kind)
                        .count(),
                table,
                new Tag("kind", kind.name().toLowerCase(Locale.ROOT)));
    }

    private void rows(String operation, ToLongFunction<ConnectorStatus.Table> count, Tag table) {
        ofTable("tidemark_rows", "Rows sent", count, table, new Tag("operation", operation));
    }

    private void ofTable(
            String name, String description, ToLongFunction<ConnectorStatus.Table> count, Tag table, Tag... more) {
        Tag[] tags = new Tag[more.length + 1];
        tags[0] = table;
        System.arraycopy(more, 0, tags, 1, more.length);
        of(
                name,
                description,
                status -> status.tables().stream()
                        .filter(row -> row.postgres().equals(table.getTagValue()))
                        .mapToLong(count)
                        .sum(),
                tags);
    }

    private void of(String name, String description, ToLongFunction<ConnectorStatus> value, Tag... tags) {
        var metadata =
                Metadata.builder().withName(name).withDescription(description).build();
        registry.gauge(metadata, () -> value.applyAsLong(wiring.status()), tags);
    }
}
