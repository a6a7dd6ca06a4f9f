package tidemark.demo;

import java.time.Duration;
import java.util.List;
import tidemark.decode.Lsn;

/**
 * What the view shows at one moment.
 *
 * @param elapsed of the workload's time, and {@code total}
 * @param rowsPerSecond delivered, over the last seconds
 * @param deliveredRows copied and streamed since the demo began, over all lives of the service
 * @param lives of the service, the present one included
 * @param tables streamed counts of all lives, and the last copy
 */
record Picture(
        Duration elapsed,
        Duration total,
        String phase,
        long rowsPerSecond,
        long deliveredRows,
        long lagBytes,
        long longestLagBytes,
        Lsn confirmed,
        Lsn walEnd,
        int lives,
        List<TidemarkStatus.Table> tables) {}
