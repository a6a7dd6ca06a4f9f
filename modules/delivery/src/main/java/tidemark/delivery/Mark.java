package tidemark.delivery;

import java.util.Map;
import tidemark.decode.Lsn;
import tidemark.sink.FelderaName;

/**
 * The resume point (delivery-rules.md R1): in this life of the pipeline, {@code counts} operations on each endpoint
 * cover its table exactly up to {@code covered}. Durable before {@code confirmable} is confirmed.
 *
 * @param confirmable PostgreSQL may be told; before {@code covered} while a table is read again beside the stream
 */
record Mark(Lsn confirmable, Lsn covered, Map<FelderaName, Long> counts) {
    Mark(Lsn confirmable, Map<FelderaName, Long> counts) {
        this(confirmable, confirmable, counts);
    }
}
