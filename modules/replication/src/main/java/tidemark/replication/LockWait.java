package tidemark.replication;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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

    LockWait(SessionConnections connections, Duration patience) {
        this.connections = connections;
        this.patience = patience;
    }

    /** From here on, until the reader is closed, nobody writes the table anew. */
    void hold(SnapshotReader reader, TableShape table) {
        int pid = reader.pid();
        try (Alarm _ = new Alarm("tidemark-lock-look", SILENT, SlotWait.BETWEEN_LOOKS, () -> look(pid, table))) {
            reader.hold(List.of(table), patience);
        } catch (SourceFailure e) {
            throw e.getCause() instanceof SQLException refused
                            && Classification.sqlState(refused).equals(LOCK_NOT_AVAILABLE)
                    ? tooLong(table, e)
                    : e;
        } finally {
            waitsFor = Optional.empty();
        }
    }

    private void look(int pid, TableShape table) {
        try {
            Connection connection = connections.forQuestions();
            try {
                List<OlderTransaction> holders = OlderTransaction.waitedForBy(connection, pid);
                if (holders.isEmpty()) return;
                waitsFor = Optional.of("whoever holds table %s: %s"
                        .formatted(
                                table.name(),
                                holders.stream().map(OlderTransaction::inWords).collect(Collectors.joining(", "))));
            } finally {
                connections.release(connection);
            }
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
                "end them (pg_terminate_backend(pid), or COMMIT or ROLLBACK PREPARED), or raise session.give-up-after",
                e);
    }

    /** Any thread. Empty while nobody was seen. */
    Optional<String> waitsFor() {
        return waitsFor;
    }
}
