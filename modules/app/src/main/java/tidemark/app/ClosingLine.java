package tidemark.app;

import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.delivery.ConnectorStatus;
import tidemark.delivery.ExitCode;

/** The last line of the log: how the process ended, what is confirmed, and what a restart will replay. */
final class ClosingLine {
    private ClosingLine() {}

    /** @param last of the connector, if one was made */
    static String of(ExitCode code, Optional<ConnectorStatus> last) {
        String end = "stopped tidemark exit=%s meaning=\"%s\"".formatted(code.code(), code.meaning());
        return last.map(status -> end + " " + positions(status)).orElse(end);
    }

    private static String positions(ConnectorStatus status) {
        if (status.confirmed().equals(Lsn.ZERO))
            return "confirmed=unknown replays=\"what follows the slot's position\"";
        return status.closing().orElseGet(() -> cutShort(status));
    }

    /** Where delivery was not given the time to say it. Received is how far it may have sent. */
    private static String cutShort(ConnectorStatus status) {
        return "confirmed=%s replays=\"what comes after it\" received=%s batches_in_flight=%s"
                .formatted(status.confirmed(), status.received(), status.batchesInFlight());
    }
}
