package tidemark.replication;

import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.postgresql.PGConnection;

/**
 * Where a session waits for others' transactions, one at a time: not for longer than it may, and seeing for whom.
 * Closing the session from another thread cancels what waits.
 */
final class BackendWaits {
    /** Longer than what waits for nobody takes, and short for a person who looks why it is not ready. */
    private static final Duration SILENT = Duration.ofSeconds(2);

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);
    private static final Duration CANCEL_AGAIN = Duration.ofSeconds(5);

    private final SessionConnections connections;
    private volatile Optional<BackendWait> current = Optional.empty();

    BackendWaits(SessionConnections connections) {
        this.connections = connections;
    }

    /** Asks what may wait, on this connection. */
    <T> T during(Connection waiting, Duration patience, Awaited awaited, Supplier<T> question) {
        int pid = Classification.classified(
                "name the own connection",
                () -> waiting.unwrap(PGConnection.class).getBackendPID());
        connections.cancelBeforeClosing(waiting);
        connections.requireOpen();
        BackendWait wait = new BackendWait(connections, waiting, pid, patience, awaited);
        current = Optional.of(wait);
        try (Alarm _ = new Alarm("tidemark-wait-look", SILENT, BETWEEN_LOOKS, wait::look);
                Alarm _ = new Alarm("tidemark-wait-patience", patience, CANCEL_AGAIN, wait::giveUp)) {
            T answer = question.get();
            wait.over();
            return answer;
        } catch (SourceFailure e) {
            throw wait.over(e).orElse(e);
        } finally {
            current = Optional.empty();
            connections.noLongerCancelBeforeClosing(waiting);
        }
    }

    /** Whom it is that is waited for, as last seen. Any thread. */
    Optional<String> waitsFor() {
        return current.flatMap(BackendWait::waitsFor);
    }
}
