package tidemark.delivery;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;

/**
 * A consistent picture of the connector at one moment, for status pages and metrics. Never holds row values or secrets.
 *
 * @param phase the word of a {@link Phase}
 * @param phaseSince when it began
 * @param waitingFor what the phase waits for, in words, if it waits
 * @param ready streaming or copying, and no failure since
 * @param sessions replication sessions begun, this one included
 * @param received everything below was read from PostgreSQL
 * @param confirmed what PostgreSQL was told it may forget
 * @param walEnd the server's end of WAL when last asked
 * @param retainedWalBytes walEnd minus the slot's restart_lsn: what the slot keeps on disk
 * @param lagBytes walEnd minus confirmed
 * @param oldestUnconfirmed when the oldest row still unconfirmed was read, if any
 * @param closing once it has stopped: the confirmed position, and what a restart will replay
 * @param nulledValues by column, those that went as null because Feldera has no such value
 */
public record ConnectorStatus(
        String phase,
        Instant phaseSince,
        Optional<String> waitingFor,
        boolean ready,
        long sessions,
        Lsn received,
        Lsn completed,
        Lsn confirmed,
        Lsn walEnd,
        long retainedWalBytes,
        long lagBytes,
        Optional<Instant> oldestUnconfirmed,
        long batchesAccepted,
        long batchesCompleted,
        int batchesInFlight,
        long statusReplies,
        Optional<String> lastFailure,
        Optional<ExitCode> exit,
        Optional<String> closing,
        List<Table> tables,
        List<NulledValues.Count> nulledValues) {

    /**
     * @param state the word of a {@link TableState}
     * @param copiedRows rows read by the copy so far, or differences sent by the merge
     * @param estimatedRows of the copy, 0 when unknown
     * @param truncates carried out
     * @param retractions rows that Feldera had when the table was truncated
     * @param batches POSTs accepted
     * @param drifts all that may make Feldera's table differ until the table is read again
     * @param resync what became of the last request to read it again
     */
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
            Optional<Resync> resync) {}

    /**
     * A table that is read again beside the stream.
     *
     * @param state requested, looking, merging, going-back, done, failed or interrupted
     * @param since when that began
     * @param rows of PostgreSQL that were compared so far
     * @param missing rows that Feldera did not have
     * @param extra rows that only Feldera had
     * @param at the position of the snapshot: the table was whole as of it
     * @param why it failed, or what it waits for
     */
    public record Resync(
            String state,
            Instant since,
            long rows,
            long missing,
            long different,
            long extra,
            Optional<Lsn> at,
            Optional<String> why) {}

    /**
     * Something that the stream did not tell.
     *
     * @param since when this process first saw it
     */
    public record Drift(DriftKind kind, String what, String remedy, Instant since) {}
}
