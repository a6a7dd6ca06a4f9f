package tidemark.app;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tidemark.delivery.ConnectorStatus;
import tidemark.delivery.ExitCode;
import tidemark.delivery.NulledValues;

/**
 * {@code /status} as JSON-B writes it: LSNs in PostgreSQL's text form, times and durations in ISO 8601, absent what
 * does not apply. Public because Yasson calls the accessors.
 */
public record StatusReply(
        String phase,
        Instant phaseSince,
        Optional<String> waitingFor,
        boolean ready,
        long sessions,
        Positions positions,
        Lag lag,
        Batches batches,
        long statusReplies,
        Optional<String> lastFailure,
        Optional<Exit> exit,
        Optional<String> closing,
        List<Table> tables,
        List<NulledColumn> nulledValues) {

    /** Furthest ahead first. */
    public record Positions(String walEnd, String received, String completed, String confirmed) {}

    /** @param oldestUnconfirmed how long ago the oldest row still unconfirmed was read */
    public record Lag(long bytes, long retainedWalBytes, Optional<Duration> oldestUnconfirmed) {}

    public record Batches(long accepted, long completed, int inFlight) {}

    public record Exit(int code, String meaning) {
        static Exit of(ExitCode code) {
            return new Exit(code.code(), code.meaning());
        }
    }

    public record Table(
            String postgres,
            String feldera,
            String state,
            long copiedRows,
            long estimatedRows,
            long inserts,
            long updates,
            long deletes,
            long truncates,
            long retractions,
            long batches,
            List<Drift> drifts,
            Optional<Resync> resync) {
        static Table of(ConnectorStatus.Table table) {
            return new Table(
                    table.postgres(),
                    table.feldera(),
                    table.state(),
                    table.copiedRows(),
                    table.estimatedRows(),
                    table.inserts(),
                    table.updates(),
                    table.deletes(),
                    table.truncates(),
                    table.retractions(),
                    table.batches(),
                    table.drifts().stream().map(Drift::of).toList(),
                    table.resync().map(Resync::of));
        }
    }

    /**
     * What became of the last request to read the table again.
     *
     * @param rows of PostgreSQL that were compared so far
     * @param at the position of the snapshot, once the table is whole as of it
     */
    public record Resync(
            String state,
            Instant since,
            long rows,
            long missing,
            long different,
            long extra,
            Optional<String> at,
            Optional<String> why) {
        static Resync of(ConnectorStatus.Resync resync) {
            return new Resync(
                    resync.state(),
                    resync.since(),
                    resync.rows(),
                    resync.missing(),
                    resync.different(),
                    resync.extra(),
                    resync.at().map(Object::toString),
                    resync.why());
        }
    }

    /** @param since when this process first saw it */
    public record Drift(String kind, String what, String remedy, Instant since) {
        static Drift of(ConnectorStatus.Drift drift) {
            return new Drift(drift.kind().name().toLowerCase(Locale.ROOT), drift.what(), drift.remedy(), drift.since());
        }
    }

    /** How many values of a column went as null because Feldera has no such value. */
    public record NulledColumn(String table, String column, long values) {
        static NulledColumn of(NulledValues.Count count) {
            return new NulledColumn(count.table(), count.column(), count.values());
        }
    }

    static StatusReply of(ConnectorStatus status, Instant now) {
        return new StatusReply(
                status.phase(),
                status.phaseSince(),
                status.waitingFor(),
                status.ready(),
                status.sessions(),
                new Positions(
                        status.walEnd().toString(),
                        status.received().toString(),
                        status.completed().toString(),
                        status.confirmed().toString()),
                new Lag(
                        status.lagBytes(),
                        status.retainedWalBytes(),
                        status.oldestUnconfirmed().map(since -> Duration.between(since, now))),
                new Batches(status.batchesAccepted(), status.batchesCompleted(), status.batchesInFlight()),
                status.statusReplies(),
                status.lastFailure(),
                status.exit().map(Exit::of),
                status.closing(),
                status.tables().stream().map(Table::of).toList(),
                status.nulledValues().stream().map(NulledColumn::of).toList());
    }
}
