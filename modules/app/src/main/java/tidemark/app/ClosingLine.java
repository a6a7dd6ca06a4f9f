package tidemark.app;

import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.delivery.ConnectorStatus;
import tidemark.delivery.ExitCode;

/**
 * The last line of the log: how the process ended. Where delivery ended by itself it has said what it confirmed; where
 * it was not given the time to, this line does.
 */
final class ClosingLine {
    private ClosingLine() {}

    /** @param unfinished the connector at this moment, if it still runs */
    static String of(ExitCode code, Optional<ConnectorStatus> unfinished) {
        String end = "stopped tidemark exit=%d meaning=\"%s\"".formatted(code.code(), code.meaning());
        return end + unfinished.map(ClosingLine::positions).orElse("");
    }

    /** Told is not yet stored: the slot may be one status reply behind, and a restart begins there. */
    private static String positions(ConnectorStatus status) {
        if (status.confirmed().equals(Lsn.ZERO))
            return " confirmed=nothing replays=\"what follows the slot's position\"";
        return " confirmed=%s received=%s in_flight=%d replays=\"what follows confirmed, %d bytes of WAL so far\""
                .formatted(
                        status.confirmed(),
                        status.received(),
                        status.batchesInFlight(),
                        status.received().bytesSince(status.confirmed()));
    }
}
