package tidemark.replication;

import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tidemark.replication.SourceFailure.Kind;

/**
 * Waits for whoever holds a table exclusively, and not for longer than patience: a snapshot is kept meanwhile, and with
 * it WAL. Sees whom it waits for.
 *
 * <p>{@link #hold} is called by the thread that copies, one at a time; what is last seen may be read by any.
 */
final class LockWait {
    private static final System.Logger LOG = System.getLogger(LockWait.class.getName());
    /** Longer than a lock takes that nobody holds. */
    private static final Duration SILENT = Duration.ofSeconds(2);

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final SessionConnections connections;
    private final Duration patience;
    private volatile Optional<String> waitsFor = Optional.empty();
    /** Guarded by this: a look may take longer than the wait. */
    private boolean waits;

    LockWait(SessionConnections connections, Duration patience) {
        this.connections = connections;
        this.patience = patience;
    }

    /** From here on, until the reader is closed, nobody writes the table anew. */
    void hold(SnapshotReader reader, TableShape table) {
        int pid = reader.pid();
        waits(true);
        try (Alarm _ = new Alarm("tidemark-lock-look", SILENT, SlotWait.BETWEEN_LOOKS, () -> look(pid, table))) {
            reader.hold(List.of(table), patience);
        } catch (SourceFailure e) {
            throw e.getCause() instanceof SQLException refused
                            && Classification.sqlState(refused).equals(LOCK_NOT_AVAILABLE)
                    ? tooLong(table, e)
                    : e;
        } finally {
            waits(false);
        }
    }

    private synchronized void waits(boolean now) {
        waits = now;
        waitsFor = Optional.empty();
    }

    private synchronized void seen(String holders) {
        if (waits) waitsFor = Optional.of(holders);
    }

    private void look(int pid, TableShape table) {
        try {
            List<OlderTransaction> holders = OlderTransaction.waitedForBy(connections, pid);
            if (holders.isEmpty()) return;
            seen("whoever holds table %s: %s".formatted(table.name(), OlderTransaction.inWords(holders)));
        } catch (SQLException | SourceFailure e) {
            LOG.log(
                    Level.WARNING,
                    "wait for table=%s pid=%s for=unknown error=%s"
                            .formatted(
                                    table.name(),
                                    Integer.toString(pid),
                                    e.getClass().getSimpleName()));
        }
    }

    private SourceFailure tooLong(TableShape table, SourceFailure e) {
        return new SourceFailure(
                Kind.TRANSIENT,
                "copy table %s: waited for %s for %s"
                        .formatted(
                                table.name(),
                                patience,
                                waitsFor.orElse("whoever holds it exclusively, whom PostgreSQL did not name")),
                OlderTransaction.END_THEM,
                e);
    }

    /** Any thread. Empty while nobody was seen. */
    Optional<String> waitsFor() {
        return waitsFor;
    }
}
